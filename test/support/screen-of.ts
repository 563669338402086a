import { createRequire } from 'node:module';
import type { Unicode11Addon } from '@xterm/addon-unicode11';
import type { IBufferCell, Terminal } from '@xterm/headless';
import type { Size } from '../../src/protocol/index.js';
import { TmuxWidths } from '../../src/web/terminal/tmux-widths.js';
import type { Received } from './pty-viewer.js';

// Both are CommonJS, whose names an import does not find.
const require = createRequire(import.meta.url);
const headless = require('@xterm/headless') as { Terminal: typeof Terminal };
const unicode = require('@xterm/addon-unicode11') as { Unicode11Addon: typeof Unicode11Addon };

/** How a screen looks: of each row its text and its cells' looks, the cursor, and what tmux tells of the modes. */
export interface Look {
  readonly rows: readonly string[];
  /** One entry for each cell that is more than plain and empty: where, what, and its colours and attributes. */
  readonly cells: readonly string[];
}

export interface Screen extends Look {
  readonly cursor: string;
  readonly alternate: boolean;
  readonly modes: Readonly<Record<string, boolean | string>>;
}

/** A terminal that shows what a viewer received, as the page does it. */
export class ScreenOf implements Disposable {
  readonly #terminal: Terminal;
  #attached = false;

  constructor({ cols, rows }: Size = { cols: 80, rows: 24 }) {
    this.#terminal = new headless.Terminal({ cols, rows, scrollback: 10_000, allowProposedApi: true });
    TmuxWidths.use(this.#terminal, new unicode.Unicode11Addon());
  }

  /** Takes in what came over a connection, in order. */
  async take(received: readonly Received[]): Promise<void> {
    for (const one of received) {
      if ('bytes' in one) await this.write(one.bytes);
      else if (one.frame.type === 'gap') this.#terminal.reset();
      else if (one.frame.type === 'size' || (one.frame.type === 'attached' && !this.#attached))
        this.#terminal.resize(one.frame.size.cols, one.frame.size.rows);
      if ('frame' in one && one.frame.type === 'attached') this.#attached = true;
    }
  }

  write(bytes: Buffer | string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(bytes, resolve));
  }

  /** Lines above the screen, and the screen. */
  get lines(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true).trimEnd() ?? '');
  }

  get look(): Look {
    const { active } = this.#terminal.buffer;
    const rows: string[] = [];
    const cells: string[] = [];
    for (let y = 0; y < this.#terminal.rows; y++) {
      const line = active.getLine(active.baseY + y);
      rows.push(line?.translateToString(true, 0, this.#terminal.cols).trimEnd() ?? '');
      for (let x = 0; line !== undefined && x < this.#terminal.cols; x++) {
        const cell = line.getCell(x);
        const look = cell && lookOf(cell);
        if (look !== undefined && look !== '') cells.push(`${y},${x} ${look}`);
      }
    }
    return { rows, cells };
  }

  get screen(): Screen {
    const { active } = this.#terminal.buffer;
    const { modes } = this.#terminal;
    return {
      ...this.look,
      cursor: `${active.cursorY},${active.cursorX}`,
      alternate: active.type === 'alternate',
      modes: {
        applicationCursor: modes.applicationCursorKeysMode,
        applicationKeypad: modes.applicationKeypadMode,
        insert: modes.insertMode,
        origin: modes.originMode,
        wrap: modes.wraparoundMode,
        mouse: { none: 'off', x10: 'off', vt200: 'standard', drag: 'button', any: 'any' }[modes.mouseTrackingMode],
      },
    };
  }

  /** Modes that tmux does not tell. */
  get untold(): { bracketedPaste: boolean; focusEvents: boolean } {
    const { bracketedPasteMode, sendFocusMode } = this.#terminal.modes;
    return { bracketedPaste: bracketedPasteMode, focusEvents: sendFocusMode };
  }

  [Symbol.dispose](): void {
    this.#terminal.dispose();
  }
}

/** Empty for a cell that looks like nothing. tmux does not tell the background of cells that were erased, so a blank has no looks. */
function lookOf(cell: IBufferCell): string {
  const text = cell.getChars();
  if (text === '' || text === ' ') return '';
  const color = (mode: number, value: number) => (mode === 0 ? '-' : `${mode >> 24}:${value}`);
  const flags = [
    cell.isBold() && 'bold',
    cell.isDim() && 'dim',
    cell.isItalic() && 'italic',
    cell.isUnderline() && 'underline',
    cell.isBlink() && 'blink',
    cell.isInverse() && 'inverse',
    cell.isInvisible() && 'invisible',
    cell.isOverline() && 'overline',
    cell.isStrikethrough() && 'struck',
  ].filter((flag) => typeof flag === 'string');
  const [foreground, background] = [color(cell.getFgColorMode(), cell.getFgColor()), color(cell.getBgColorMode(), cell.getBgColor())];
  return [text, cell.getWidth(), foreground, background, ...flags].join(' ');
}

const FORMATS = [
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'alternate_on',
  'keypad_cursor_flag',
  'keypad_flag',
  'insert_flag',
  'origin_flag',
  'wrap_flag',
  'mouse_all_flag',
  'mouse_button_flag',
  'mouse_standard_flag',
] as const;

/** The same, as tmux has it: its capture, drawn by a terminal of the same kind, and what it tells of cursor and modes. */
export async function screenOfTmux(tmux: (...words: string[]) => Promise<string>, pane: string): Promise<Screen> {
  const marker = '=====';
  const words = ['capture-pane', '-p', '-e', '-t', pane, ';', 'display-message', '-p', '-t', pane];
  const told = await tmux(...words, marker + FORMATS.map((format) => `#{${format}}`).join(' '));
  const cut = told.lastIndexOf(marker);
  const values = told
    .slice(cut + marker.length)
    .trim()
    .split(' ')
    .map(Number);
  const fact = Object.fromEntries(FORMATS.map((format, index) => [format, values[index] ?? 0])) as Record<(typeof FORMATS)[number], number>;
  using drawn = new ScreenOf({ cols: fact.pane_width, rows: fact.pane_height });
  // tmux tells overline as a kind of blinking.
  const lines = told
    .slice(0, cut)
    .replaceAll(/(?<=\x1b\[(?:[\d:]+;)*)5:3(?=[;m])/g, '53')
    .replace(/\n$/, '')
    .split('\n');
  await drawn.write(`\x1b)0${lines.map((line, y) => `\x1b[${y + 1};1H${line}`).join('')}`);
  return {
    ...drawn.look,
    // Behind the last column, tmux and xterm.js agree: it is the column past it.
    cursor: `${fact.cursor_y},${fact.cursor_x}`,
    alternate: fact.alternate_on === 1,
    modes: {
      applicationCursor: fact.keypad_cursor_flag === 1,
      applicationKeypad: fact.keypad_flag === 1,
      insert: fact.insert_flag === 1,
      origin: fact.origin_flag === 1,
      wrap: fact.wrap_flag === 1,
      mouse: fact.mouse_all_flag ? 'any' : fact.mouse_button_flag ? 'button' : fact.mouse_standard_flag ? 'standard' : 'off',
    },
  };
}
