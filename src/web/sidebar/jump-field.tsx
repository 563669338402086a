import type { KeyboardEvent, RefObject } from 'react';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';

interface JumpFieldProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly chord: string | undefined;
  readonly onChange: (value: string) => void;
  /** Enter: to the first session that is left. */
  readonly onGo: () => void;
}

/** Narrows the list to what is typed. */
export function JumpField({ field, value, chord, onChange, onGo }: JumpFieldProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onGo();
    else if (event.key === 'Escape') {
      onChange('');
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
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
      />
      {chord !== undefined && <span className="kbd desk-only">{chord}</span>}
    </label>
  );
}
