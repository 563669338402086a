import { useEffect, useRef } from 'react';
import { text } from '../text/text.js';

interface ConfirmLineProps {
  readonly question: string;
  readonly verb: string;
  readonly busy: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** A question in the place where it arose. The safe answer has the focus, which then goes back to where it was. */
export function ConfirmLine({ question, verb, busy, onYes, onNo }: ConfirmLineProps) {
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    safe.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <fieldset className="keep__ask" aria-label={question}>
      <p className="small">{question}</p>
      <button type="button" className="btn btn--danger" disabled={busy} onClick={onYes}>
        {verb}
      </button>
      <button ref={safe} type="button" className="btn btn--primary" onClick={onNo}>
        {text.worktrees.keep}
      </button>
    </fieldset>
  );
}
