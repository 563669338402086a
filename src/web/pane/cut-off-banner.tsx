import type { PtyState } from '../../client/index.js';
import { Countdown } from '../parts/age.js';
import { Icon } from '../parts/icon.js';
import { formatClock } from '../session/age.js';

/** A terminal that is not connected. */
export type NotLive = Exclude<PtyState, { kind: 'live' }>;

interface CutOffBannerProps {
  readonly state: NotLive;
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
          <BannerTitle state={state} />
        </div>
        <div className="small fg2">
          {'reason' in state ? state.reason : 'The program goes on.'}{' '}
          <span key={refused} className={refused > 0 ? 'banner__refused' : undefined}>
            Keys are not sent and not kept.
          </span>
        </div>
      </div>
      {state.kind === 'cut_off' && (
        <button type="button" className="btn" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  );
}

function BannerTitle({ state }: { state: NotLive }) {
  if (state.kind === 'connecting') return 'Connecting…';
  if (state.kind === 'over') return 'Waiting for the program to start again…';
  return (
    <>
      Cut off since {formatClock(state.since)}.{' '}
      {state.retryAt === undefined ? (
        'Trying again…'
      ) : (
        <span aria-live="off">
          Trying again in <Countdown at={state.retryAt} />.
        </span>
      )}
    </>
  );
}
