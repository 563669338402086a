import type { Hunk } from '../../protocol/index.js';
import { type RawPath, shown } from './raw-path.js';

export interface PatchHunks {
  readonly hunks: readonly Hunk[];
  /** There were more lines than asked for. */
  readonly cut: boolean;
}

interface HunksOptions {
  /** The line that begins each part of the file of the patch, as {@link patchHead} makes it. */
  readonly head: string;
  readonly maxLines: number;
}

const NEWLINE = 10;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;

/**
 * The hunks of one file in a patch. Lines of a hunk are taken by the counts in its head, so that no content is ever taken for a head; a
 * file whose type changed has two parts, one that ends the old file and one that begins the new.
 */
export function parseHunks(patch: Buffer, { head, maxLines }: HunksOptions): PatchHunks {
  const lines = new Lines(patch);
  const hunks: Hunk[] = [];
  let left = maxLines;
  let ours = false;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const text = line.toString('latin1');
    if (text.startsWith('diff --')) ours = text === head;
    const counts = HUNK.exec(text);
    if (counts === null) continue;
    const hunk = readHunk(lines, startOf(counts));
    if (!ours) continue;
    if (hunk.lines.length > left) return { hunks: left === 0 ? hunks : [...hunks, shortened(hunk, left)], cut: true };
    hunks.push(hunk);
    left -= hunk.lines.length;
  }
  return { hunks, cut: false };
}

/** The first line of a file's part of a patch, one character for each byte. */
export function patchHead(oldPath: RawPath, path: RawPath): RawPath {
  return `diff --git ${quoted(`a/${oldPath}`)} ${quoted(`b/${path}`)}`;
}

type HunkStart = Omit<Hunk, 'lines'>;

function startOf([, oldStart, oldLines = '1', newStart, newLines = '1', section = '']: RegExpExecArray): HunkStart {
  return {
    old_start: Number(oldStart),
    old_lines: Number(oldLines),
    new_start: Number(newStart),
    new_lines: Number(newLines),
    ...(section === '' ? {} : { section: shown(section) }),
  };
}

function readHunk(source: Lines, start: HunkStart): Hunk {
  const lines: string[] = [];
  let oldLeft = start.old_lines;
  let newLeft = start.new_lines;
  while (oldLeft > 0 || newLeft > 0 || source.begins('\\')) {
    const line = source.next()?.toString('utf8');
    if (line === undefined) break;
    if (line.startsWith('-') || line.startsWith(' ')) oldLeft -= 1;
    if (line.startsWith('+') || line.startsWith(' ')) newLeft -= 1;
    lines.push(line);
  }
  return { ...start, lines };
}

/** The first `count` lines of a hunk, with counts that fit them. */
function shortened(hunk: Hunk, count: number): Hunk {
  const lines = hunk.lines.slice(0, count);
  const counted = (marks: string) => lines.filter((line) => marks.includes(line.charAt(0))).length;
  return { ...hunk, old_lines: counted(' -'), new_lines: counted(' +'), lines };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** As git writes a name with `core.quotePath` off: as in C where it holds a control character, a quote or a backslash. */
function quoted(name: string): string {
  const escaped = name.replace(/[\x00-\x1f\x7f"\\]/g, (character) => ESCAPES[character] ?? octal(character));
  return escaped === name ? name : `"${escaped}"`;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

class Lines {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  begins(character: string): boolean {
    return this.#bytes[this.#at] === character.charCodeAt(0);
  }

  /** The next line without its line feed; a carriage return stays. */
  next(): Buffer | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    const stop = end < 0 ? this.#bytes.length : end;
    const line = this.#bytes.subarray(this.#at, stop);
    this.#at = stop + 1;
    return line;
  }
}
