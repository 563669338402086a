import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { text } from '../text/text.js';

/** The address leads nowhere. */
export function GonePage({ isSession }: { isSession: boolean }) {
  const { title, detail } = isSession ? text.gone.session : text.gone.page;
  return (
    <>
      <header className="bar">
        <Link href="/" className="btn btn--ghost btn--icon phone-only" aria-label={text.workspace.backToSessions}>
          <Icon name="left" />
        </Link>
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
