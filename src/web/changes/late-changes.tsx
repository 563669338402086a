import type { Session } from '../../protocol/index.js';
import type { PageCommands } from '../keys/page-commands.js';
import { useLateCode } from '../parts/late-code.js';
import { text } from '../text/text.js';

/** The view of changes, whose code is fetched when it is first looked at. */
export function LateChanges({ session, commands }: { session: Session; commands: PageCommands }) {
  const { code, failed } = useLateCode('changes', () => import('./changes-panel.js').then(({ ChangesPanel }) => ({ ChangesPanel })));
  if (code !== undefined) return <code.ChangesPanel session={session} commands={commands} />;
  return (
    <section className="panel changes" aria-label={text.changes.changes} aria-busy={!failed}>
      {failed && <NoCode />}
    </section>
  );
}

/** An update of Maestro replaced the files that this page came with. */
export function NoCode() {
  return (
    <div className="changes__problem" role="alert">
      <h2 className="strong">{text.changes.loadFailed.title}</h2>
      <p className="fg2">{text.changes.loadFailed.detail}</p>
      <div className="changes__acts">
        <button type="button" className="btn btn--primary" onClick={() => location.reload()}>
          {text.changes.reload}
        </button>
      </div>
    </div>
  );
}
