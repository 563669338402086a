/** One of the 256 colours by its number, or a colour by its value. */
export type TextColor = number | `#${string}`;

/** Colours and attributes of text. */
export interface TextStyle {
  readonly foreground?: TextColor;
  readonly background?: TextColor;
  readonly bold?: boolean;
  readonly faint?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly hidden?: boolean;
  readonly struck?: boolean;
}

export const DEFAULT_STYLE: TextStyle = {};

const SET: Readonly<Record<number, TextStyle>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  8: { hidden: true },
  9: { struck: true },
  21: { underline: true },
};

const UNSET: Readonly<Record<number, readonly (keyof TextStyle)[]>> = {
  22: ['bold', 'faint'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['struck'],
  39: ['foreground'],
  49: ['background'],
};

/** The style after the parameters of an SGR sequence (ECMA-48, and xterm's colours). */
export function restyle(style: TextStyle, sgr: string): TextStyle {
  const parameters = sgr.split(';');
  let next = style;
  for (let at = 0; at < parameters.length; at += 1) {
    const parts = (parameters[at] ?? '').split(':');
    const code = Number(parts[0]);
    if (code === 38 || code === 48 || code === 58) {
      const isOne = parts.length > 1;
      const { color, taken } = extended(isOne ? parts.slice(1) : parameters.slice(at + 1), isOne);
      if (!isOne) at += taken;
      if (color !== undefined && code !== 58) next = { ...next, [code === 38 ? 'foreground' : 'background']: color };
    } else next = apply(next, code, parts[1]);
  }
  return next;
}

function apply(style: TextStyle, code: number, detail: string | undefined): TextStyle {
  if (code === 0) return DEFAULT_STYLE;
  if (code === 4 && detail === '0') return without(style, ['underline']);
  const set = SET[code];
  if (set !== undefined) return { ...style, ...set };
  const unset = UNSET[code];
  if (unset !== undefined) return without(style, unset);
  if (code >= 30 && code <= 37) return { ...style, foreground: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, foreground: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return style;
}

function without(style: TextStyle, names: readonly (keyof TextStyle)[]): TextStyle {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof TextStyle)));
}

/** `5;N` or `2;R;G;B`; with colons there may be the number of a colour space in front of the three. */
function extended(rest: readonly string[], hasColons: boolean): { color?: TextColor; taken: number } {
  if (rest[0] === '5') return { color: Number(rest[1]) & 0xff, taken: 2 };
  if (rest[0] !== '2') return { taken: 1 };
  const first = hasColons && rest.length > 4 ? 2 : 1;
  const hex = rest.slice(first, first + 3).map((value) => (Number(value) & 0xff).toString(16).padStart(2, '0'));
  return { color: `#${hex.join('')}`, taken: 4 };
}
