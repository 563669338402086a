import type { PtyState } from '../../client/index.js';
import { Countdown } from '../parts/age.js';
import { Icon } from '../parts/icon.js';
import { formatClock } from '../session/age.js';
import { mayReturn } from '../terminal/live-terminal.js';
import { text } from '../text/text.js';

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
          {'reason' in state ? state.reason : text.pane.cutOff.programGoesOn}{' '}
          <span key={refused} className={refused > 0 ? 'banner__refused' : undefined}>
            {text.pane.cutOff.keys}
          </span>
        </div>
      </div>
      {(state.kind === 'cut_off' || isForGood(state)) && (
        <button type="button" className="btn" onClick={onRetry}>
          {text.pane.cutOff.tryNow}
        </button>
      )}
    </div>
  );
}

function isForGood(state: NotLive): boolean {
  return state.kind === 'over' && !mayReturn(state.close.code);
}

function BannerTitle({ state }: { state: NotLive }) {
  if (state.kind === 'connecting') return text.pane.connecting;
  if (state.kind === 'over') return isForGood(state) ? text.pane.unshowable : text.pane.waitingForProgram;
  const { since, trying, tryingIn } = text.pane.cutOff;
  const next = state.retryAt === undefined ? trying : <span aria-live="off">{tryingIn(<Countdown at={state.retryAt} />)}</span>;
  return since(formatClock(state.since), next);
}
