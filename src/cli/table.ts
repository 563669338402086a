import { displayWidth, fitWidth, padWidth } from './display-width.js';
import type { Output, Style } from './output.js';
import { printable } from './printable.js';

export interface Column {
  readonly title: string;
  /** The column may shrink to this width to fit the terminal. Absent: it never shrinks. */
  readonly least?: number;
  /** Which side of a text that does not fit is left out. Default the end. */
  readonly leaveOut?: 'end' | 'start';
}

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

const GAP = '  ';

/** Lines of an aligned table, its texts made printable, no wider than the terminal. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[], output: Output): string[] {
  const heading = columns.map(({ title }): Cell => ({ text: title, style: 'bold' }));
  const cells = [heading, ...rows].map((row) => row.map((cell) => ({ ...cell, text: printable(cell.text) })));
  const widths = columnWidths(columns, cells, output.width);
  return cells.map((row) => {
    const texts = row.map((cell, at) => {
      const width = widths[at] ?? 0;
      const text = fitWidth(cell.text, width, columns[at]?.leaveOut);
      const padded = at === row.length - 1 ? text : padWidth(text, width);
      return cell.style === undefined ? padded : output.style(cell.style, padded);
    });
    return texts.join(GAP).trimEnd();
  });
}

/** As wide as the widest text; too wide together, the widest columns that may shrink do. */
function columnWidths(columns: readonly Column[], rows: readonly (readonly Cell[])[], limit: number | undefined): number[] {
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at]?.text ?? ''))));
  if (limit === undefined) return widths;
  const total = () => widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  for (let over = total() - limit; over > 0; over--) {
    const widest = widestShrinkable(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function widestShrinkable(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let found: number | undefined;
  for (const [at, { least }] of columns.entries()) {
    const width = widths[at] ?? 0;
    if (least !== undefined && width > least && width > (found === undefined ? 0 : (widths[found] ?? 0))) found = at;
  }
  return found;
}
