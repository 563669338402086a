import { Dialog } from '../parts/dialog.js';
import { visibleText } from '../parts/visible-text.js';
import { linesOf } from '../terminal/paste.js';
import { text } from '../text/text.js';

/** Lines that are shown of what is to be pasted. */
const SHOWN = 12;

interface PasteDialogProps {
  readonly pasted: string;
  readonly onAnswer: (how: 'lines' | 'one_line' | undefined) => void;
}

/** Asks before many lines are typed into a program that would take each of them as a command. */
export function PasteDialog({ pasted, onAnswer }: PasteDialogProps) {
  const words = text.pane.paste;
  const lines = linesOf(pasted);
  return (
    <Dialog alert title={words.title(lines.length)} lead={words.lead} onClose={() => onAnswer(undefined)}>
      <div className="dialog__body">
        <section
          className="pasted"
          aria-label={words.preview}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its box is scrolled by keys, too.
          tabIndex={0}
        >
          <pre>
            {lines.slice(0, SHOWN).map(visibleText).join('\n')}
            {lines.length > SHOWN && `\n${words.more(lines.length - SHOWN)}`}
          </pre>
        </section>
      </div>
      <div className="dialog__foot">
        <button type="button" className="btn btn--lg" onClick={() => onAnswer('one_line')}>
          {words.oneLine}
        </button>
        <button type="button" className="btn btn--lg" onClick={() => onAnswer('lines')}>
          {words.lines(lines.length)}
        </button>
        <button type="button" className="btn btn--lg btn--primary" data-autofocus onClick={() => onAnswer(undefined)}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  );
}
