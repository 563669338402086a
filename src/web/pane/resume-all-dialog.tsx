import { asSentence } from '../app/error-text.js';
import { Dialog } from '../parts/dialog.js';
import { Glyph } from '../parts/glyph.js';
import { visibleText } from '../parts/visible-text.js';
import { isOver, type ResumeOutcome, resumeOutcome } from '../session/resume-outcome.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import { useResumeMany } from './use-resume-many.js';

interface ResumeAllDialogProps {
  readonly views: readonly SessionView[];
  /** False where it is under way already. */
  readonly begins: boolean;
  readonly onClose: () => void;
}

/** Has the daemon resume all dormant sessions, and says of each of `views` how it went. */
export function ResumeAllDialog({ views, begins, onClose }: ResumeAllDialogProps) {
  const { progress, problem } = useResumeMany(begins);
  const outcomes = views.map((view) => resumeOutcome(view.session, progress));
  const done = outcomes.filter(isOver).length;
  return (
    <Dialog title={text.resumes.title(views.length)} onClose={onClose}>
      <progress className="meter" value={done} max={views.length} aria-label={text.resumes.title(views.length)} />
      <ul className="dialog__body dialog__body--list">
        {views.map((view, at) => (
          <ResumeLine key={view.session.id} view={view} outcome={outcomes[at] ?? 'next'} />
        ))}
      </ul>
      {problem !== undefined && (
        <p className="hint hint--error" role="alert">
          {visibleText(problem)}
        </p>
      )}
      <div className="dialog__foot">
        <span className="grow num" role="status">
          {text.resumes.tally(done, views.length)}
          {done < views.length && problem === undefined && ` · ${text.resumes.goesOn}`}
        </span>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={onClose}>
          {text.parts.close}
        </button>
      </div>
    </Dialog>
  );
}

function ResumeLine({ view: { session, project }, outcome }: { view: SessionView; outcome: ResumeOutcome }) {
  const failed = typeof outcome === 'object';
  return (
    <li className="rr">
      <Glyph state={outcome === 'resumed' ? 'idle' : outcome === 'starting' ? 'starting' : 'dormant'} decorative />
      <b className="clip">{sessionName(session)}</b>
      <span className="fg3 small clip">{project.name}</span>
      <span className={`rr__msg${failed ? ' c-dead' : ' fg3'}`}>
        {failed ? visibleText(asSentence(outcome.refused)) : text.resumes[outcome]}
      </span>
    </li>
  );
}
