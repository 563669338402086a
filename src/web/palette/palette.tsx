import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CreateWish } from '../app/opened-dialog.js';
import { IS_APPLE, type Leader } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { useModal } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import { LatePaletteList } from './late-palette-list.js';
import { PaletteFoot } from './palette-foot.js';
import type { ListState, PaletteKeys } from './palette-state.js';

interface PaletteProps {
  readonly views: readonly SessionView[];
  readonly current: SessionView | undefined;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
  readonly onCreate: (wish: CreateWish) => void;
  readonly onClose: () => void;
}

/**
 * Everything by a few letters. The field is there at once and takes what is typed, also while the code of the list is still fetched, so
 * that no key goes to the terminal.
 */
export function Palette({ onClose, ...sources }: PaletteProps) {
  const [query, setQuery] = useState('');
  const [subjectId, setSubjectId] = useState<string>();
  const [{ active, count }, setList] = useState<ListState>({ active: undefined, count: 0 });
  const dialog = useRef<HTMLDialogElement>(null);
  const keys = useRef<PaletteKeys>(undefined);
  const listId = useId();
  useModal(dialog);
  const subject = sources.views.find(({ session }) => session.id === subjectId);
  const narrow = (id: string | undefined) => {
    setSubjectId(id);
    setQuery('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isAgain = event.key.toLowerCase() === 'k' && (IS_APPLE ? event.metaKey : event.ctrlKey);
    if (isAgain) onClose();
    else if (event.key === 'Backspace' && query === '' && subject !== undefined) narrow(undefined);
    else if (keys.current?.(event) !== true) return;
    event.preventDefault();
  };
  /** The focus is back where it was when something is done, which may want to put it elsewhere. */
  const leave = (done: () => void) => {
    flushSync(onClose);
    done();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes every dialog.
    <dialog
      ref={dialog}
      className="dialog finder"
      aria-label={text.palette.title}
      onCancel={(event) => {
        event.preventDefault();
        if (subject === undefined) onClose();
        else narrow(undefined);
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="finder__field">
        <Icon name="search" quiet />
        {subject !== undefined && <span className="finder__subject clip">{sessionName(subject.session)}</span>}
        <input
          role="combobox"
          aria-label={subject === undefined ? text.palette.title : text.palette.actionsOf(sessionName(subject.session))}
          aria-expanded={count > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active}
          placeholder={subject === undefined ? text.palette.placeholder : text.palette.actions}
          data-autofocus
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={press}
        />
        <button type="button" className="finder__close" tabIndex={-1} onClick={onClose}>
          <span className="sr">{text.parts.close}</span>
          <span className="kbd desk-only" aria-hidden="true">
            {text.palette.escape}
          </span>
          <span className="phone-only">
            <Icon name="x" />
          </span>
        </button>
      </div>
      <LatePaletteList {...sources} {...{ query, subject, keys }} id={listId} onSubject={narrow} onState={setList} onLeave={leave} />
      <span className="sr" role="status">
        {text.palette.found(count)}
      </span>
      <PaletteFoot />
    </dialog>
  );
}
