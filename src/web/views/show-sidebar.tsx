import { usePageParts } from '../app/parts-context.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import type { Preference } from '../settings/preference.js';
import { text } from '../text/text.js';

/** Brings the sidebar back where it was hidden. */
export function ShowSidebar({ leader }: { leader: Leader | undefined }) {
  const { sidebarHidden } = usePageParts().preferences;
  return useStore(sidebarHidden) ? <SidebarButton leader={leader} preference={sidebarHidden} shown={false} /> : null;
}

interface SidebarButtonProps {
  readonly leader: Leader | undefined;
  readonly preference: Preference<boolean>;
  readonly shown: boolean;
}

/** Turns the preference, which says whether the sidebar is shown or, elsewhere, whether it is hidden. */
export function SidebarButton({ leader, preference, shown }: SidebarButtonProps) {
  const name = shown ? text.sidebar.hide : text.sidebar.show;
  const chord = leaderChord('sidebar', leader);
  return (
    <button
      type="button"
      className="btn btn--ghost btn--icon desk-only"
      aria-label={name}
      title={chord === undefined ? name : `${name}  ${chord}`}
      onClick={() => preference.set(!preference.value)}
    >
      <Icon name="side" />
    </button>
  );
}
