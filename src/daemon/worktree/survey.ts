import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitOperation } from '../../protocol/index.js';
import type { Git } from '../git.js';
import { operationIn } from './git-state-operation.js';
import { type IndexConflict, type IndexFacts, UnreadableWorktree, type WorktreePlace, withOpenIndex } from './inventory-index.js';
import { readStatus, type Status, type StatusEntry } from './inventory-status.js';
import { type Walked, walkWorktree } from './nested-repositories.js';
import { onDisk, type RawPath } from './raw-path.js';
import { Regenerable } from './regenerable.js';
import { isSameInMain } from './same-in-main.js';
import { someAtOnce } from './some-at-once.js';
import { dirtySubmodules } from './submodules.js';

export interface SurveyFile extends StatusEntry {
  /** Absent where nothing is at the path. */
  readonly stats?: BigIntStats;
  /** A directory that cannot be looked into. */
  readonly unreadable?: boolean;
}

/** All that a worktree holds beyond the commits of refs, by path: an inventory without limits, with exact paths. */
export interface Survey {
  readonly head: string | undefined;
  readonly branch: string | undefined;
  readonly files: readonly SurveyFile[];
  readonly conflicts: readonly IndexConflict[];
  readonly nested: readonly RawPath[];
  readonly dirtySubmodules: readonly RawPath[];
  readonly operation: GitOperation | undefined;
  /** A digest of the index, HEAD and HEAD's log, from before anything else was looked at. */
  readonly mark: string;
}

export interface SurveyOptions {
  /** Where the main worktree is, if there is one: an ignored file that is the same there is no loss. */
  readonly main?: string | undefined;
}

/** Changes nothing. Rejects with {@link UnreadableWorktree} or a GitError where the repository or the index cannot be read. */
export async function surveyWorktree(git: Git, place: WorktreePlace, options: SurveyOptions = {}): Promise<Survey> {
  const mark = await markOf(place.gitDir);
  return withOpenIndex(git, place, async (index) => ({ ...(await survey(git, place, { index, ...options })), mark }));
}

async function survey(
  git: Git,
  place: WorktreePlace,
  { index, main }: SurveyOptions & { readonly index: IndexFacts },
): Promise<Omit<Survey, 'mark'>> {
  const status = await readStatus(git, index.place);
  if (!index.exists && status.head !== undefined) throw new UnreadableWorktree(`its index is missing (${place.gitDir}/index)`);
  const regenerable = new Regenerable(place.workTree);
  const walked = await walkWorktree({
    ...{ top: place.workTree, regenerable, ignoredDirectories: status.ignoredDirectories },
    submodules: new Set(index.submodules.map(({ path }) => path)),
    unknownFiles: new Set([...status.ignoredFiles, ...status.entries.filter(({ kind }) => kind === 'untracked').map(({ path }) => path)]),
  });
  const nested = nestedIn(status, walked);
  const entries = [...status.entries, ...(await ignoredEntries(status, walked, { regenerable, top: place.workTree, main }))];
  const files = await withStats(
    place.workTree,
    entries.filter(({ path }) => !isInside(path, nested)),
  );
  const dirty = await dirtySubmodules(git, place, { ...index, hasWork: async (inside) => holdsWork(await surveyWorktree(git, inside)) });
  return {
    ...{ head: status.head, branch: status.branch, conflicts: index.conflicts, operation: await operationIn(place.gitDir) },
    files: [...files, ...walked.unreadable.map((path) => unreadableAt(path))].sort(byPath),
    nested: [...nested].sort(inOrder),
    dirtySubmodules: [...new Set([...dirty, ...status.movedSubmodules])].sort(inOrder),
  };
}

/** Tells a git that was at work in between, also one that left HEAD where it was. */
export async function markOf(gitDir: string): Promise<string> {
  const digest = createHash('sha256');
  for (const name of ['index', 'HEAD', 'logs/HEAD', 'reftable/tables.list']) {
    digest.update(await readFile(join(gitDir, name)).catch(() => '')).update(`\0${name}\0`);
  }
  return digest.digest('hex');
}

/** True where removing the worktree would lose something; commits are counted elsewhere. */
export function holdsWork(survey: Survey): boolean {
  return survey.files.length + survey.nested.length + survey.dirtySubmodules.length > 0 || survey.operation !== undefined;
}

function nestedIn(status: Status, walked: Walked): ReadonlySet<RawPath> {
  return new Set([...walked.nested, ...status.untrackedDirectories]);
}

function isInside(path: RawPath, directories: ReadonlySet<RawPath>): boolean {
  if (directories.size === 0) return false;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (directories.has(path.slice(0, at))) return true;
  }
  return false;
}

interface IgnoredParts {
  readonly regenerable: Regenerable;
  readonly top: string;
  readonly main: string | undefined;
}

async function ignoredEntries(status: Status, walked: Walked, { regenerable, top, main }: IgnoredParts): Promise<StatusEntry[]> {
  const entries: StatusEntry[] = [];
  const candidates = [...new Set([...status.ignoredFiles, ...walked.ignoredFiles])];
  await someAtOnce(candidates, 32, async (path) => {
    if (await regenerable.holds(path)) return;
    if (main !== undefined && (await isSameInMain(path, { top, main }))) return;
    entries.push({ path, kind: 'ignored', status: 'untracked' });
  });
  return entries;
}

async function withStats(top: string, entries: readonly StatusEntry[]): Promise<SurveyFile[]> {
  const files: SurveyFile[] = [];
  await someAtOnce([...entries], 64, async (entry) => {
    const stats = await lstat(onDisk(top, entry.path), { bigint: true }).catch(() => undefined);
    files.push({ ...entry, ...(stats === undefined ? {} : { stats }) });
  });
  return files;
}

function unreadableAt(path: RawPath): SurveyFile {
  return { path, kind: 'untracked', status: 'untracked', unreadable: true };
}

function byPath(a: SurveyFile, b: SurveyFile): number {
  return inOrder(a.path, b.path) || inOrder(a.kind, b.kind);
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
