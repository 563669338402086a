/** The bits of a modifier parameter, once 1 is taken off. */
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** Caps Lock and Num Lock are no part of a key's name. */
const LOCKS = 64 | 128;

const SPACE = 0x20;
const DELETE = 0x7f;
/** What Shift makes of the keys that have a name here, on the most common layout, where the terminal does not say. */
const SHIFTED: Readonly<Record<string, string>> = { '-': '_', '6': '^', '/': '?' };
const FUNCTION_CODES = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];

/** tmux's word for the key that sends this control character. */
export function controlKey(byte: number): string | undefined {
  if (byte === 0) return 'C-Space';
  if (byte === 9) return 'Tab';
  if (byte === 13) return 'Enter';
  if (byte === 27) return 'Escape';
  if (byte === DELETE) return 'BSpace';
  return `C-${String.fromCharCode(byte + (byte < 27 ? 0x60 : 0x40))}`;
}

/** tmux's word for a character with modifiers; undefined for a key that cannot matter. */
export function characterKey(code: number, modifiers: number): string | undefined {
  if (code < SPACE || code >= DELETE || (modifiers & ~(SHIFT | ALT | CTRL | LOCKS)) !== 0) return undefined;
  const plain = code === SPACE ? 'Space' : String.fromCharCode(code);
  const isLetter = /^[a-z]$/i.test(plain);
  if ((modifiers & CTRL) !== 0) {
    const shift = (modifiers & SHIFT) !== 0 && isLetter ? 'S-' : '';
    const named = (modifiers & SHIFT) !== 0 ? (SHIFTED[plain] ?? plain) : plain;
    return `${(modifiers & ALT) !== 0 ? 'M-' : ''}C-${shift}${isLetter ? named.toLowerCase() : named}`;
  }
  const named = (modifiers & SHIFT) === 0 ? plain : isLetter ? plain.toUpperCase() : (SHIFTED[plain] ?? plain);
  return `${(modifiers & ALT) !== 0 ? 'M-' : ''}${named}`;
}

interface KeyParams {
  readonly code: number;
  /** The character that Shift makes of it, where the terminal says so. */
  readonly shifted: number | undefined;
  /** The key at that place on a Latin keyboard, where the terminal says so. */
  readonly base: number | undefined;
  readonly modifiers: number;
  /** 1 pressed, 2 repeated, 3 let go. */
  readonly event: number;
  readonly third: number | undefined;
}

/** `code:shifted:base ; modifiers:event ; third`. */
export function paramsOf(text: string): KeyParams {
  const [codes = '', modifiers = '', third = ''] = text.split(';');
  const [code, shifted, base] = codes.split(':').map(numberIn);
  const [mask, event] = modifiers.split(':').map(numberIn);
  return { code: code ?? 1, shifted, base, modifiers: Math.max(0, (mask ?? 1) - 1), event: event ?? 1, third: numberIn(third) };
}

function numberIn(text: string): number | undefined {
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

/** tmux's word for the key of `CSI params final`, in the encodings of xterm, the Linux console and the kitty keyboard protocol. */
export function functionKey(text: string, final: string): string | undefined {
  const params = paramsOf(text);
  if (final === 'u') return reportedKey(params);
  if (final === '~' && params.code === 27 && params.third !== undefined) return characterKey(params.third, params.modifiers);
  const number = functionNumber(text, final, params.code);
  return number === undefined ? undefined : `${functionModifiers(params.modifiers)}F${number}`;
}

function reportedKey({ code, shifted, base, modifiers }: KeyParams): string | undefined {
  if (code === 27) return 'Escape';
  if ((modifiers & SHIFT) !== 0 && shifted !== undefined && (modifiers & CTRL) === 0) return characterKey(shifted, modifiers & ~SHIFT);
  return characterKey(code < DELETE ? code : (base ?? code), modifiers);
}

function functionNumber(text: string, final: string, code: number): number | undefined {
  if (text.startsWith('[')) return between('ABCDE'.indexOf(final) + 1, 5);
  if (final === '~') return between(FUNCTION_CODES.indexOf(code) + 1, 12);
  return between('PQRS'.indexOf(final) + 1, 4);
}

function between(number: number, last: number): number | undefined {
  return number >= 1 && number <= last ? number : undefined;
}

function functionModifiers(modifiers: number): string {
  return `${(modifiers & CTRL) !== 0 ? 'C-' : ''}${(modifiers & ALT) !== 0 ? 'M-' : ''}${(modifiers & SHIFT) !== 0 ? 'S-' : ''}`;
}
