import { Glyph } from '../parts/glyph.js';
import type { SessionView } from '../session/session-state.js';
import { stateLabel } from '../session/session-state.js';
import { type TalliedState, tally } from '../session/tally.js';
import { text } from '../text/text.js';

interface StateTallyProps {
  readonly className?: string;
  readonly views: readonly SessionView[];
  readonly chosen: TalliedState | undefined;
  readonly onChoose: (state: TalliedState | undefined) => void;
}

/** How many sessions are in which state; each count filters the list. */
export function StateTally({ views, chosen, onChoose, className = '' }: StateTallyProps) {
  return (
    <div className={`tally ${className}`} role="toolbar" aria-label={text.sidebar.filter}>
      {tally(views, chosen).map(({ state, count }) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === chosen}
          aria-label={text.sidebar.stateCount(stateLabel(state), count)}
          title={stateLabel(state)}
          onClick={() => onChoose(state === chosen ? undefined : state)}
        >
          <Glyph state={state} decorative />
          {count}
        </button>
      ))}
    </div>
  );
}
