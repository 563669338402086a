import { type KeyboardStack, NO_KEYBOARD_FLAGS } from '../../protocol/index.js';
import { type Pen, PLAIN_PEN, penSequence } from './pen.js';

/** On and off by `CSI ? number h` and `l`: the number, and how a reset terminal has it. */
export const SWITCHES = {
  applicationCursor: [1, false],
  reverseVideo: [5, false],
  wrap: [7, true],
  cursorVisible: [25, true],
  applicationKeypad: [66, false],
  focusEvents: [1004, false],
  alternateScroll: [1007, false],
  bracketedPaste: [2004, false],
  colorSchemeReports: [2031, false],
  sizeReports: [2048, false],
} as const satisfies Record<string, readonly [number, boolean]>;
export type Switch = keyof typeof SWITCHES;
export const SWITCH_NAMES = Object.keys(SWITCHES) as Switch[];

export type AlternateScreen = 0 | 47 | 1047 | 1049;
export type MouseTracking = 0 | 9 | 1000 | 1002 | 1003;

/** Lines counted from 1; without `bottom` it reaches to the last. */
export interface ScrollRegion {
  readonly top: number;
  readonly bottom?: number | undefined;
}

/** The state that output leaves a terminal in, apart from what it shows and where its cursor is. Immutable. */
export interface TerminalModes extends Readonly<Record<Switch, boolean>> {
  /** The private mode by which the alternate screen was entered; 0 on the normal one. */
  readonly alternate: AlternateScreen;
  readonly origin: boolean;
  readonly insert: boolean;
  readonly newLine: boolean;
  /** Tab stops were moved. Where to is not followed, so neither a preamble nor an epilogue has them: see {@link usualTabs}. */
  readonly tabsMoved: boolean;
  /** An update is being drawn (2026). Never restored, as nothing would end it. */
  readonly synchronized: boolean;
  readonly mouse: MouseTracking;
  /** Private modes that change how mouse events are written, in the order in which they were set. */
  readonly mouseEncodings: readonly number[];
  /** That of the screen shown. */
  readonly scrollRegion?: ScrollRegion | undefined;
  /** That of the normal screen, while the alternate one is shown. */
  readonly scrollRegionBehind?: ScrollRegion | undefined;
  /** What `ESC ( ) * +` made G0 to G3. */
  readonly charsets: readonly [string, string, string, string];
  /** Which of them is in use. */
  readonly shift: 0 | 1 | 2 | 3;
  readonly pen: Pen;
  /** `params;uri` of the open hyperlink, or empty. */
  readonly link: string;
  /** At most {@link MOST_TITLE_BYTES} long. */
  readonly title: string;
  /** Default foreground, background and cursor colour (OSC 10 to 12) where the program set them. */
  readonly colors: readonly [string, string, string];
  /** The parameter of DECSCUSR; 0 is the user's own. */
  readonly cursorShape: number;
  readonly modifyOtherKeys: number;
  readonly keyboard: { readonly normal: KeyboardStack; readonly alternate: KeyboardStack };
}

export const MOST_TITLE_BYTES = 256;
const ASCII = 'B';

export const RESET_MODES: TerminalModes = Object.freeze<TerminalModes>({
  ...(Object.fromEntries(SWITCH_NAMES.map((name) => [name, SWITCHES[name][1]])) as Record<Switch, boolean>),
  alternate: 0,
  origin: false,
  insert: false,
  newLine: false,
  tabsMoved: false,
  synchronized: false,
  mouse: 0,
  mouseEncodings: [],
  scrollRegion: undefined,
  scrollRegionBehind: undefined,
  charsets: [ASCII, ASCII, ASCII, ASCII],
  shift: 0,
  pen: PLAIN_PEN,
  link: '',
  title: '',
  colors: ['', '', ''],
  cursorShape: 0,
  modifyOtherKeys: 0,
  keyboard: { normal: NO_KEYBOARD_FLAGS, alternate: NO_KEYBOARD_FLAGS },
});

const SHIFT_IN = ['\x0f', '\x0e', '\x1bn', '\x1bo'] as const;
const DESIGNATE = ['(', ')', '*', '+'] as const;

/** Brings a freshly reset terminal into `modes`. Empty for {@link RESET_MODES}. It leaves the cursor anywhere. */
export function preamble(modes: TerminalModes): Buffer {
  const { alternate, scrollRegion, scrollRegionBehind } = modes;
  return sequence([
    modes.title !== '' && `\x1b]2;${modes.title}\x07`,
    ...modes.colors.map((color, index) => color !== '' && `\x1b]${10 + index};${color}\x07`),
    pushKeyboard(modes.keyboard.normal),
    scrollRegionBehind !== undefined && regionSequence(scrollRegionBehind),
    alternate !== 0 && `\x1b[?${alternate}h${pushKeyboard(modes.keyboard.alternate)}`,
    scrollRegion !== undefined && regionSequence(scrollRegion),
    modes.origin && '\x1b[?6h',
    inputModes(modes),
    ...modes.charsets.map((charset, index) => charset !== ASCII && `\x1b${DESIGNATE[index]}${charset}`),
    modes.shift !== 0 && SHIFT_IN[modes.shift],
    penSequence(modes.pen),
    modes.link !== '' && `\x1b]8;${modes.link}\x1b\\`,
  ]);
}

