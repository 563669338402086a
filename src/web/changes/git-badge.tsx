import type { Session } from '../../protocol/index.js';
import { changesHref } from '../app/route.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { text } from '../text/text.js';
import { gitParts } from './git-words.js';
import { PlainText } from './plain-text.js';

/** The branch, what changed on it, and how far it is from where it came from. Leads to the changes. */
export function GitBadge({ session }: { session: Session }) {
  const parts = gitParts(session);
  if (parts === undefined) return null;
  return (
    <Link href={changesHref(session.id)} className="status__branch" title={text.changes.show}>
      <Icon name="branch" />
      <b className="clip">
        <PlainText text={parts.branch} />
      </b>
      {parts.rest.map((part) => (
        <span key={part} className="status__fact num">
          {part}
        </span>
      ))}
    </Link>
  );
}
