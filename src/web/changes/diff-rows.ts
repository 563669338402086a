import type { DiffFile, FileDiff } from '../../protocol/index.js';
import { type DiffHunk, type DiffLine, readHunks } from './diff-lines.js';
import { endText, lackText } from './file-words.js';

export type DiffMode = 'unified' | 'split';

/** How much of a file there is to show. */
export type FileState =
  | { readonly kind: 'closed' }
  /** Not shown before it is asked for: it has this many changed lines. */
  | { readonly kind: 'large'; readonly lines: number }
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'ready'; readonly diff: FileDiff };

/** What a row's key begins with is the path of its file. */
export type DiffRow = { readonly key: string } & (
  | { readonly kind: 'file'; readonly file: DiffFile; readonly isOpen: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'large'; readonly path: string; readonly lines: number }
  | { readonly kind: 'failed'; readonly path: string; readonly text: string }
  | { readonly kind: 'pending'; readonly lines: number }
  | { readonly kind: 'hunk'; readonly path: string; readonly hunk: DiffHunk }
  | { readonly kind: 'line'; readonly line: DiffLine }
  | { readonly kind: 'pair'; readonly left: DiffLine | undefined; readonly right: DiffLine | undefined }
);

/** All files under each other. */
export interface DiffLayout {
  readonly files: readonly DiffFile[];
  readonly rows: readonly DiffRow[];
  /** The row of each file's head. */
  readonly heads: readonly number[];
}

/** Changed lines from which on a file waits to be asked for. */
export const LARGE_FILE = 2000;

export function isLarge({ additions = 0, deletions = 0 }: DiffFile): boolean {
  return additions + deletions > LARGE_FILE;
}

/** Lays files out, and remembers the rows of each as long as its diff stays the same. */
export class DiffRows {
  readonly #bodies: Readonly<Record<DiffMode, WeakMap<FileDiff, readonly DiffRow[]>>> = { unified: new WeakMap(), split: new WeakMap() };

  layOut(files: readonly DiffFile[], mode: DiffMode, stateOf: (file: DiffFile) => FileState): DiffLayout {
    const rows: DiffRow[] = [];
    const heads: number[] = [];
    for (const file of files) {
      const state = stateOf(file);
      heads.push(rows.length);
      rows.push({ kind: 'file', key: `${file.path}\0`, file, isOpen: state.kind !== 'closed' });
      for (const row of this.#body(file, mode, state)) rows.push(row);
    }
    return { files, rows, heads };
  }

  #body(file: DiffFile, mode: DiffMode, state: FileState): readonly DiffRow[] {
    const { path } = file;
    const key = `${path}\0${state.kind}`;
    if (state.kind === 'closed') return [];
    if (state.kind === 'large') return [{ kind: 'large', key, path, lines: state.lines }];
    if (state.kind === 'failed') return [{ kind: 'failed', key, path, text: state.text }];
    if (state.kind === 'pending') return [{ kind: 'pending', key, lines: expectedLines(file) }];
    const known = this.#bodies[mode].get(state.diff);
    const body = known ?? bodyRows(state.diff, mode);
    if (known === undefined) this.#bodies[mode].set(state.diff, body);
    return body;
  }
}

/** Some context and a head for a change that is probably in a few places. */
function expectedLines({ additions = 0, deletions = 0, binary }: DiffFile): number {
  return binary || additions + deletions === 0 ? 1 : additions + deletions + 8;
}

function bodyRows(diff: FileDiff, mode: DiffMode): readonly DiffRow[] {
  const { path } = diff;
  const hunks = readHunks(diff);
  const lack = lackText(diff);
  const end = endText(diff);
  return [
    ...(lack === undefined ? [] : [{ kind: 'text', key: `${path}\0lack`, text: lack } as const]),
    ...hunks.flatMap((hunk): DiffRow[] => [
      { kind: 'hunk', key: `${path}\0${hunk.range}`, path, hunk },
      ...(mode === 'unified' ? unifiedRows(path, hunk) : splitRows(path, hunk)),
    ]),
    ...(end === undefined ? [] : [{ kind: 'text', key: `${path}\0end`, text: end } as const]),
  ];
}

function unifiedRows(path: string, { lines }: DiffHunk): DiffRow[] {
  return lines.map((line) => ({ kind: 'line', key: `${path}\0${line.old ?? ''}:${line.now ?? ''}`, line }));
}

/** Lines that replace others stand beside them. */
function splitRows(path: string, { lines }: DiffHunk): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const pair = (left: DiffLine | undefined, right: DiffLine | undefined) =>
    rows.push({ kind: 'pair', key: `${path}\0${left?.old ?? ''}:${right?.now ?? ''}`, left, right });
  const flush = () => {
    for (let n = 0; n < Math.max(removed.length, added.length); n++) pair(removed[n], added[n]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.sign === '+') added.push(line);
    else {
      if (line.sign === ' ' || added.length > 0) flush();
      if (line.sign === '-') removed.push(line);
      else pair(line, line);
    }
  }
  flush();
  return rows;
}

/** The place of the file that a row belongs to, among the files. */
export function fileAt({ heads }: DiffLayout, row: number): number {
  let [low, high] = [0, heads.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((heads[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The next hunk's row from `row` on in a direction; undefined where there is none. */
export function nextHunk({ rows }: DiffLayout, row: number, step: 1 | -1): number | undefined {
  for (let at = row + step; at >= 0 && at < rows.length; at += step) if (rows[at]?.kind === 'hunk') return at;
  return undefined;
}
