import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applySalvage } from '../../../src/daemon/worktree/salvage-apply.js';
import { readSalvage } from '../../../src/daemon/worktree/salvage-read.js';
import type { WorktreeRecord } from '../../../src/daemon/worktree-record.js';
import { MaestroError } from '../../../src/protocol/index.js';
import { type Deed, deeds, perform } from './random-work.js';
import { addWorktree, WorktreeBench } from './worktree-bench.js';

const FILES = { a: 'a\n', b: 'b\n', 'dir/c': 'c\n', 'dir/d': 'd\n', '.gitignore': '*.log\nign/\nnode_modules/\n' };
const RUNS = 450;

test('K2: whatever was done in a worktree, its removal loses no byte and no commit, and a salvage brings the files back', {
  timeout: 900_000,
}, async () => {
  await using bench = await WorktreeBench.create({ files: FILES });
  let number = 0;
  const fresh = () => ++number;
  await fc.assert(
    fc.asyncProperty(deeds, async (work) => {
      const record = await addWorktree(bench.repo, `work-${fresh()}`);
      const commits = await performAll(bench, { record, work, fresh });
      await check(bench, record, commits);
    }),
    { numRuns: RUNS, endOnFailure: false },
  );
});

interface Work {
  readonly record: WorktreeRecord;
  readonly work: readonly Deed[];
  readonly fresh: () => number;
}

/** Answers each commit that there was in between. */
async function performAll(bench: WorktreeBench, { record, work, fresh }: Work): Promise<Set<string>> {
  const commits = new Set<string>();
  for (const deed of work) {
    await perform(deed, { repo: bench.repo, top: record.path, fresh });
    const head = await bench.repo.gitAt(record.path, 'rev-parse', '--verify', '--quiet', 'HEAD').catch(() => undefined);
    if (head !== undefined) commits.add(head);
  }
  return commits;
}

async function check(bench: WorktreeBench, record: WorktreeRecord, commits: ReadonlySet<string>): Promise<void> {
  const before = await stateOf(bench, record);
  const isNested = [...before.files.keys()].some((path) => path.endsWith('.git/HEAD') && !before.optional.has(path));
  let removal = await removed(bench, record, false);
  if (removal === 'refused') {
    expect(await stateOf(bench, record)).toEqual(before);
    removal = await removed(bench, record, true);
    if (isNested) expect(removal).toBe('refused');
    else if (!before.hasOptionalRepository) expect(removal).toBe('removed');
  }
  if (removal === 'refused') return expect(await stateOf(bench, record)).toEqual(before);
  const held = await heldObjects(bench);
  expect([...commits].filter((id) => !held.has(id))).toEqual([]);
  expect(before.index.filter(({ id }) => !held.has(id))).toEqual([]);
  const worth = new Map([...before.files].filter(([path]) => !before.optional.has(path)));
  expect([...worth].filter(([, { blob }]) => !held.has(blob))).toEqual([]);
  await checkRestored(bench, record, { ...before, worth });
}

async function removed(bench: WorktreeBench, record: WorktreeRecord, salvage: boolean): Promise<'removed' | 'refused'> {
  try {
    await bench.remove({ record, salvage });
    return 'removed';
  } catch (error) {
    if (error instanceof MaestroError && error.code === 'worktree_dirty') return 'refused';
    throw error;
  }
}

interface Saved {
  readonly worth: ReadonlyMap<string, FileState>;
  readonly index: readonly IndexEntry[];
  /** Files in `node_modules` that are not tracked may be lost; tracked ones that were marked as needless on disk may come back. */
  readonly optional: ReadonlySet<string>;
}

async function checkRestored(bench: WorktreeBench, record: WorktreeRecord, { worth, index, optional }: Saved): Promise<void> {
  const content = await readSalvage(bench.git, record);
  if (content === undefined || content.manifest.index === undefined) return;
  const again = await addWorktree(bench.repo, `again-${record.branch}`, { base: content.head });
  await applySalvage(bench.git, again, content);
  const restored = await stateOf(bench, again);
  expect(new Map([...restored.files].filter(([path]) => worth.has(path) || !optional.has(path)))).toEqual(worth);
  expect(restored.index).toEqual(index);
}

interface FileState {
  readonly blob: string;
  readonly kind: string;
}

interface IndexEntry {
  readonly id: string;
  readonly entry: string;
}

interface State {
  readonly files: Map<string, FileState>;
  readonly index: IndexEntry[];
  readonly optional: Set<string>;
  readonly hasOptionalRepository: boolean;
}

async function stateOf(bench: WorktreeBench, record: WorktreeRecord): Promise<State> {
  const files = new Map<string, FileState>();
  for (const entry of await readdir(record.path, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const relative = path.slice(record.path.length + 1);
    if (entry.isDirectory() || relative === '.git') continue;
    const content = entry.isSymbolicLink() ? await readlink(path, 'buffer') : await readFile(path);
    const kind = entry.isSymbolicLink() ? 'link' : ((await lstat(path)).mode & 0o111) === 0 ? 'file' : 'program';
    files.set(relative, { blob: createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex'), kind });
  }
  const listed = await bench.repo.gitAt(record.path, 'ls-files', '-s', '-z');
  const index = listed.split('\0').filter((entry) => entry !== '' && !entry.startsWith('160000'));
  const tagged = (await bench.repo.gitAt(record.path, 'ls-files', '-t', '-z')).split('\0');
  const tracked = new Set(tagged.map((line) => line.slice(2)));
  const regenerable = [...files.keys()].filter((path) => path.split('/').includes('node_modules') && !tracked.has(path));
  const sparse = tagged.filter((line) => line.startsWith('S ') && !files.has(line.slice(2))).map((line) => line.slice(2));
  const hasOptionalRepository = regenerable.some((path) => path.endsWith('.git/HEAD'));
  const entries = index.map((entry) => ({ entry, id: entry.split(' ')[1] ?? '' }));
  return { files, index: entries, optional: new Set([...regenerable, ...sparse]), hasOptionalRepository };
}

/** All that a branch, a stash or a salvage holds. */
async function heldObjects(bench: WorktreeBench): Promise<Set<string>> {
  const stashes = (await bench.repo.git('stash', 'list', '--format=%H')).split('\n').filter((id) => id !== '');
  const listed = await bench.repo.git('rev-list', '--objects', '--all', ...stashes);
  return new Set(listed.split('\n').map((line) => line.split(' ')[0] ?? ''));
}