/** What of {@link preamble} neither draws nor moves the cursor, and holds on either screen. */
export function inputModes(modes: TerminalModes): string {
  return join([
    ...changedSwitches(modes).map((name) => switchSequence(name, modes[name])),
    modes.insert && '\x1b[4h',
    modes.newLine && '\x1b[20h',
    modes.mouse !== 0 && privateMode(modes.mouse, true),
    ...modes.mouseEncodings.map((encoding) => privateMode(encoding, true)),
    modes.cursorShape !== 0 && `\x1b[${modes.cursorShape} q`,
    modes.modifyOtherKeys !== 0 && `\x1b[>4;${modes.modifyOtherKeys}m`,
  ]);
}

/**
 * Takes a terminal out of `modes`, so that the next program's output starts in a terminal as good as reset (S7). Empty for
 * {@link RESET_MODES}. The title stays. The cursor stays too, except that leaving the alternate screen puts it where it was on the
 * normal one, and leaving origin mode puts it at the top. For a terminal outside of any sequence.
 */
export function epilogue(modes: TerminalModes): Buffer {
  const { alternate } = modes;
  return sequence([
    modes.synchronized && '\x1b[?2026l',
    modes.link !== '' && '\x1b]8;;\x1b\\',
    alternate === 0 ? drawingReset(modes) : `${popKeyboard(modes.keyboard.alternate)}\x1b[?${alternate}l${FULL_DRAWING_RESET}`,
    ...modes.mouseEncodings.map((encoding) => privateMode(encoding, false)),
    modes.mouse !== 0 && privateMode(modes.mouse, false),
    modes.origin && '\x1b[?6l',
    (modes.scrollRegion ?? modes.scrollRegionBehind) !== undefined && '\x1b7\x1b[r\x1b8',
    popKeyboard(modes.keyboard.normal),
    ...changedSwitches(modes).map((name) => switchSequence(name, SWITCHES[name][1])),
    modes.insert && '\x1b[4l',
    modes.newLine && '\x1b[20l',
    modes.cursorShape !== 0 && '\x1b[0 q',
    modes.modifyOtherKeys !== 0 && '\x1b[>4m',
    ...modes.colors.map((color, index) => color !== '' && `\x1b]${110 + index}\x07`),
  ]);
}

/** For when a pen and charsets that were saved earlier come back with the normal screen. */
const FULL_DRAWING_RESET = '\x1b[m\x0f\x1b(B\x1b)B\x1b*B\x1b+B';

function drawingReset(modes: TerminalModes): string {
  return join([
    penSequence(modes.pen) !== '' && '\x1b[m',
    modes.shift !== 0 && SHIFT_IN[0],
    ...modes.charsets.map((charset, index) => charset !== ASCII && `\x1b${DESIGNATE[index]}${ASCII}`),
  ]);
}

function changedSwitches(modes: TerminalModes): Switch[] {
  return SWITCH_NAMES.filter((name) => modes[name] !== SWITCHES[name][1]);
}

/** The keypad has a sequence of its own, which more terminals know than its mode. */
function switchSequence(name: Switch, on: boolean): string {
  if (name === 'applicationKeypad') return on ? '\x1b=' : '\x1b>';
  return privateMode(SWITCHES[name][0], on);
}

function privateMode(mode: number, on: boolean): string {
  return `\x1b[?${mode}${on ? 'h' : 'l'}`;
}

export function regionSequence({ top, bottom }: ScrollRegion): string {
  return `\x1b[${top};${bottom ?? ''}r`;
}

export function pushKeyboard([base, ...pushed]: KeyboardStack): string {
  return (base === 0 ? '' : `\x1b[=${base}u`) + pushed.map((flags) => `\x1b[>${flags}u`).join('');
}

function popKeyboard([base, ...pushed]: KeyboardStack): string {
  return (pushed.length === 0 ? '' : `\x1b[<${pushed.length}u`) + (base === 0 ? '' : '\x1b[=0u');
}

function join(parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join('');
}

function sequence(parts: readonly (string | false | undefined)[]): Buffer {
  return Buffer.from(join(parts));
}

const WIDEST_SCREEN = 500;
const TAB_WIDTH = 8;

/** Puts tab stops where a reset terminal has them, and the cursor at the start of its line. */
export function usualTabs(): string {
  const stops = Array.from({ length: Math.floor(WIDEST_SCREEN / TAB_WIDTH) }, (_, index) => `\x1b[${(index + 1) * TAB_WIDTH + 1}G\x1bH`);
  return `\x1b[3g${stops.join('')}\r`;
}
