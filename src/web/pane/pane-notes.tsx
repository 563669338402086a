import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import type { FileSending } from './file-sending.js';
import { SendingNotes } from './sending-note.js';
import type { useClipboardLeave } from './use-clipboard-leave.js';

interface PaneNotesProps {
  readonly clipboard: ReturnType<typeof useClipboardLeave>;
  readonly files: FileSending;
}

/** What asks for the user's word or his patience, over the first lines: the terminal does not change its size for it. */
export function PaneNotes({ clipboard: { wanted, isAllowed, allow, refuse }, files }: PaneNotesProps) {
  const { clipboard } = text.pane;
  const isSending = useStore(files).length > 0;
  if (wanted === undefined && !isSending) return null;
  return (
    <div className="notes">
      <SendingNotes files={files} />
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
