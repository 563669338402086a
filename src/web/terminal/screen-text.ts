import { DEFAULT_STYLE, restyle, type TextStyle } from './text-style.js';

/** How many columns characters take; what comes before a character decides with which it is one. */
export interface CharacterWidths {
  charProperties(codepoint: number, preceding: number): number;
}

/** Text of one look. */
export interface TextRun {
  readonly text: string;
  /** Where it begins. */
  readonly column: number;
  /** How many columns it takes. */
  readonly width: number;
  readonly style: TextStyle;
}

export type ScreenRow = readonly TextRun[];

const TOKEN = /\u001b\[([\d:;]*)m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|[\n\u000e\u000f]|[^\n\u000e\u000f\u001b]+/g;

/** What DEC's line drawing set has in place of the letters from backquote on. */
const LINES = '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';

/**
 * The rows of a screen as `/screen?format=ansi` tells it. There a row that went on in the next one is joined with it, so that it has to be
 * broken where the terminal ends.
 */
export function parseScreen(text: string, cols: number, widths: CharacterWidths): ScreenRow[] {
  const rows = new RowWriter(cols, widths);
  let drawsLines = false;
  for (const [token, sgr] of text.replace(/\n$/, '').matchAll(TOKEN)) {
    if (sgr !== undefined) rows.style = restyle(rows.style, sgr);
    else if (token === '\n') rows.next();
    else if (token === '\u000e') drawsLines = true;
    else if (token === '\u000f') drawsLines = false;
    else if (!token.startsWith('\u001b')) rows.write(drawsLines ? withLines(token) : token);
  }
  return rows.end();
}

function withLines(text: string): string {
  return text.replace(/[`-~]/g, (letter) => LINES[letter.charCodeAt(0) - 0x60] ?? letter);
}

class RowWriter {
  style: TextStyle = DEFAULT_STYLE;
  readonly #cols: number;
  readonly #widths: CharacterWidths;
  readonly #rows: ScreenRow[] = [];
  #row: TextRun[] = [];
  #column = 0;
  /** The last run is plain text, and goes on with more of it. */
  #isOpen = false;

  constructor(cols: number, widths: CharacterWidths) {
    this.#cols = cols;
    this.#widths = widths;
  }

  next(): void {
    this.#rows.push(this.#row);
    this.#row = [];
    this.#column = 0;
  }

  end(): ScreenRow[] {
    this.next();
    return this.#rows;
  }

  write(text: string): void {
    for (const { cluster, width } of clustersOf(text, this.#widths)) {
      if (this.#column > 0 && this.#column + width > this.#cols) this.next();
      this.#put(cluster, width);
      this.#column += width;
    }
  }

  /** ASCII goes on in one run; anything else is a run of its own, which says where what follows begins. */
  #put(text: string, width: number): void {
    const isPlain = text.length === 1 && text <= '~';
    const last = this.#row.at(-1);
    if (isPlain && this.#isOpen && last?.style === this.style)
      this.#row[this.#row.length - 1] = { ...last, text: last.text + text, width: last.width + 1 };
    else this.#row.push({ text, column: this.#column, width, style: this.style });
    this.#isOpen = isPlain;
  }
}

const JOINS = 1;

/** Characters with what combines with them. */
function* clustersOf(text: string, widths: CharacterWidths): Generator<{ cluster: string; width: number }> {
  let [cluster, width, preceding] = ['', 0, 0];
  for (const character of text) {
    const properties = widths.charProperties(character.codePointAt(0) ?? 0, preceding);
    if (cluster !== '' && (properties & JOINS) === 0) {
      yield { cluster, width };
      cluster = '';
    }
    cluster += character;
    width = (properties >> 1) & 3;
    preceding = properties;
  }
  if (cluster !== '') yield { cluster, width };
}
