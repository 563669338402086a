import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStatus, InventoryFile } from '../../protocol/index.js';
import { type Git, records } from '../git.js';
import type { WorktreePlace } from './inventory-index.js';
import { type RawPath, rawPath } from './raw-path.js';

/** One entry that git's status tells of. `staged` is what the index has at the path: a mode and an object id. */
export interface StatusEntry {
  readonly path: RawPath;
  readonly kind: InventoryFile['kind'];
  readonly status: FileStatus;
  readonly staged?: { readonly mode: string; readonly id: string };
}

export interface Status {
  /** Absent before the first commit. */
  readonly head: string | undefined;
  /** Absent on a detached HEAD. */
  readonly branch: string | undefined;
  readonly entries: readonly StatusEntry[];
  /** Directories that git does not look into, without their trailing `/`: other repositories, or ignored as a whole. */
  readonly untrackedDirectories: readonly RawPath[];
  readonly ignoredDirectories: readonly RawPath[];
  readonly ignoredFiles: readonly RawPath[];
  /** Submodules of which another commit is checked out than the index names. */
  readonly movedSubmodules: readonly RawPath[];
}

const FIXED = [
  ...['-c', 'core.ignoreStat=false', '-c', 'core.trustctime=true', '-c', 'core.checkStat=default', '-c', 'core.preloadIndex=true'],
  ...['-c', 'status.aheadBehind=false', '-c', 'core.splitIndex=false'],
];

/** What `git status` says whatever the user's configuration would have it leave out; submodules are not looked into. */
export async function readStatus(git: Git, place: WorktreePlace): Promise<Status> {
  const flags = ['--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--no-renames'];
  const scope = ['--untracked-files=all', '--ignored=matching', '--ignore-submodules=dirty'];
  const settings = [...FIXED, ...((await mindsCase(place.workTree)) ? ['-c', 'core.ignoreCase=false'] : [])];
  const output = await git.run(place, [...settings, 'status', ...flags, ...scope], { maxBytes: 1024 ** 3 });
  return parseStatus(records(output));
}

/** A repository that came from another system may say that case means nothing; git would then not show `README` beside `readme`. */
async function mindsCase(top: string): Promise<boolean> {
  const [link, other] = await Promise.all(['.git', '.GIT'].map((name) => lstat(join(top, name)).catch(() => undefined)));
  return link !== undefined && other?.ino !== link.ino;
}

interface Gathered {
  head: string | undefined;
  branch: string | undefined;
  readonly entries: StatusEntry[];
  readonly untrackedDirectories: RawPath[];
  readonly ignoredDirectories: RawPath[];
  readonly ignoredFiles: RawPath[];
  readonly movedSubmodules: RawPath[];
}

function parseStatus(all: readonly Buffer[]): Status {
  const found: Gathered = {
    ...{ head: undefined, branch: undefined, entries: [] },
    ...{ untrackedDirectories: [], ignoredDirectories: [], ignoredFiles: [], movedSubmodules: [] },
  };
  for (const record of all) {
    const text = rawPath(record);
    if (text.startsWith('# ')) header(text, found);
    else if (text.startsWith('? ')) untracked(text.slice(2), found);
    else if (text.startsWith('! ')) ignored(text.slice(2), found);
    else if (text.startsWith('1 ')) changed(text, found);
    else if (text.startsWith('u ')) found.entries.push({ path: fields(text, 10).rest, kind: 'conflicted', status: 'conflicted' });
  }
  return found;
}

function header(text: string, found: Gathered): void {
  const [, name, value] = /^# (\S+) (.*)$/s.exec(text) ?? [];
  if (name === 'branch.oid' && value !== '(initial)') found.head = value;
  if (name === 'branch.head' && value !== '(detached)' && value !== undefined) found.branch = Buffer.from(value, 'latin1').toString('utf8');
}

function untracked(path: RawPath, found: Gathered): void {
  if (path.endsWith('/')) found.untrackedDirectories.push(path.slice(0, -1));
  else found.entries.push({ path, kind: 'untracked', status: 'untracked' });
}

function ignored(path: RawPath, found: Gathered): void {
  if (path.endsWith('/')) found.ignoredDirectories.push(path.slice(0, -1));
  else found.ignoredFiles.push(path);
}

/** `1 XY sub mH mI mW hH hI path`; a path with both letters is two things: what is staged, and what is on disk. */
function changed(text: string, found: Gathered): void {
  const { before, rest: path } = fields(text, 8);
  const [, letters = '..', sub = 'N...', , mode = '000000', , , id = ''] = before;
  const [x = '.', y = '.'] = letters;
  if (x !== '.') {
    found.entries.push({ path, kind: 'staged', status: statusOf(x), ...(mode === '000000' ? {} : { staged: { mode, id } }) });
  }
  if (y === '.') return;
  if (sub.startsWith('S') && y !== 'D' && y !== 'T') found.movedSubmodules.push(path);
  else found.entries.push({ path, kind: 'modified', status: statusOf(y) });
}

function fields(text: string, count: number): { readonly before: readonly string[]; readonly rest: string } {
  let at = 0;
  const before: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const end = text.indexOf(' ', at);
    before.push(text.slice(at, end));
    at = end + 1;
  }
  return { before, rest: text.slice(at) };
}

function statusOf(letter: string): FileStatus {
  if (letter === 'A') return 'added';
  if (letter === 'D') return 'deleted';
  return letter === 'T' ? 'type_changed' : 'modified';
}
