import type { Terminal } from '@xterm/xterm';

const ERASE = '\u007f';

/**
 * What types `after` where `before` was typed: what differs is erased, and written anew. No more is erased than the input method took up
 * again, `retaken`: who else empties the field, as a paste does, has erased nothing that the program has.
 */
export function typedInstead(before: string, after: string, retaken = ''): string {
  const [old, now] = [[...before], [...after]];
  const other = old.findIndex((character, at) => character !== now[at]);
  const erased = other < 0 ? 0 : old.length - other;
  if (erased > [...retaken].length) return now.slice(old.length).join('');
  return ERASE.repeat(erased) + now.slice(old.length - erased).join('');
}

/**
 * Types what an input method has composed in the moment in which it has. xterm.js waits for a timer first, and timers come late where much
 * is drawn: a key that is pressed sooner, or a terminal that is left, would cost the word. Showing what is being composed stays xterm.js's
 * own.
 */
export function takeCompositions(host: HTMLElement, terminal: Terminal, signal: AbortSignal): void {
  const helper = compositionHelper(terminal);
  const { textarea } = terminal;
  if (helper === undefined || textarea === undefined) return;
  let [before, retaken] = ['', ''];
  const flush = () => {
    const text = typedInstead(before, textarea.value, retaken);
    before = textarea.value;
    if (text !== '') terminal.input(text, true);
  };
  helper._finalizeComposition = (isAtEnd) => {
    helper._compositionView.classList.remove('active');
    helper._isComposing = false;
    helper._isSendingComposition = false;
    if (!isAtEnd) flush(); // a key of its own, which comes behind the word
  };
  const options = { capture: true, signal };
  host.addEventListener('compositionstart', ({ data }) => ([before, retaken] = [textarea.value, data]), options);
  host.addEventListener('compositionend', flush, options);
}

interface CompositionHelper {
  readonly _compositionView: HTMLElement;
  _isComposing: boolean;
  _isSendingComposition: boolean;
  _finalizeComposition(isAtEnd: boolean): void;
}

/** What xterm.js lets nobody replace. Where another version has it elsewhere, composed words are typed as that version does it. */
function compositionHelper(terminal: Terminal): CompositionHelper | undefined {
  const { _core: core } = terminal as unknown as { _core?: { _compositionHelper?: CompositionHelper } };
  const helper = core?._compositionHelper;
  return typeof helper?._finalizeComposition === 'function' && helper._compositionView !== undefined ? helper : undefined;
}
