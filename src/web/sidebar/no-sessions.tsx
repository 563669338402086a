import { text } from '../text/text.js';

export function NoSessions() {
  return (
    <div className="side__list">
      <div className="side__none">
        <span className="fg2 medium">{text.sidebar.none.title}</span>
        <span className="small fg3">{text.sidebar.none.detail}</span>
      </div>
    </div>
  );
}

export function NothingFound({ query, onClear }: { query: string; onClear: () => void }) {
  return (
    <div className="side__list">
      <div className="side__none" role="status">
        <span className="fg2 medium">{text.sidebar.nothing.title}</span>
        <span className="small fg3">{query.trim() === '' ? text.sidebar.nothing.inState : text.sidebar.nothing.withWords}</span>
        <button type="button" className="btn btn--sm side__clear" onClick={onClear}>
          {text.sidebar.clear}
        </button>
      </div>
    </div>
  );
}

const ROWS = [0, 1, 2, 3, 4, 5];

/** The shape of the list while nothing is known yet. */
export function ListSkeleton() {
  return (
    <div className="side__list skeleton" role="status" aria-label={text.sidebar.loading}>
      {ROWS.map((row) => (
        <div key={row} className="row" aria-hidden="true">
          <span className="sk sk--glyph" />
          <span className="sk sk--name" />
          <span className="sk sk--time" />
        </div>
      ))}
    </div>
  );
}
