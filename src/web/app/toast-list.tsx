import { CommandLine } from '../parts/command-line.js';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { useConnection } from './parts-context.js';

export function ToastList() {
  const { toasts } = useConnection();
  return (
    <div className="toasts" role="log" aria-live="polite">
      {useStore(toasts).map(({ key, text: note, isError, command }) => (
        <div key={key} className={`toast${command === undefined ? '' : ' toast--command'}`}>
          <span className={`toast__text${isError ? ' c-dead' : ''}`}>{note}</span>
          <button type="button" className="btn btn--ghost btn--icon" aria-label={text.parts.dismiss} onClick={() => toasts.dismiss(key)}>
            <Icon name="x" small />
          </button>
          {command !== undefined && <CommandLine command={command} />}
        </div>
      ))}
    </div>
  );
}
