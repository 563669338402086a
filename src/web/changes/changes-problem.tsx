import { MaestroError } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { text } from '../text/text.js';
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
    <div className="problem" role="alert">
      <h2 className="strong">{isNoRepository ? text.changes.nothingToCompare : text.changes.unshowable}</h2>
      <p className="fg2">
        <PlainText text={errorText(error)} />
      </p>
      <div className="problem__acts">
        <button type="button" className="btn btn--primary" onClick={onLeave}>
          {text.changes.backToTerminal}
        </button>
        <button type="button" className="btn" onClick={onRetry}>
          {text.changes.tryAgain}
        </button>
      </div>
    </div>
  );
}
