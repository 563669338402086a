import { openSession } from '../app/open-session.js';
import { navigate, splitHref } from '../app/route.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import type { Dropped } from '../views/drop-zone.js';
import { type PaneSide, paneOf, type SplitLayout, sideBySide, splitPane, withDropped } from '../views/split-layout.js';

/** From one session to several: by commands, and by a session that is dropped on it. */
export function useSplitFromOne(id: string, commands: PageCommands): (dropped: Dropped) => void {
  const alone = sideBySide([id]);
  const go = (layout: SplitLayout, active: number) => navigate(splitHref({ layout, active }));
  const grow = (side: PaneSide) => () => {
    const grown = splitPane(alone, 0, side);
    if (grown !== undefined) go(grown.layout, grown.at);
  };
  useCommands(commands, { split_right: grow('right'), split_down: grow('below') });
  return ({ id: other, side }) => {
    if (side === undefined) return openSession(other);
    if (other === id) return;
    const layout = withDropped(alone, 0, { side, id: other });
    go(layout, paneOf(layout, other));
  };
}
