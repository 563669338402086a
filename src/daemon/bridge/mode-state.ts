import { keyboardAfter } from '../../protocol/index.js';
import { modesOfCommand } from './command-modes.js';
import { PenState, PLAIN_PEN } from './pen.js';
import { modesOfPrivate } from './private-modes.js';
import { type AlternateScreen, RESET_MODES, type ScrollRegion, type TerminalModes } from './terminal-modes.js';
import type { VtParser } from './vt-parser.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type SavedCursor = Pick<TerminalModes, 'charsets' | 'shift' | 'pen'>;

const DESIGNATIONS = '()*+';
const UNSAVED: SavedCursor = { charsets: RESET_MODES.charsets, shift: 0, pen: PLAIN_PEN };
const SOFT_RESET = {
  ...UNSAVED,
  cursorVisible: true,
  wrap: true,
  applicationCursor: false,
  applicationKeypad: false,
  bracketedPaste: false,
  focusEvents: false,
  synchronized: false,
  origin: false,
  insert: false,
  cursorShape: 0,
  scrollRegion: undefined,
} as const;
const QUESTION = 0x3f;
const LETTER_H = 0x68;
const LETTER_L = 0x6c;
const LETTER_M = 0x6d;

/** The {@link TerminalModes} in force, changed by one complete sequence at a time. */
export class ModeState {
  readonly #pen = new PenState();
  #modes: Mutable<TerminalModes>;
  #saved: { normal?: SavedCursor; alternate?: SavedCursor } = {};
  #snapshot: TerminalModes | undefined;

  constructor(modes: TerminalModes) {
    this.#modes = { ...modes };
    this.#pen.pen = modes.pen;
  }

  /** Immutable; the same object as long as nothing changes. */
  get modes(): TerminalModes {
    this.#snapshot ??= Object.freeze({ ...this.#modes, pen: this.#pen.pen });
    return this.#snapshot;
  }

  shiftTo(shift: 0 | 1 | 2 | 3): void {
    if (this.#modes.shift !== shift) this.#change({ shift });
  }

  /** The payload of an operating system command. */
  command(payload: string): void {
    const change = modesOfCommand(payload, this.#modes);
    if (change !== undefined) this.#change(change);
  }

  escape(parser: VtParser): void {
    const final = String.fromCharCode(parser.final);
    if (parser.intermediates !== 0) this.#designate(String.fromCharCode(...intermediateBytes(parser)), final);
    else if (final === 'c') this.#reset();
    else if (final === 'H') this.#change({ tabsMoved: true });
    else if (final === '7') this.#saveCursor();
    else if (final === '8') this.#restoreCursor();
    else if (final === '=' || final === '>') this.#change({ applicationKeypad: final === '=' });
    else if (final === 'n' || final === 'o') this.shiftTo(final === 'n' ? 2 : 3);
  }

  control(parser: VtParser): void {
    const { final } = parser;
    if (parser.intermediates !== 0) this.#spacedControl(parser);
    else if (parser.prefix === 0) this.#plainControl(parser);
    else if (parser.prefix !== QUESTION) this.#extendedControl(parser);
    else if (final === LETTER_H || final === LETTER_L) {
      for (let i = 0; i < parser.count; i++) this.#setPrivate(parser.param(i), final === LETTER_H);
    }
  }

  #plainControl(parser: VtParser): void {
    switch (parser.final) {
      case LETTER_M:
        this.#pen.apply(parser);
        this.#snapshot = undefined;
        break;
      case LETTER_H:
      case LETTER_L:
        for (let i = 0; i < parser.count; i++) this.#setAnsi(parser.param(i), parser.final === LETTER_H);
        break;
      case 0x67: // g
        this.#change({ tabsMoved: true });
        break;
      case 0x72: // r
        this.#change({ scrollRegion: scrollRegion(parser.param(0), parser.param(1)) });
        break;
      case 0x73: // s
        this.#saveCursor();
        break;
      case 0x75: // u
        this.#restoreCursor();
    }
  }

  /** Those with a prefix other than `?`: modifyOtherKeys, kitty keyboard. */
  #extendedControl(parser: VtParser): void {
    switch (String.fromCharCode(parser.prefix, parser.final)) {
      case '>m':
        if (parser.count === 0 || parser.param(0) === 4) this.#change({ modifyOtherKeys: parser.param(1) });
        break;
      case '>n':
        if (parser.param(0) === 4) this.#change({ modifyOtherKeys: 0 });
        break;
      case '>u':
      case '<u':
      case '=u':
        this.#setKeyboard(parser.prefix, [parser.param(0), parser.param(1)]);
    }
  }

