import { type KeyboardEvent, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import { isModifierKey, type Leader, leaderChord } from './chords.js';
import { isRefusal, type KeyBindings, type KeyRefusal, keyLabel, rebound, restored, unbound } from './key-bindings.js';
import { defaultKey, type PageAction } from './page-actions.js';

type RowState = { readonly listens: boolean; readonly refusal?: KeyRefusal };

const AT_REST: RowState = { listens: false };

/** An action, and the button that changes its key: pressed, it takes the next key. One that was changed can be reset by itself. */
export function KeyRow({ action, leader }: { action: PageAction; leader: Leader }) {
  const { keys } = usePageParts().preferences;
  const [{ listens, refusal }, setState] = useState<RowState>(AT_REST);
  const words = text.keys;
  const chord = leaderChord(action, leader);
  const name = words.actions[action];
  const isChanged = keys.value[action] !== undefined;
  const take = (answer: KeyBindings | KeyRefusal, listens: boolean) => {
    if (isRefusal(answer)) return setState({ listens, refusal: answer });
    keys.set(answer);
    setState(AT_REST);
  };
  const press = (event: KeyboardEvent) => {
    if (!listens || event.nativeEvent.isComposing || isModifierKey(event) || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') setState(AT_REST);
    else if (event.key === 'Backspace' || event.key === 'Delete') {
      keys.set(unbound(keys.value, action));
      setState(AT_REST);
    } else take(rebound(keys.value, action, event.metaKey || (event.ctrlKey && !event.altKey) ? '' : event.key), true);
  };
  return (
    <li className="keyrow">
      <span className="grow">{name}</span>
      {refusal !== undefined && (
        <span className="hint hint--error keyrow__refusal" role="alert">
          {refusalText(refusal)}
        </span>
      )}
      {isChanged && <ResetKey action={action} onReset={() => take(restored(keys.value, action), false)} />}
      <button
        type="button"
        className={`btn btn--sm keyrow__key${listens ? ' is-listening' : ''}`}
        aria-label={listens ? words.pressFor(name) : words.change(name, chord)}
        title={listens ? words.pressHint : undefined}
        onClick={() => setState({ listens: true })}
        onKeyDown={press}
        onBlur={() => setState(AT_REST)}
      >
        {listens ? words.press : chord === undefined ? <span className="fg3">{words.none}</span> : <kbd className="kbd">{chord}</kbd>}
      </button>
    </li>
  );
}

function ResetKey({ action, onReset }: { action: PageAction; onReset: () => void }) {
  const words = text.keys;
  const usual = defaultKey(action);
  const label = words.resetOne(words.actions[action], usual && keyLabel(usual));
  return (
    <button type="button" className="btn btn--sm keyrow__reset" aria-label={label} title={label} onClick={onReset}>
      <Icon name="restart" small />
    </button>
  );
}

function refusalText(refusal: KeyRefusal): string {
  const { refused, actions } = text.keys;
  return refusal.why === 'taken' ? refused.taken(keyLabel(refusal.key), actions[refusal.by]) : refused[refusal.why];
}
