import type { VtParser } from './vt-parser.js';

/** How text is drawn (SGR). Colours: 0 is the default, 1 to 256 the palette, from {@link RGB} on a direct colour. */
export interface Pen {
  /** One bit for each of {@link ATTRIBUTES}, in their order. */
  readonly attributes: number;
  /** 0 for none, else the style of SGR 4:n. */
  readonly underline: number;
  readonly foreground: number;
  readonly background: number;
  readonly underlineColor: number;
}

export const PLAIN_PEN: Pen = Object.freeze({ attributes: 0, underline: 0, foreground: 0, background: 0, underlineColor: 0 });

const RGB = 0x1_00_00_00;
/** SGR numbers that set an attribute; 6, 26 and the like are left out as no terminal in use knows them. */
const ATTRIBUTES = [1, 2, 3, 5, 7, 8, 9, 53] as const;
const SET: ReadonlyMap<number, number> = new Map(ATTRIBUTES.map((number, bit) => [number, 1 << bit]));
/** SGR numbers that clear attributes. */
const CLEARED: ReadonlyMap<number, readonly number[]> = new Map([
  [22, [1, 2]],
  [23, [3]],
  [25, [5]],
  [27, [7]],
  [28, [8]],
  [29, [9]],
  [55, [53]],
]);
const CLEAR: ReadonlyMap<number, number> = new Map(
  [...CLEARED].map(([number, cleared]) => [number, cleared.reduce((bits, set) => bits | (SET.get(set) ?? 0), 0)]),
);

/** The pen that follows the program's SGR sequences. */
export class PenState {
  #attributes = 0;
  #underline = 0;
  #foreground = 0;
  #background = 0;
  #underlineColor = 0;

  get pen(): Pen {
    const pen = {
      attributes: this.#attributes,
      underline: this.#underline,
      foreground: this.#foreground,
      background: this.#background,
      underlineColor: this.#underlineColor,
    };
    return isPlainPen(pen) ? PLAIN_PEN : Object.freeze(pen);
  }

  set pen(pen: Pen) {
    this.#attributes = pen.attributes;
    this.#underline = pen.underline;
    this.#foreground = pen.foreground;
    this.#background = pen.background;
    this.#underlineColor = pen.underlineColor;
  }

  /** Takes the parameters of the SGR sequence that `parser` has just completed. */
  apply(parser: VtParser): void {
    if (parser.count === 0) this.pen = PLAIN_PEN;
    // A subparameter of nothing, as behind the last of `38;2;r;g;b`, is passed over.
    for (let i = 0; i < parser.count; ) i = parser.isSubparam[i] === 1 ? i + 1 : this.#take(parser, i);
  }

  #take(parser: VtParser, at: number): number {
    const number = parser.param(at);
    let next = at + 1;
    while (next < parser.count && parser.isSubparam[next] === 1) next += 1;
    if (number === 38 || number === 48 || number === 58) return this.#color(parser, at, next);
    if (number === 4) this.#underline = next > at + 1 ? parser.param(at + 1) : 1;
    else this.#simple(number);
    return next;
  }

  #simple(number: number): void {
    const set = SET.get(number);
    const clear = CLEAR.get(number);
    if (set !== undefined) this.#attributes |= set;
    else if (clear !== undefined) this.#attributes &= ~clear;
    else if (number === 0) this.pen = PLAIN_PEN;
    else if (number === 21) this.#underline = 2;
    else if (number === 24) this.#underline = 0;
    else if (number === 59) this.#underlineColor = 0;
    else this.#basicColor(number);
  }

  #basicColor(number: number): void {
    if (number >= 30 && number <= 37) this.#foreground = number - 30 + 1;
    else if (number >= 40 && number <= 47) this.#background = number - 40 + 1;
    else if (number >= 90 && number <= 97) this.#foreground = number - 90 + 9;
    else if (number >= 100 && number <= 107) this.#background = number - 100 + 9;
    else if (number === 39) this.#foreground = 0;
    else if (number === 49) this.#background = 0;
  }

  /** `38;5;n`, `38;2;r;g;b`, or the same by colons, where a colour space may stand before r. */
  #color(parser: VtParser, at: number, subparamsEnd: number): number {
    const byColons = subparamsEnd > at + 1;
    const isDirect = parser.param(at + 1) === 2;
    const last = byColons ? subparamsEnd : Math.min(parser.count, at + (isDirect ? 5 : 3));
    const first = byColons && isDirect && last - at > 5 ? at + 3 : at + 2;
    const color = isDirect
      ? RGB + (channel(parser.param(first)) << 16) + (channel(parser.param(first + 1)) << 8) + channel(parser.param(first + 2))
      : 1 + channel(parser.param(first));
    if (isDirect || parser.param(at + 1) === 5) this.#setColor(parser.param(at), color);
    return last;
  }

  #setColor(kind: number, color: number): void {
    if (kind === 38) this.#foreground = color;
    else if (kind === 48) this.#background = color;
    else this.#underlineColor = color;
  }
}

function channel(value: number): number {
  return Math.min(value, 255);
}

export function isPlainPen(pen: Pen): boolean {
  return pen.attributes === 0 && pen.underline === 0 && pen.foreground === 0 && pen.background === 0 && pen.underlineColor === 0;
}

/** The SGR sequence that turns the plain pen into `pen`; empty for the plain one. */
export function penSequence(pen: Pen): string {
  const numbers = ATTRIBUTES.filter((_, bit) => (pen.attributes & (1 << bit)) !== 0).map(String);
  if (pen.underline === 1) numbers.push('4');
  else if (pen.underline > 1) numbers.push(`4:${pen.underline}`);
  numbers.push(...colorNumbers(38, pen.foreground), ...colorNumbers(48, pen.background), ...colorNumbers(58, pen.underlineColor));
  return numbers.length === 0 ? '' : `\x1b[${numbers.join(';')}m`;
}

function colorNumbers(kind: number, color: number): string[] {
  if (color === 0) return [];
  if (color >= RGB)
    return [`${kind}${kind === 58 ? ':2::' : ';2;'}${[color >> 16, color >> 8, color].map((c) => c & 255).join(kind === 58 ? ':' : ';')}`];
  const index = color - 1;
  if (kind !== 58 && index < 8) return [String(kind - 8 + index)];
  if (kind !== 58 && index < 16) return [String(kind + 52 + index - 8)];
  return [kind === 58 ? `58:5:${index}` : `${kind};5;${index}`];
}
