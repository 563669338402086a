import type { Terminal } from '@xterm/xterm';

/** What a keydown says that an input method has taken: which key it was tells nobody. */
const TAKEN_KEY = 229;

/** Input that the composition has told already, or will. */
const COMPOSED = new Set(['insertCompositionText', 'insertFromComposition', 'deleteCompositionText', 'deleteByComposition']);

const DELETIONS: Readonly<Record<string, string>> = {
  deleteContentBackward: '\u007f',
  deleteWordBackward: '\u0017',
  deleteSoftLineBackward: '\u0015',
  deleteHardLineBackward: '\u0015',
  deleteContentForward: '\u001b[3~',
  insertLineBreak: '\r',
  insertParagraph: '\r',
};

/**
 * Takes the text of keyboards on the screen and of input methods from what the browser puts in, not from keys. xterm.js compares the
 * hidden field's text before and after such a key instead, and loses or doubles characters when keys come faster than that or when the
 * keyboard mends a word. What is being composed is not its own: see {@link takeCompositions}.
 */
export function takeSoftKeys(host: HTMLElement, terminal: Pick<Terminal, 'input'>, signal: AbortSignal): void {
  const options = { capture: true, signal };
  let isSoft = false;
  let isComposing = false;
  host.addEventListener(
    'keydown',
    (event) => {
      isSoft = event.keyCode === TAKEN_KEY;
      if (isSoft) event.stopImmediatePropagation();
    },
    options,
  );
  host.addEventListener('compositionstart', () => (isComposing = true), options);
  host.addEventListener('compositionend', () => (isComposing = false), options);
  host.addEventListener(
    'input',
    (event) => {
      if (!(event instanceof InputEvent) || !isSoft || isComposing || event.isComposing) return;
      if (COMPOSED.has(event.inputType)) return;
      event.stopImmediatePropagation();
      const text = DELETIONS[event.inputType] ?? event.data ?? '';
      if (text !== '') terminal.input(text, true);
    },
    options,
  );
}
