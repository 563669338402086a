import type { PtyState } from '../../client/index.js';
import { Countdown } from '../parts/age.js';
import { Icon } from '../parts/icon.js';
import { formatClock } from '../session/age.js';

interface CutOffBannerProps {
  readonly state: Extract<PtyState, { kind: 'cut_off' }>;
  /** Grows with each key that was pressed in vain. */
  readonly refused: number;
  readonly onRetry: () => void;
}

/** The pane shows what it last knew, and takes no keys. */
export function CutOffBanner({ state, refused, onRetry }: CutOffBannerProps) {
  return (
    <div className="banner banner--off" role="status">
      <Icon name="plug" />
      <div className="grow">
        <div className="banner__title">
          Cut off since {formatClock(state.since)}.{' '}
          {state.retryAt === undefined ? (
            'Trying again…'
          ) : (
            <span aria-live="off">
              Trying again in <Countdown at={state.retryAt} />.
            </span>
          )}
        </div>
        <div className="small fg2">
          {state.reason ?? 'The program goes on.'}{' '}
          <span key={refused} className={refused > 0 ? 'banner__refused' : undefined}>
            Keys are not sent and not kept.
          </span>
        </div>
      </div>
      <button type="button" className="btn" onClick={onRetry}>
        Try now
      </button>
    </div>
  );
}
