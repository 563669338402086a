import { type KeyboardEvent, useEffect, useState } from 'react';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import type { SearchResult, TerminalSearch } from './terminal-search.js';

/** Finds text in a terminal, the newest match first. Enter goes to older ones, Shift+Enter to newer ones, Escape closes. */
export function FindBar({ search, onClose }: { search: TerminalSearch; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [result, setResult] = useState<SearchResult>();
  useEffect(() => search.onResult(setResult), [search]);
  useEffect(() => () => search.clear(), [search]);
  const change = (value: string) => {
    setTyped(value);
    if (value === '') search.clear();
    else search.find(value, { back: true, incremental: true });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && typed !== '') search.find(typed, { back: !event.shiftKey });
    else return;
    event.preventDefault();
  };
  return (
    <search className="find">
      <Icon name="search" small quiet />
      <input
        // biome-ignore lint/a11y/noAutofocus: the bar opens because the user asked to type into it.
        autoFocus
        aria-label={text.terminal.find.title}
        spellCheck={false}
        value={typed}
        onChange={(event) => change(event.target.value)}
        onKeyDown={press}
      />
      <output className="find__count">{countText(typed, result)}</output>
      <button
        type="button"
        className="btn btn--ghost btn--icon"
        aria-label={text.terminal.find.older}
        onClick={() => search.find(typed, { back: true })}
        disabled={typed === ''}
      >
        <Icon name="up" small />
      </button>
      <button
        type="button"
        className="btn btn--ghost btn--icon"
        aria-label={text.terminal.find.newer}
        onClick={() => search.find(typed)}
        disabled={typed === ''}
      >
        <Icon name="down" small />
      </button>
      <button type="button" className="btn btn--ghost btn--icon" aria-label={text.parts.close} onClick={onClose}>
        <Icon name="x" small />
      </button>
    </search>
  );
}

function countText(typed: string, result: SearchResult | undefined): string {
  if (typed === '' || result === undefined) return '';
  if (result.count === 0) return text.terminal.find.none;
  const count = `${result.count}${result.more ? '+' : ''}`;
  return text.terminal.find.count(result.at, count);
}
