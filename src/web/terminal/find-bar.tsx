import { type KeyboardEvent, useEffect, useState } from 'react';
import { Icon } from '../parts/icon.js';
import type { SearchResult, TerminalSearch } from './terminal-search.js';

/** Finds text in a terminal, the newest match first. Enter goes to older ones, Shift+Enter to newer ones, Escape closes. */
export function FindBar({ search, onClose }: { search: TerminalSearch; onClose: () => void }) {
  const [text, setText] = useState('');
  const [result, setResult] = useState<SearchResult>();
  useEffect(() => search.onResult(setResult), [search]);
  useEffect(() => () => search.clear(), [search]);
  const change = (value: string) => {
    setText(value);
    if (value === '') search.clear();
    else search.find(value, { back: true, incremental: true });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && text !== '') search.find(text, { back: !event.shiftKey });
    else return;
    event.preventDefault();
  };
  return (
    <search className="find">
      <Icon name="search" small quiet />
      <input
        // biome-ignore lint/a11y/noAutofocus: the bar opens because the user asked to type into it.
        autoFocus
        aria-label="Find in the terminal"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={press}
      />
      <output className="find__count">{countText(text, result)}</output>
      <button
        type="button"
        className="btn btn--ghost btn--icon"
        aria-label="Older match"
        onClick={() => search.find(text, { back: true })}
        disabled={text === ''}
      >
        <Icon name="up" small />
      </button>
      <button
        type="button"
        className="btn btn--ghost btn--icon"
        aria-label="Newer match"
        onClick={() => search.find(text)}
        disabled={text === ''}
      >
        <Icon name="down" small />
      </button>
      <button type="button" className="btn btn--ghost btn--icon" aria-label="Close" onClick={onClose}>
        <Icon name="x" small />
      </button>
    </search>
  );
}

function countText(text: string, result: SearchResult | undefined): string {
  if (text === '' || result === undefined) return '';
  if (result.count === 0) return 'None';
  const count = `${result.count}${result.more ? '+' : ''}`;
  return result.at === 0 ? count : `${result.at} of ${count}`;
}
