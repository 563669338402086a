import { Glyph } from '../parts/glyph.js';
import type { SessionView } from '../session/session-state.js';
import { stateLabel } from '../session/session-state.js';
import { tally } from '../session/tally.js';
import { text } from '../text/text.js';
import type { SessionFilter } from './match-session.js';

interface StateTallyProps {
  readonly className?: string;
  readonly views: readonly SessionView[];
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
}

/** How many sessions are in which state; each count filters the list. */
export function StateTally({ views, filter, onFilter, className = '' }: StateTallyProps) {
  return (
    <div className={`tally ${className}`} role="toolbar" aria-label={text.sidebar.filter}>
      {tally(views, filter.state).map(({ state, count }) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === filter.state}
          aria-label={text.sidebar.stateCount(stateLabel(state), count)}
          title={stateLabel(state)}
          onClick={() => onFilter({ ...filter, state: state === filter.state ? undefined : state })}
        >
          <Glyph state={state} decorative />
          {count}
        </button>
      ))}
    </div>
  );
}
