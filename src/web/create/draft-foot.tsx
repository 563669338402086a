import { IS_APPLE } from '../keys/chords.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { FieldNote } from './draft-field.js';

interface DraftFootProps {
  readonly problem: string | undefined;
  readonly note: string | undefined;
  readonly busy: boolean;
  readonly blocked: boolean;
  /** Nothing of the repository's own runs. */
  readonly skips: boolean;
  /** Trusts what the repository wants to run, and starts; where there is nothing to trust, there is no such choice. */
  readonly onTrust: (() => void) | undefined;
  readonly onCancel: () => void;
}

export function DraftFoot({ problem, note, busy, blocked, skips, onTrust, onCancel }: DraftFootProps) {
  const label = skips ? text.create.startWithoutSetup : text.create.start;
  return (
    <div className="dialog__foot">
      <div className="grow">
        <FieldNote problem={problem} hint={note === undefined ? undefined : <span className="clip desk-only">{visibleText(note)}</span>} />
      </div>
      <button type="button" className="btn btn--lg btn--ghost" onClick={onCancel}>
        {text.create.cancel}
      </button>
      {onTrust !== undefined && (
        <button type="button" className="btn btn--lg" disabled={busy || blocked} onClick={onTrust}>
          {text.create.trustAndStart}
        </button>
      )}
      <button type="submit" className="btn btn--lg btn--primary" disabled={busy || blocked}>
        {busy ? text.create.starting : label}
        <kbd className="kbd">{IS_APPLE ? '⌘↵' : 'Ctrl ↵'}</kbd>
      </button>
    </div>
  );
}
