import type { Session } from '../../protocol/index.js';
import { NoCode } from '../app/no-code.js';
import type { PageCommands } from '../keys/page-commands.js';
import { useLateCode } from '../parts/late-code.js';
import { text } from '../text/text.js';

/** The view of changes, whose code is fetched when it is first looked at. */
export function LateChanges({ session, commands }: { session: Session; commands: PageCommands }) {
  const { code, failed, retry } = useLateCode('changes', () => import('./changes-panel.js').then(({ ChangesPanel }) => ({ ChangesPanel })));
  if (code !== undefined) return <code.ChangesPanel session={session} commands={commands} />;
  return (
    <section className="panel changes" aria-label={text.changes.changes} aria-busy={!failed}>
      {failed && <NoCode onRetry={retry} />}
    </section>
  );
}
