import type { FileStatus } from '../../protocol/index.js';
import type { RawPath } from './raw-path.js';

/** One file of a comparison, as `git diff --raw` tells it. */
export interface RawChange {
  readonly status: FileStatus;
  readonly path: RawPath;
  readonly oldPath?: RawPath | undefined;
  readonly oldMode: string;
  readonly newMode: string;
  /** All zeros where there is none, and for a file on disk that git has not read. */
  readonly oldId: string;
  readonly newId: string;
}

/** Lines of one file; undefined for a file whose lines git does not count. */
export interface LineCount {
  readonly additions: number;
  readonly deletions: number;
}

export interface RawOutput {
  readonly changes: readonly RawChange[];
  readonly counts: ReadonlyMap<RawPath, LineCount | undefined>;
  /** Where the patch begins, if there is one. */
  readonly rest: number;
}

const STATUS: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
  U: 'conflicted',
};

/** Reads what `git diff --raw --numstat -z` prints, also with `--patch`. The formats: git-diff(1), "RAW OUTPUT FORMAT" and "OTHER DIFF FORMATS". */
export function parseRaw(output: Buffer): RawOutput {
  const reader = new Fields(output);
  const changes: RawChange[] = [];
  const counts = new Map<RawPath, LineCount | undefined>();
  while (reader.begins(':')) changes.push(rawChange(reader));
  while (!reader.ended && !reader.begins('\0')) addCount(reader, counts);
  return { changes, counts, rest: reader.at + 1 };
}

function rawChange(reader: Fields): RawChange {
  const [oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] = reader.next().slice(1).split(' ');
  const first = reader.next();
  const moved = /^[RC]/.test(letter);
  const path = moved ? reader.next() : first;
  return { status: STATUS[letter.charAt(0)] ?? 'modified', path, ...(moved ? { oldPath: first } : {}), oldMode, newMode, oldId, newId };
}

function addCount(reader: Fields, counts: Map<RawPath, LineCount | undefined>): void {
  const [, additions = '-', deletions = '-', name = ''] = /^([^\t]*)\t([^\t]*)\t(.*)$/s.exec(reader.next()) ?? [];
  let path = name;
  if (name === '') {
    reader.next();
    path = reader.next();
  }
  counts.set(path, additions === '-' ? undefined : { additions: Number(additions), deletions: Number(deletions) });
}

class Fields {
  readonly #output: Buffer;
  at = 0;

  constructor(output: Buffer) {
    this.#output = output;
  }

  get ended(): boolean {
    return this.at >= this.#output.length;
  }

  begins(character: string): boolean {
    return this.#output[this.at] === character.charCodeAt(0);
  }

  next(): string {
    const end = this.#output.indexOf(0, this.at);
    const stop = end < 0 ? this.#output.length : end;
    const field = this.#output.toString('latin1', this.at, stop);
    this.at = stop + 1;
    return field;
  }
}