  /** Those with an intermediate byte: DECSCUSR, DECSTR. */
  #spacedControl(parser: VtParser): void {
    if (parser.prefix !== 0) return;
    const key = String.fromCharCode(parser.intermediates, parser.final);
    if (key === ' q' && parser.param(0) <= 6) this.#change({ cursorShape: parser.param(0) });
    if (key !== '!p') return;
    this.#change(SOFT_RESET);
    this.#pen.pen = PLAIN_PEN;
    this.#saved = {};
  }

  #setAnsi(mode: number, on: boolean): void {
    if (mode === 4) this.#change({ insert: on });
    else if (mode === 20) this.#change({ newLine: on });
  }

  #setPrivate(mode: number, on: boolean): void {
    if (mode === 47 || mode === 1047 || mode === 1049) this.#setAlternate(mode, on);
    else if (mode !== 1048) {
      const change = modesOfPrivate(mode, on, this.#modes);
      if (change !== undefined) this.#change(change);
    } else if (on) this.#saveCursor();
    else this.#restoreCursor();
  }

  #setAlternate(mode: Exclude<AlternateScreen, 0>, on: boolean): void {
    if (on && mode === 1049) this.#saveCursor();
    if (on && this.#modes.alternate !== 0) return;
    const { scrollRegion, scrollRegionBehind } = this.#modes;
    if (on) this.#change({ alternate: mode, scrollRegion: undefined, scrollRegionBehind: scrollRegion });
    else if (this.#modes.alternate !== 0) this.#change({ alternate: 0, scrollRegion: scrollRegionBehind, scrollRegionBehind: undefined });
    if (!on && mode === 1049) this.#restoreCursor();
  }

  #setKeyboard(prefix: number, params: readonly [number, number]): void {
    const { keyboard } = this.#modes;
    const screen = this.#screen;
    this.#change({ keyboard: { ...keyboard, [screen]: keyboardAfter(keyboard[screen], String.fromCharCode(prefix), params) } });
  }

  #designate(intermediates: string, final: string): void {
    const index = DESIGNATIONS.indexOf(intermediates.charAt(0));
    if (index < 0) return;
    const [g0, g1, g2, g3] = this.#modes.charsets.map((charset, at) => (at === index ? intermediates.slice(1) + final : charset));
    this.#change({ charsets: [g0 ?? '', g1 ?? '', g2 ?? '', g3 ?? ''] });
  }

  get #screen(): 'normal' | 'alternate' {
    return this.#modes.alternate === 0 ? 'normal' : 'alternate';
  }

  #saveCursor(): void {
    const { charsets, shift } = this.#modes;
    this.#saved[this.#screen] = { charsets, shift, pen: this.#pen.pen };
  }

  #restoreCursor(): void {
    const { pen, ...rest } = this.#saved[this.#screen] ?? UNSAVED;
    this.#pen.pen = pen;
    this.#change(rest);
  }

  #reset(): void {
    this.#change({ ...RESET_MODES, title: this.#modes.title });
    this.#pen.pen = PLAIN_PEN;
    this.#saved = {};
  }

  #change(change: Partial<TerminalModes>): void {
    Object.assign(this.#modes, change);
    this.#snapshot = undefined;
  }
}

function scrollRegion(top: number, bottom: number): ScrollRegion | undefined {
  if (top <= 1 && bottom === 0) return undefined;
  return { top: Math.max(1, top), bottom: bottom === 0 ? undefined : bottom };
}

function intermediateBytes({ intermediates }: VtParser): number[] {
  return [intermediates >> 16, (intermediates >> 8) & 0xff, intermediates & 0xff].filter((byte) => byte !== 0);
}
