import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../protocol/index.js';
import type { PageCommands } from '../app/page-commands.js';

/** The view of changes, whose code is fetched when it is first looked at. */
export function LateChanges({ session, commands }: { session: Session; commands: PageCommands }) {
  const { data, error } = useQuery({
    queryKey: ['code', 'changes'],
    queryFn: () => import('./changes-panel.js').then(({ ChangesPanel }) => ({ ChangesPanel })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (data !== undefined) return <data.ChangesPanel session={session} commands={commands} />;
  return (
    <section className="panel changes" aria-label="Changes" aria-busy={error === null}>
      {error !== null && <NoCode />}
    </section>
  );
}

/** An update of Maestro replaced the files that this page came with. */
function NoCode() {
  return (
    <div className="changes__problem" role="alert">
      <h2 className="strong">This part of the page did not load</h2>
      <p className="fg2">Maestro may have been updated, or does not answer. A reload of the page does no harm to any session.</p>
      <div className="changes__acts">
        <button type="button" className="btn btn--primary" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}
