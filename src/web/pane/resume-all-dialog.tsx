import { useEffect, useRef, useState } from 'react';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { Dialog } from '../parts/dialog.js';
import { Glyph } from '../parts/glyph.js';
import { projectOf } from '../session/project.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';

/** How one session fared: not asked yet, asked, resumed, or refused with words for the user. */
type Outcome = 'next' | 'starting' | 'resumed' | { readonly refused: string };

/** Starting an agent is hard work for a host. */
const AT_ONCE = 2;

/** Resumes sessions, and says of each how it went. */
export function ResumeAllDialog({ views, onClose }: { views: readonly SessionView[]; onClose: () => void }) {
  const outcomes = useResumeAll(views);
  const done = views.filter(({ session }) => isOver(outcomes.get(session.id))).length;
  return (
    <Dialog title={`Resuming ${views.length} ${views.length === 1 ? 'session' : 'sessions'}`} onClose={onClose}>
      <ul className="dialog__body dialog__body--list">
        {views.map((view) => (
          <ResumeLine key={view.session.id} view={view} outcome={outcomes.get(view.session.id) ?? 'next'} />
        ))}
      </ul>
      <div className="dialog__foot">
        <span className="grow num" role="status">
          {done} of {views.length}
          {done < views.length && ' · you can close this, it goes on by itself'}
        </span>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function ResumeLine({ view: { session }, outcome }: { view: SessionView; outcome: Outcome }) {
  const failed = typeof outcome === 'object';
  return (
    <li className="rr">
      <Glyph state={outcome === 'resumed' ? 'idle' : outcome === 'starting' ? 'starting' : 'dormant'} decorative />
      <b className="clip">{sessionName(session)}</b>
      <span className="fg3 small clip">{projectOf(session).name}</span>
      <span className={`rr__msg${failed ? ' c-dead' : ''}`}>{failed ? outcome.refused : WORDS[outcome]}</span>
    </li>
  );
}

const WORDS: Readonly<Record<Extract<Outcome, string>, string>> = { next: 'Next', starting: 'Starting', resumed: 'Resumed' };

function isOver(outcome: Outcome | undefined): boolean {
  return outcome === 'resumed' || typeof outcome === 'object';
}

/** It goes on when the dialog is closed. */
function useResumeAll(views: readonly SessionView[]): ReadonlyMap<string, Outcome> {
  const { client, feed } = useConnection();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const queue = views.map(({ session }) => session.id);
    const note = (id: string, outcome: Outcome) => setOutcomes((all) => new Map(all).set(id, outcome));
    const work = async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        note(id, 'starting');
        try {
          feed.put(await client.resume(id));
          note(id, 'resumed');
        } catch (error) {
          note(id, { refused: errorText(error) });
        }
      }
    };
    void Promise.all(Array.from({ length: AT_ONCE }, work));
  }, [views, client, feed]);
  return outcomes;
}
