import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';

/** The address leads nowhere. */
export function GonePage({ isSession }: { isSession: boolean }) {
  return (
    <>
      <header className="bar">
        <Link href="/" className="btn btn--ghost btn--icon phone-only" aria-label="Back to sessions">
          <Icon name="left" />
        </Link>
      </header>
      <section className="panel" aria-label="Not found">
        <div className="hero">
          <h1>{isSession ? 'This session is gone' : 'There is nothing here'}</h1>
          <p className="lede">
            {isSession
              ? 'It was killed, or it belongs to another host. Its files are where they were.'
              : 'The address has a mistake in it.'}
          </p>
          <Link href="/" className="btn btn--lg">
            All sessions
          </Link>
        </div>
      </section>
    </>
  );
}
