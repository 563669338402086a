import type { Terminal } from '@xterm/xterm';

/** The longest text that a program may put on the clipboard, in characters of its encoding. */
const LIMIT = 4 * 1024 * 1024;

/** The text of `selection;base64` (xterm, OSC 52). Undefined for a question, and for what is no text. */
export function clipboardText(data: string): string | undefined {
  const encoded = data.slice(data.indexOf(';') + 1);
  if (!data.includes(';') || encoded === '' || encoded === '?' || encoded.length > LIMIT) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Tells what programs want to put on the clipboard. Nothing is put there by itself, and no question about it is answered. */
export function watchClipboardWrites({ parser }: Pick<Terminal, 'parser'>, listener: (text: string) => void): void {
  parser.registerOscHandler(52, (data) => {
    const text = clipboardText(data);
    if (text !== undefined) listener(text);
    return true;
  });
}
