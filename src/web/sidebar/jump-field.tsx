import { type KeyboardEvent, useRef } from 'react';
import { type Leader, leaderChord } from '../keys/chords.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import type { SessionFilter } from './match-session.js';

interface JumpFieldProps {
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
  /** Enter: to the first session that is left. */
  readonly onGo: () => void;
}

/** Narrows the list to what is typed. */
export function JumpField({ filter, onFilter, leader, commands, onGo }: JumpFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const chord = leaderChord('jump', leader);
  const search = (query: string) => onFilter({ ...filter, query });
  useCommands(commands, { jump: () => field.current?.focus() });
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onGo();
    else if (event.key === 'Escape') {
      search('');
      field.current?.blur();
    }
  };
  return (
    <label className="jump">
      <Icon name="search" small />
      <input
        ref={field}
        type="search"
        placeholder={text.sidebar.jump}
        aria-label={text.sidebar.jumpLabel}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        value={filter.query}
        onChange={(event) => search(event.target.value)}
        onKeyDown={press}
      />
      {chord !== undefined && <span className="kbd desk-only">{chord}</span>}
    </label>
  );
}
