import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import type { useClipboardLeave } from './use-clipboard-leave.js';

interface PaneNotesProps {
  readonly clipboard: ReturnType<typeof useClipboardLeave>;
  /** The file that is being sent. */
  readonly sending: string | undefined;
}

/** What asks for the user's word or his patience, over the first lines: the terminal does not change its size for it. */
export function PaneNotes({ clipboard: { wanted, isAllowed, allow, refuse }, sending }: PaneNotesProps) {
  const { clipboard, files } = text.pane;
  if (wanted === undefined && sending === undefined) return null;
  return (
    <div className="notes">
      {sending !== undefined && (
        <p className="note" role="status">
          <Icon name="up" />
          <span className="grow clip">{files.sending(visibleText(sending))}</span>
        </p>
      )}
      {wanted !== undefined && (
        <div className="note" role="status">
          <Icon name="copy" />
          <span className="grow">{isAllowed ? clipboard.press : clipboard.asks}</span>
          <button type="button" className="btn btn--sm" title={visibleText(wanted.slice(0, 200))} onClick={allow}>
            {isAllowed ? text.parts.copy : clipboard.allow}
          </button>
          <button type="button" className="btn btn--ghost btn--icon" aria-label={clipboard.refuse} onClick={refuse}>
            <Icon name="x" small />
          </button>
        </div>
      )}
    </div>
  );
}
