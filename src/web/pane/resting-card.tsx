import { useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useSessionAction } from '../app/use-session-action.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { endingOf } from '../session/ending.js';
import { endedWell } from '../session/session-state.js';

/** Says how a program ended and what is kept. Enter starts it again. */
export function RestingCard({ session, onRemove }: { session: Session; onRemove: () => void }) {
  const [problem, setProblem] = useState<string>();
  const resume = useSessionAction('resume', { onFailure: setProblem });
  const { title, detail, action } = endingOf(session, Date.now());
  const start = () => {
    setProblem(undefined);
    resume.mutate(session.id);
  };
  useEnter(start, Date.parse(session.exit?.at ?? session.created_at) + GUARD_MS);
  return (
    <section className="resume" aria-label={action}>
      <Glyph state={session.status === 'dormant' ? 'dormant' : 'dead'} quiet={endedWell(session)} large decorative />
      <div className="resume__words">
        <h2 className="resume__title">{title}</h2>
        <p className={`resume__detail${problem === undefined ? '' : ' resume__detail--error'}`} role="status">
          {problem ?? detail}
        </p>
      </div>
      <div className="resume__acts">
        <button type="button" className="btn btn--lg btn--ghost" onClick={onRemove}>
          Remove
        </button>
        <button type="button" className="btn btn--lg btn--primary" onClick={start} disabled={resume.isPending}>
          <Icon name={action === 'Resume' ? 'play' : 'restart'} />
          {resume.isPending ? 'Starting' : action}
          <kbd className="kbd">↵</kbd>
        </button>
      </div>
    </section>
  );
}

/** For so long after a program's end Enter may still have been meant for the program, in milliseconds. */
const GUARD_MS = 1500;

/** Enter from a moment on, wherever it has no other meaning. */
function useEnter(run: () => void, from: number): void {
  const current = useRef(run);
  current.current = run;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.defaultPrevented || event.repeat || event.isComposing) return;
      if (Date.now() < from) return;
      const { target } = event;
      const isTaken = target instanceof Element && target.closest('button, a, input, dialog, [role="menu"]') !== null;
      if (isTaken || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      current.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [from]);
}
