import type { Diff, FileDiff, Inventory, ProjectSetup, Salvage, WorktreeEntry } from '../../src/protocol/index.js';

const AT = '2026-01-02T03:04:05.000Z';
const COMMIT = 'c'.repeat(40);

/** What a daemon tells of a worktree that holds nothing of its own. */
export function fakeInventory(given: Partial<Inventory> = {}): Inventory {
  return {
    clean: false,
    branch: 'fix',
    head: COMMIT,
    files: [],
    files_total: given.files?.length ?? 0,
    detached_commits: [],
    detached_commits_total: given.detached_commits?.length ?? 0,
    branch_commits: [],
    branch_commits_total: 0,
    nested_repositories: [],
    dirty_submodules: [],
    ...given,
  };
}

/** A repository's wish to run something, which nobody has trusted yet. */
export function fakeSetup(given: Partial<ProjectSetup> = {}): ProjectSetup {
  const hash = `sha256:${'1'.repeat(64)}`;
  return { repo: '/srv/app', hash, trusted: false, setup: 'npm ci\n', env: {}, copy: [], ports: 0, ...given };
}

export function fakeSalvage(given: Partial<Salvage> = {}): Salvage {
  const id = given.id ?? 'aaaa1111-0000-4000-8000-000000000000';
  const totals = { files_total: 2, bytes: 2048, created_at: AT };
  return { id, ref: `refs/maestro/salvage/${id}`, commit: COMMIT, base_repo: '/srv/app', branch: 'fix', name: 'api', ...totals, ...given };
}

let made = 0;

/** A worktree whose session is gone and that can go; each has an id of its own. */
export function fakeWorktree(given: Partial<WorktreeEntry> = {}): WorktreeEntry {
  made += 1;
  const id = `${made.toString(16).padStart(8, '0')}-0000-4000-8000-00000000feed`;
  const branch = given.branch ?? `branch-${made}`;
  return {
    id,
    path: `/srv/worktrees/${branch}`,
    base_repo: '/srv/app',
    branch,
    created_branch: true,
    base_commit: COMMIT,
    created_at: AT,
    state: 'left',
    inventory: fakeInventory({ clean: true }),
    removable: true,
    reason: 'its session is gone and it holds nothing',
    ...given,
  };
}

export function fakeFileDiff(given: Partial<FileDiff> = {}): FileDiff {
  return {
    path: 'a.txt',
    status: 'modified',
    additions: 1,
    deletions: 1,
    binary: false,
    hunks: [{ old_start: 1, old_lines: 2, new_start: 1, new_lines: 2, lines: [' same', '-old', '+new'] }],
    ...given,
  };
}

export function fakeDiff(files: readonly FileDiff[], given: Partial<Diff> = {}): Diff {
  const sum = (key: 'additions' | 'deletions') => files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const totals = { files_total: files.length, additions: sum('additions'), deletions: sum('deletions') };
  const listed = files.map(({ hunks: _hunks, ...file }) => file);
  return { against: 'base', root: '/srv/app', branch: 'fix', files: listed, ...totals, commits: [], commits_total: 0, ...given };
}
