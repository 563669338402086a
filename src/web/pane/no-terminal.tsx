import { useEffect, useRef } from 'react';
import { useFeed } from '../app/use-sessions.js';
import { text } from '../text/text.js';

/**
 * The code of terminals did not come. Either nobody answers, and it is tried again as soon as somebody does; or an update of Maestro
 * replaced the files that this page came with.
 */
export function NoTerminal({ onRetry }: { onRetry: () => void }) {
  const isAnswered = useFeed().state === 'live';
  const wasAnswered = useRef(isAnswered);
  const words = text.pane.notLoaded;
  useEffect(() => {
    if (isAnswered && !wasAnswered.current) onRetry();
    wasAnswered.current = isAnswered;
  }, [isAnswered, onRetry]);
  return (
    <div className="changes__problem" role="alert">
      <h2 className="strong">{words.title}</h2>
      <p className="fg2">{isAnswered ? words.replaced : words.unanswered}</p>
      <div className="changes__acts">
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
