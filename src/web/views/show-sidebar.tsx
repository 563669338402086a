import { usePageParts } from '../app/parts-context.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import { IconButton } from '../parts/icon-button.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';

/** Brings the sidebar back where it was hidden. */
export function ShowSidebar({ leader }: { leader: Leader | undefined }) {
  const { sidebarHidden } = usePageParts().preferences;
  return useStore(sidebarHidden) ? <SidebarButton leader={leader} shown={false} onClick={() => sidebarHidden.set(false)} /> : null;
}

interface SidebarButtonProps {
  readonly leader: Leader | undefined;
  /** Then it hides the sidebar. */
  readonly shown: boolean;
  readonly onClick: () => void;
}

export function SidebarButton({ leader, shown, onClick }: SidebarButtonProps) {
  const { hide, show } = text.sidebar;
  return (
    <IconButton className="desk-only" icon="side" label={shown ? hide : show} chord={leaderChord('sidebar', leader)} onClick={onClick} />
  );
}
