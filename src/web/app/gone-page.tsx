import { Link } from '../parts/link.js';
import { text } from '../text/text.js';
import { BackToSessions } from '../views/back-to-sessions.js';

/** The address leads nowhere. */
export function GonePage({ isSession }: { isSession: boolean }) {
  const { title, detail } = isSession ? text.gone.session : text.gone.page;
  return (
    <>
      <header className="bar">
        <BackToSessions />
      </header>
      <section className="panel" aria-label={text.gone.title}>
        <div className="hero">
          <h1>{title}</h1>
          <p className="lede">{detail}</p>
          <Link href="/" className="btn btn--lg">
            {text.gone.allSessions}
          </Link>
        </div>
      </section>
    </>
  );
}
