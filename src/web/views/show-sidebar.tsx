import { usePageParts } from '../app/parts-context.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { IconButton } from '../parts/icon-button.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';

interface SidebarProps {
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

/** Brings the sidebar back where it was hidden. */
export function ShowSidebar(props: SidebarProps) {
  const { sidebarHidden } = usePageParts().preferences;
  return useStore(sidebarHidden) ? <SidebarButton shown={false} {...props} /> : null;
}

/** Hides the sidebar, where it is shown, or brings it back: which of them it is on the wall is another matter than elsewhere. */
export function SidebarButton({ shown, leader, commands }: SidebarProps & { readonly shown: boolean }) {
  const { hide, show } = text.sidebar;
  const chord = leaderChord('sidebar', leader);
  return <IconButton className="desk-only" icon="side" label={shown ? hide : show} chord={chord} onClick={() => commands.run('sidebar')} />;
}
