import { useEffect, useRef, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useResumeWith, useSessionAction } from '../app/use-session-action.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { endingOf } from '../session/ending.js';
import { sessionName } from '../session/session-name.js';
import { endedWell } from '../session/session-state.js';
import { text } from '../text/text.js';
import { ConversationsDialog } from './conversations-dialog.js';
import { useConversations } from './use-conversations.js';

interface RestingCardProps {
  readonly session: Session;
  /** Enter means this one. */
  readonly active: boolean;
  readonly onRemove: () => void;
}

/** Says how a program ended and what is kept. Enter starts it again. */
export function RestingCard({ session, active, onRemove }: RestingCardProps) {
  const [problem, setProblem] = useState<string>();
  const [choosing, setChoosing] = useState(false);
  const resume = useSessionAction('resume', { onFailure: setProblem });
  const resumeWith = useResumeWith({ onFailure: setProblem });
  const conversations = useConversations(session);
  const { title, detail, action } = endingOf(session, Date.now(), conversations.length);
  const words = text.pane.resting;
  const isPending = resume.isPending || resumeWith.isPending;
  const start = () => {
    setProblem(undefined);
    resume.mutate(session.id);
  };
  const choose = (agent_session: string) => {
    setChoosing(false);
    setProblem(undefined);
    resumeWith.mutate({ id: session.id, agent_session });
  };
  useEnter(start, active ? Date.parse(session.exit?.at ?? session.created_at) + GUARD_MS : Number.POSITIVE_INFINITY);
  return (
    <section className="resume" aria-label={words[action]}>
      <Glyph state={session.status === 'dormant' ? 'dormant' : 'dead'} quiet={endedWell(session)} large decorative />
      <div className="resume__words">
        <h2 className="resume__title">{title}</h2>
        <p className={`resume__detail${problem === undefined ? '' : ' resume__detail--error'}`} role="status">
          {problem ?? detail}
        </p>
      </div>
      <div className="resume__acts">
        <button type="button" className="btn btn--lg btn--ghost" onClick={onRemove}>
          {words.remove}
        </button>
        {conversations.length > 0 && (
          <button type="button" className="btn btn--lg" onClick={() => setChoosing(true)} disabled={isPending}>
            {text.conversations.choose(conversations.length)}
          </button>
        )}
        <button type="button" className="btn btn--lg btn--primary" onClick={start} disabled={isPending}>
          <Icon name={action === 'resume' ? 'play' : 'restart'} />
          {isPending ? words.starting : words[action]}
          <kbd className="kbd">↵</kbd>
        </button>
      </div>
      {choosing && (
        <ConversationsDialog
          name={sessionName(session)}
          conversations={conversations}
          onChoose={choose}
          onClose={() => setChoosing(false)}
        />
      )}
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
