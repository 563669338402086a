import { extendedKey, type HeldModifiers, MaestroError } from '../../protocol/index.js';
import type { TerminalModes } from '../bridge/terminal-modes.js';

/** Who reads the keys. */
export interface KeyReader {
  readonly modes: Pick<TerminalModes, 'alternate' | 'keyboard' | 'modifyOtherKeys'>;
  /** All agents that are known take a line feed for a new line of the prompt. */
  readonly isAgent: boolean;
}

/** Keys that old terminals send one byte for, with its code. */
const BYTES: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, Space: 32, BSpace: 127 };

/** Keys that tmux knows sequences for, whatever is held with them and whichever mode they are in. */
const SEQUENCES = /^(?:Up|Down|Left|Right|Home|End|PageUp|PageDown|IC|DC|F\d+)$/;

/** What Ctrl makes of characters that are no letters, as xterm has it, in tmux's names. */
const CONTROLS: Readonly<Record<string, string>> = {
  ...{ '@': 'C-Space', '2': 'C-Space', '[': 'Escape', '3': 'Escape', '\\': 'C-\\', '4': 'C-\\', ']': 'C-]', '5': 'C-]' },
  ...{ '^': 'C-^', '6': 'C-^', _: 'C-_', '-': 'C-_', '/': 'C-_', '7': 'C-_', '?': 'BSpace', '8': 'BSpace' },
};

/**
 * Keys as tmux can type them. What it has no byte for it drops, such as Ctrl+Tab, or types out, letter by letter, such as `S-Enter`: so
 * these become what a terminal sends for them, as the page does it. A program that asks for more than old terminals tell gets that.
 *
 * Throws `invalid_request` for a key that no terminal could send to this program.
 */
export function typedKeys(keys: readonly string[], reader: KeyReader): string[] {
  return keys.flatMap((key) => typedKey(key, reader));
}

function typedKey(key: string, reader: KeyReader): readonly string[] {
  const [, prefix = '', base = ''] = /^((?:[CMS]-)*)(.+)$/.exec(key) ?? [];
  const held = { ctrl: prefix.includes('C'), alt: prefix.includes('M'), shift: prefix.includes('S') };
  if (SEQUENCES.test(base)) return [key];
  if (base === 'BTab') return byteKey('Tab', { ...held, shift: true }, reader);
  if (base in BYTES) return byteKey(base, held, reader);
  return held.ctrl ? controlKey(key, { base, held }, reader) : [`${held.alt ? 'M-' : ''}${held.shift ? base.toUpperCase() : base}`];
}

function byteKey(base: string, held: HeldModifiers, reader: KeyReader): readonly string[] {
  const meta = held.alt ? 'M-' : '';
  if (base === 'Space') return [`${held.ctrl ? 'C-' : ''}${meta}Space`];
  if (base === 'Tab' && held.shift && !held.ctrl) return [`${meta}BTab`];
  if (!held.ctrl && !held.shift) return [`${meta}${base}`];
  const asked = askedFor(BYTES[base] ?? 0, held, reader);
  if (asked !== undefined) return asked;
  if (base === 'BSpace' && held.ctrl) return [`C-${meta}h`];
  return base === 'Enter' && reader.isAgent && !held.ctrl && !held.alt ? ['C-j'] : [`${meta}${base}`];
}

function controlKey(
  key: string,
  { base, held }: { readonly base: string; readonly held: HeldModifiers },
  reader: KeyReader,
): readonly string[] {
  const meta = held.alt ? 'M-' : '';
  const isLetter = /[A-Za-z]/.test(base);
  const control = isLetter ? `C-${base.toLowerCase()}` : CONTROLS[base];
  const asked = control === undefined || held.shift ? askedFor(base.toLowerCase().charCodeAt(0), held, reader) : undefined;
  if (asked !== undefined) return asked;
  if (control !== undefined) return [`${meta}${control}`];
  const text = `${key} cannot be typed: terminals have nothing to send for it unless the program asks, and this one has not; give another key`;
  throw new MaestroError('invalid_request', text, { details: { key } });
}

/** What a program gets that asked for keys to be told apart, in tmux's names of its characters. */
function askedFor(code: number, held: HeldModifiers, { modes }: KeyReader): readonly string[] | undefined {
  const { alternate, keyboard, modifyOtherKeys } = modes;
  const sequence = extendedKey(code, held, { stack: keyboard[alternate === 0 ? 'normal' : 'alternate'], modifyOtherKeys });
  return sequence === undefined ? undefined : ['Escape', ...sequence.slice(1)];
}
