import { invariant } from '../invariant.js';
import type { PaneSnapshot } from '../pane-snapshot.js';
import { captureCommands, captured } from './pane-capture.js';
import { type Command, command, pipeCommand } from './tmux-quote.js';

const FIELDS = [
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'insert_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'origin_flag',
  'wrap_flag',
  'mouse_all_flag',
  'mouse_button_flag',
  'mouse_standard_flag',
  'mouse_sgr_flag',
  'scroll_region_upper',
  'scroll_region_lower',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'history_size',
] as const;

type Fields = Readonly<Record<(typeof FIELDS)[number], number>>;

/**
 * Captures what the pane shows and arms its pipe, in one line: tmux does nothing else in between, so the stream goes on where the capture
 * ends. The history and the screen are captured apart, because the screen is the alternate one while a program uses it and the history
 * never is; what belongs to the line that crosses from one to the other shows in a third capture, which starts with the last line of
 * the history.
 */
export function adoptCommands(paneId: string, fifo: string): Command[] {
  return snapshotCommands(paneId, '-', [command('pipe-pane', '-t', paneId, pipeCommand(fifo))]);
}

/** Only captures, with at most so many lines of history. */
export function lookCommands(paneId: string, history: number): Command[] {
  return snapshotCommands(paneId, `-${Math.max(1, history)}`);
}

function snapshotCommands(paneId: string, historyStart: string, then: readonly Command[] = []): Command[] {
  const capture = (...words: readonly string[]) => ['-e', '-J', '-t', paneId, ...words];
  return [
    ...captureCommands(capture('-S', historyStart, '-E', '-1'), capture('-S', '-1'), capture('-S', '0'), capture('-a', '-q')),
    ...then,
    command('display-message', '-p', '-t', paneId, `${FIELDS.map((field) => `#{${field}}`).join('|')}|#{pane_tabs}|#{pane_title}`),
  ];
}

export function parseSnapshot(bodies: readonly Buffer[]): PaneSnapshot {
  const [history, crossing, screen, saved] = captured(bodies, 4);
  const told = bodies.at(-1);
  invariant(history && crossing && screen && saved && told, 'each command of a snapshot has its reply');
  const values = told.toString().split('|');
  const fields = Object.fromEntries(FIELDS.map((field, index) => [field, Number(values[index])])) as Fields;
  const above = fields.history_size === 0 ? undefined : { history, joined: lineCount(crossing) === lineCount(screen) };
  const shown = above === undefined ? (lower: Buffer) => lower : (lower: Buffer) => below(above, lower);
  return {
    normal: shown(fields.alternate_on === 1 ? saved : screen),
    ...(fields.alternate_on === 1
      ? { alternate: screen, behind: { column: fields.alternate_saved_x, row: fields.alternate_saved_y } }
      : {}),
    cursor: { column: fields.cursor_x, row: fields.cursor_y, visible: fields.cursor_flag === 1 },
    size: { cols: fields.pane_width, rows: fields.pane_height },
    modes: { ...modesOf(fields), tabs: tabsOf(values[FIELDS.length] ?? '') },
    title: values.slice(FIELDS.length + 1).join('|'),
  };
}

/** Each capture starts from plain attributes and the usual character set, so the second is put in that state. */
const PLAIN = '\u001b[0m\u000f';

function below({ history, joined }: { history: Buffer; joined: boolean }, lower: Buffer): Buffer {
  return Buffer.concat([history, Buffer.from(joined ? PLAIN : `${PLAIN}\n`), lower]);
}

function lineCount(text: Buffer): number {
  let count = 1;
  for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

function tabsOf(told: string): number[] {
  return told === '' ? [] : told.split(',').map(Number);
}

function modesOf(fields: Fields): PaneSnapshot['modes'] {
  return {
    insert: fields.insert_flag === 1,
    applicationCursor: fields.keypad_cursor_flag === 1,
    applicationKeypad: fields.keypad_flag === 1,
    origin: fields.origin_flag === 1,
    wrap: fields.wrap_flag === 1,
    mouse:
      fields.mouse_all_flag === 1
        ? 'any'
        : fields.mouse_button_flag === 1
          ? 'button'
          : fields.mouse_standard_flag === 1
            ? 'standard'
            : 'off',
    mouseSgr: fields.mouse_sgr_flag === 1,
    scrollRegion: { top: fields.scroll_region_upper, bottom: fields.scroll_region_lower },
  };
}
