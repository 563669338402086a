import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { sessionName } from '../session/session-name.js';
import { compareViews } from '../session/session-order.js';
import { endedWell, type SessionView } from '../session/session-state.js';
import { matchesQuery } from '../sidebar/match-session.js';
import { text } from '../text/text.js';

interface PaneChooserProps {
  readonly views: readonly SessionView[];
  /** The pane had a session, which was killed. */
  readonly gone: boolean;
  readonly active: boolean;
  /** Sessions that other panes show. */
  readonly taken: readonly string[];
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

/** A pane without a session: the user chooses one. Arrows go through them, Enter takes the first or the chosen one. */
export function PaneChooser({ views, gone, active, taken, onChoose, onClose }: PaneChooserProps) {
  const [query, setQuery] = useState('');
  const frame = useRef<HTMLElement>(null);
  const words = text.views.choose;
  const found = views.filter((view) => !taken.includes(view.session.id) && matchesQuery(view, query.trim())).sort(compareViews);
  useEffect(() => {
    if (active) frame.current?.querySelector('input')?.focus();
  }, [active]);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && found[0] !== undefined) onChoose(found[0].session.id);
    else if (event.key === 'ArrowDown') step(event.currentTarget, 1);
    else if (event.key === 'ArrowUp') step(event.currentTarget, -1);
    else return;
    event.preventDefault();
  };
  return (
    <section ref={frame} className="pane__content chooser" aria-label={text.views.empty} onKeyDown={press}>
      <header className="pane__head">
        <h2 className="pane__title clip">{words.title}</h2>
        <span className="grow" />
        <button type="button" className="btn btn--ghost btn--sm btn--icon" aria-label={text.views.closeEmpty} onClick={onClose}>
          <Icon name="x" small />
        </button>
      </header>
      <div className="chooser__body">
        <p className="hint" role="status">
          {gone && `${words.gone} `}
          {words.detail}
        </p>
        <label className="jump">
          <Icon name="search" small />
          <input
            type="search"
            aria-label={words.label}
            placeholder={words.label}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
        <ul className="chooser__list">
          {found.map((view) => (
            <li key={view.session.id}>
              <Choice view={view} onChoose={onChoose} />
            </li>
          ))}
        </ul>
        {found.length === 0 && <p className="hint">{words.none}</p>}
      </div>
    </section>
  );
}

function Choice({ view, onChoose }: { view: SessionView; onChoose: (id: string) => void }) {
  const { session, state, seen, project } = view;
  return (
    <button type="button" className="row" onClick={() => onChoose(session.id)}>
      <Glyph state={state} quiet={seen || endedWell(session)} />
      <span className="row__main">
        <span className="row__name clip">{sessionName(session)}</span>
        <span className="row__note clip">{project.name}</span>
      </span>
    </button>
  );
}

/** Through the field and the sessions under it. */
function step(frame: HTMLElement, by: 1 | -1): void {
  const stops = [...frame.querySelectorAll<HTMLElement>('input, .row')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus();
}
