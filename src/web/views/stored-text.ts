import { Unicode11Addon } from '@xterm/addon-unicode11';
import { type IBufferCell, type IBufferLine, Terminal } from '@xterm/xterm';
import type { Size } from '../../protocol/index.js';
import { TmuxWidths } from '../terminal/tmux-widths.js';

export interface StoredText {
  /** As `/screen?format=ansi` tells one of a running program. */
  readonly text: string;
  /** All of it was drawn by these bytes: so much has scrolled out since they began. */
  readonly isWhole: boolean;
}

/** The last screen of stored output. */
export async function storedText(bytes: Uint8Array, { cols, rows }: Size): Promise<StoredText> {
  const terminal = new Terminal({ cols, rows, scrollback: rows, allowProposedApi: true });
  TmuxWidths.use(terminal, new Unicode11Addon());
  try {
    await new Promise<void>((written) => terminal.write(bytes, written));
    const { active } = terminal.buffer;
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row));
    const text = lines.map((line) => (line === undefined ? '' : lineText(line))).join('\n');
    return { text, isWhole: active.baseY >= rows };
  } finally {
    terminal.dispose();
  }
}

function lineText(line: IBufferLine): string {
  let [text, before, end] = ['', '', 0];
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    text += `${style === before ? '' : `\u001b[0${style}m`}${cell.getChars() || ' '}`;
    before = style;
    if (cell.getChars() !== '' || style !== '') end = text.length;
  }
  return `${text.slice(0, end)}\u001b[0m`;
}

/** As the parameters of SGR, behind the first one. */
function styleOf(cell: IBufferCell): string {
  const marks: readonly (readonly [number, number])[] = [
    [cell.isBold(), 1],
    [cell.isDim(), 2],
    [cell.isItalic(), 3],
    [cell.isUnderline(), 4],
    [cell.isInverse(), 7],
    [cell.isInvisible(), 8],
    [cell.isStrikethrough(), 9],
  ];
  const set = marks.filter(([isSet]) => isSet !== 0).map(([, code]) => `;${code}`);
  return `${set.join('')}${colorOf(cell, 'Fg')}${colorOf(cell, 'Bg')}`;
}

function colorOf(cell: IBufferCell, plane: 'Fg' | 'Bg'): string {
  const code = plane === 'Fg' ? 38 : 48;
  const [color, isPalette, isRgb] =
    plane === 'Fg' ? [cell.getFgColor(), cell.isFgPalette(), cell.isFgRGB()] : [cell.getBgColor(), cell.isBgPalette(), cell.isBgRGB()];
  if (isPalette) return `;${code};5;${color}`;
  return isRgb ? `;${code};2;${(color >> 16) & 255};${(color >> 8) & 255};${color & 255}` : '';
}
