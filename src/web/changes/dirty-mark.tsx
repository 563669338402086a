import type { Session } from '../../protocol/index.js';
import { gitParts } from './git-words.js';

/** What a row's mark is found by, when the row is clicked. */
export const DIRTY_MARK = 'row__dirty';

/** How many files a session has changed, small enough for a row. */
export function DirtyMark({ session }: { session: Session }) {
  const changed = session.git?.changed ?? 0;
  if (changed === 0) return null;
  const words = gitParts(session)?.rest.join(', ');
  return (
    <span className={`${DIRTY_MARK} num`} title={words}>
      <span aria-hidden="true">±{changed > 999 ? '999+' : changed}</span>
      <span className="sr">{words}</span>
    </span>
  );
}
