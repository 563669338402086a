import { usePageParts } from '../app/parts-context.js';
import { parseRoute, type Route, sessionHref, splitHref, useRoute } from '../app/route.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import { Icon, type IconName } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { useStore } from '../parts/store.js';
import { titled } from '../parts/titled.js';
import { text } from '../text/text.js';
import { panesOf, sideBySide } from './split-layout.js';
import { WALL_HREF } from './wall-address.js';

interface ViewSwitchProps {
  /** The session in view, if it is one. */
  readonly currentId: string | undefined;
  readonly leader: Leader | undefined;
}

/** One session, several panes, or the wall. */
export function ViewSwitch({ currentId, leader }: ViewSwitchProps) {
  const { page } = useRoute();
  const { lastSession } = usePageParts().preferences;
  const last = useStore(lastSession);
  const one = currentId ?? last;
  return (
    <nav className="seg seg--icons desk-only" aria-label={text.views.views}>
      <View
        href={one === '' ? '/' : sessionHref(one)}
        icon="one"
        name={text.views.session}
        chord={leaderChord('single', leader)}
        isHere={page === 'session'}
      />
      <View
        href={useSplitHref(currentId)}
        icon="split"
        name={text.views.split}
        chord={leaderChord('split', leader)}
        isHere={page === 'split'}
      />
      <View href={WALL_HREF} icon="wall" name={text.views.wall.title} chord={leaderChord('wall', leader)} isHere={page === 'wall'} />
    </nav>
  );
}

interface ViewProps {
  readonly href: string;
  readonly icon: IconName;
  readonly name: string;
  readonly chord: string | undefined;
  readonly isHere: boolean;
}

function View({ href, icon, name, chord, isHere }: ViewProps) {
  return (
    <Link href={href} aria-label={name} title={titled(name, chord)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
    </Link>
  );
}

/** The panes that were shown last, else the session in view beside one to be chosen. */
export function useSplitHref(currentId: string | undefined): string {
  const route = useRoute();
  const { lastSplit, lastSession } = usePageParts().preferences;
  const remembered = useStore(lastSplit);
  const last = useStore(lastSession);
  if (route.page === 'split') return splitHref(route);
  if (splitOf(remembered) !== undefined) return remembered;
  return splitHref({ layout: sideBySide([currentId ?? (last === '' ? undefined : last), undefined]), active: 0 });
}

function splitOf(address: string): Route | undefined {
  const [pathname = '', search] = address.split('?', 2);
  const route = parseRoute(pathname, search);
  return route.page === 'split' && panesOf(route.layout).some(({ id }) => id !== undefined) ? route : undefined;
}
