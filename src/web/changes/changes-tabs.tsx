import type { Session } from '../../protocol/index.js';
import { changesHref, sessionHref } from '../app/route.js';
import { type Leader, leaderChord } from '../keys/chords.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { titled } from '../parts/titled.js';
import { text } from '../text/text.js';

interface ChangesTabsProps {
  readonly session: Session;
  readonly showsChanges: boolean;
  readonly leader: Leader | undefined;
}

/** From the terminal to the changes and back. On a phone, one button for the other of the two. */
export function ChangesTabs({ session, showsChanges, leader }: ChangesTabsProps) {
  const { id, git } = session;
  const { terminal, changes } = text.changes;
  const chord = leaderChord('changes', leader);
  const changed = git?.changed ?? 0;
  const count = changed > 0 && <span className="seg__count num">{changed > 999 ? '999+' : changed}</span>;
  return (
    <>
      <nav className="seg desk-only" aria-label={text.changes.views}>
        <Link href={sessionHref(id)} aria-current={showsChanges ? undefined : 'page'} title={titled(terminal, chord)}>
          {terminal}
        </Link>
        <Link href={changesHref(id)} aria-current={showsChanges ? 'page' : undefined} title={titled(changes, chord)}>
          {changes}
          {count}
        </Link>
      </nav>
      {showsChanges ? (
        <Link href={sessionHref(id)} className="btn btn--ghost phone-only" aria-label={terminal}>
          <Icon name="terminal" />
        </Link>
      ) : (
        <Link href={changesHref(id)} className="btn btn--ghost phone-only" aria-label={changes}>
          <Icon name="diff" />
          {count}
        </Link>
      )}
    </>
  );
}
