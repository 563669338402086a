export function NoSessions() {
  return (
    <div className="side__list">
      <div className="side__none">
        <span className="fg2 medium">No sessions yet</span>
        <span className="small fg3">They appear here by project. The ones that wait for you come first.</span>
      </div>
    </div>
  );
}

export function NothingFound({ query }: { query: string }) {
  return (
    <div className="side__list">
      <div className="side__none" role="status">
        <span className="fg2 medium">Nothing found</span>
        <span className="small fg3">
          {query.trim() === '' ? 'No session is in this state.' : 'No name, directory, command or message has these words.'}
        </span>
      </div>
    </div>
  );
}

const ROWS = [0, 1, 2, 3, 4, 5];

/** The shape of the list while nothing is known yet. */
export function ListSkeleton() {
  return (
    <div className="side__list skeleton" role="status" aria-label="Loading sessions">
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
