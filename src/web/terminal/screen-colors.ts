import type { ITheme } from '@xterm/xterm';
import { contrastOf, mixColors } from './mix-colors.js';
import type { TextColor, TextStyle } from './text-style.js';

const NAMED = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const satisfies readonly (keyof ITheme)[];

/** Where the 216 colours of the cube and the 24 greys begin. */
const CUBE = 16;
const GREYS = 232;

export interface CellColors {
  readonly ink: string;
  /** Undefined where the screen's own shows. */
  readonly paper: string | undefined;
}

/** How styles look in a theme. Text is at least as far from what it stands on as `minimumContrast`. */
export class ScreenColors {
  readonly #theme: ITheme;
  readonly #minimumContrast: number;
  readonly #known = new WeakMap<TextStyle, CellColors>();
  readonly #readable = new Map<string, string>();

  constructor(theme: ITheme, minimumContrast: number) {
    this.#theme = theme;
    this.#minimumContrast = minimumContrast;
  }

  get background(): string {
    return this.#theme.background ?? '#000000';
  }

  of(style: TextStyle): CellColors {
    const known = this.#known.get(style) ?? this.#find(style);
    this.#known.set(style, known);
    return known;
  }

  #find({ foreground, background, inverse, faint, hidden }: TextStyle): CellColors {
    const front = foreground === undefined ? (this.#theme.foreground ?? '#ffffff') : this.#resolve(foreground);
    const back = background === undefined ? undefined : this.#resolve(background);
    const [ink, paper] = inverse === true ? [back ?? this.background, front] : [front, back];
    const under = paper ?? this.background;
    if (hidden === true) return { ink: under, paper };
    const readable = this.#makeReadable(ink, under);
    return { ink: faint === true ? mixColors(readable, under, 0.6) : readable, paper };
  }

  #resolve(color: TextColor): string {
    if (typeof color === 'string') return color;
    const name = NAMED[color];
    if (name !== undefined) return this.#theme[name] ?? '#808080';
    if (color >= GREYS) return hex([0, 0, 0].map(() => 8 + (color - GREYS) * 10));
    const at = color - CUBE;
    return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => (level === 0 ? 0 : 55 + level * 40)));
  }

  #makeReadable(ink: string, under: string): string {
    const key = `${ink} ${under}`;
    const known = this.#readable.get(key) ?? this.#moveApart(ink, under);
    this.#readable.set(key, known);
    return known;
  }

  #moveApart(ink: string, under: string): string {
    if (contrastOf(ink, under) >= this.#minimumContrast) return ink;
    const end = contrastOf('#ffffff', under) > contrastOf('#000000', under) ? '#ffffff' : '#000000';
    for (let share = 0.2; share < 1; share += 0.2) {
      const mixed = mixColors(end, ink, share);
      if (contrastOf(mixed, under) >= this.#minimumContrast) return mixed;
    }
    return end;
  }
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
