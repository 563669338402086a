import type { ScreenColors } from './screen-colors.js';
import type { ScreenRow, TextRun } from './screen-text.js';
import type { TextStyle } from './text-style.js';

/** How large things are, in pixels of the page. */
export interface PaintSize {
  readonly width: number;
  readonly height: number;
  /** Pixels of the device for each. */
  readonly pixelRatio: number;
  /** What the terminal's own size is multiplied with. */
  readonly scale: number;
}

export interface PaintFont {
  readonly family: string;
  readonly size: number;
  readonly lineHeight: number;
}

export interface PaintOptions {
  readonly size: PaintSize;
  readonly font: PaintFont;
  readonly colors: ScreenColors;
}

/** Draws a screen small: its end where it does not fit, and never its right side, as text that is too small to read says nothing. */
export function paintScreen(canvas: HTMLCanvasElement, rows: readonly ScreenRow[], options: PaintOptions): void {
  const { width, height, pixelRatio, scale } = options.size;
  canvas.width = Math.round(width * pixelRatio);
  canvas.height = Math.round(height * pixelRatio);
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null || canvas.width === 0 || canvas.height === 0) return;
  context.fillStyle = options.colors.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(pixelRatio * scale, pixelRatio * scale);
  new RowPainter(context, options).paint(visible(rows, Math.floor(height / scale / options.font.lineHeight)));
}

function visible(rows: readonly ScreenRow[], room: number): readonly ScreenRow[] {
  const end = rows.findLastIndex((row) => row.some(isSeen)) + 1;
  return rows.slice(Math.max(0, end - room), end);
}

function isSeen({ text, style: { background, inverse, underline } }: TextRun): boolean {
  return background !== undefined || inverse === true || underline === true || text.trim() !== '';
}

class RowPainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #options: PaintOptions;
  readonly #cell: number;

  constructor(context: CanvasRenderingContext2D, options: PaintOptions) {
    this.#context = context;
    this.#options = options;
    context.textBaseline = 'middle';
    context.font = fontOf({}, options.font);
    this.#cell = context.measureText('W').width;
  }

  paint(rows: readonly ScreenRow[]): void {
    rows.forEach((row, at) => {
      for (const run of row) if (isSeen(run)) this.#paintRun(run, at * this.#options.font.lineHeight);
    });
  }

  #paintRun({ text, column, width, style }: TextRun, top: number): void {
    const context = this.#context;
    const { font, colors } = this.#options;
    const { ink, paper } = colors.of(style);
    const [left, length] = [column * this.#cell, width * this.#cell];
    if (paper !== undefined) {
      context.fillStyle = paper;
      context.fillRect(left, top, length + 0.5, font.lineHeight + 0.5); // no seams between neighbours
    }
    context.fillStyle = ink;
    context.font = fontOf(style, font);
    context.fillText(text, left, top + font.lineHeight / 2, length);
    if (style.underline === true) context.fillRect(left, top + font.lineHeight - 2, length, 1);
    if (style.struck === true) context.fillRect(left, top + font.lineHeight / 2, length, 1);
  }
}

function fontOf({ bold, italic }: TextStyle, { family, size }: PaintFont): string {
  return `${italic === true ? 'italic ' : ''}${bold === true ? 'bold ' : ''}${size}px ${family}`;
}
