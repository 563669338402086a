import { MaestroError } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { PlainText } from './plain-text.js';

interface ChangesProblemProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onLeave: () => void;
}

/** Why there is nothing to compare, such as that the directory is in no repository. */
export function ChangesProblem({ error, onRetry, onLeave }: ChangesProblemProps) {
  const isNoRepository = error instanceof MaestroError && error.code === 'invalid_request';
  return (
    <div className="changes__problem" role="alert">
      <h2 className="strong">{isNoRepository ? 'Nothing to compare' : 'The changes cannot be shown'}</h2>
      <p className="fg2">
        <PlainText text={errorText(error)} />
      </p>
      <div className="changes__acts">
        <button type="button" className="btn btn--primary" onClick={onLeave}>
          Back to the terminal
        </button>
        <button type="button" className="btn" onClick={onRetry}>
          Try again
        </button>
      </div>
    </div>
  );
}
