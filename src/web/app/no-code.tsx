import { useEffect, useRef } from 'react';
import { text } from '../text/text.js';
import { useFeed } from './use-sessions.js';

interface NoCodeProps {
  /** What did not come; empty where that is said already. */
  readonly title?: string;
  readonly onRetry: () => void;
}

/**
 * Code of the page did not come. Either nobody answers, and it is tried again as soon as somebody does; or an update of Maestro replaced the
 * files that this page came with.
 */
export function NoCode({ title = text.workspace.notLoaded.part, onRetry }: NoCodeProps) {
  const isAnswered = useFeed().state === 'live';
  const wasAnswered = useRef(isAnswered);
  const words = text.workspace.notLoaded;
  useEffect(() => {
    if (isAnswered && !wasAnswered.current) onRetry();
    wasAnswered.current = isAnswered;
  }, [isAnswered, onRetry]);
  return (
    <div className="problem" role="alert">
      {title !== '' && <h2 className="strong">{title}</h2>}
      <p className="fg2">{isAnswered ? words.replaced : words.unanswered}</p>
      <div className="problem__acts">
        <button type="button" className={`btn${isAnswered ? '' : ' btn--primary'}`} onClick={onRetry}>
          {words.again}
        </button>
        {isAnswered && (
          <button type="button" className="btn btn--primary" onClick={() => location.reload()}>
            {words.reload}
          </button>
        )}
      </div>
    </div>
  );
}
