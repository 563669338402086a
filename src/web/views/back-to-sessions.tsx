import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { text } from '../text/text.js';

/** On a phone, where the list is a page of its own. */
export function BackToSessions() {
  return (
    <Link href="/" className="btn btn--ghost btn--icon phone-only" aria-label={text.workspace.backToSessions}>
      <Icon name="left" />
    </Link>
  );
}
