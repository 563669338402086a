import { appendFile, chmod, lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { GitRepo } from '../../support/git-repo.js';

const PATHS = ['a', 'b', 'dir/c', 'dir/d', 'dir', 'new/deep/e', 'a/under', 'x.log', 'ign/f', 'node_modules/g', 'odd "n\name', 'caf\u00e9'];

const CONTENTS = ['line\n', 'crlf\r\n', '\0binary\xff', ''];

/** One thing that a user or an agent does in a worktree. */
export type Deed = readonly [name: keyof typeof DEEDS, path: string, other: string];

interface Doing {
  readonly repo: GitRepo;
  readonly top: string;
  readonly path: string;
  readonly other: string;
  /** Never the same twice. */
  readonly fresh: () => number;
}

/** Does it, as far as it can be done: git and the file system refuse much of what chance has it do. */
export async function perform([name, path, other]: Deed, doing: Omit<Doing, 'path' | 'other'>): Promise<void> {
  await DEEDS[name]({ ...doing, path, other }).catch(() => undefined);
}

function names(): (keyof typeof DEEDS)[] {
  return Object.keys(DEEDS) as (keyof typeof DEEDS)[];
}

const DEEDS = {
  write: async ({ top, path, fresh }: Doing) => {
    const number = fresh();
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), Buffer.from(`${number} ${CONTENTS[number % CONTENTS.length]}`, 'latin1'));
  },
  append: ({ top, path, fresh }: Doing) => appendFile(join(top, path), `${fresh()}`, { flag: 'a' }),
  erase: ({ top, path }: Doing) => rm(join(top, path), { recursive: true }),
  replaceByDirectory: async ({ top, path, fresh }: Doing) => {
    await rm(join(top, path), { recursive: true, force: true });
    await mkdir(join(top, path));
    await writeFile(join(top, path, 'inside'), `${fresh()}`);
  },
  link: async ({ top, path, fresh }: Doing) => {
    await rm(join(top, path), { recursive: true, force: true });
    await symlink(`to ${fresh()}`, join(top, path));
  },
  execute: async ({ top, path }: Doing) => {
    if ((await lstat(join(top, path))).isFile()) await chmod(join(top, path), 0o755);
  },
  move: ({ top, path, other }: Doing) => rename(join(top, path), join(top, other)),
  nest: async ({ repo, top, path }: Doing) => {
    await mkdir(join(top, path), { recursive: true });
    await repo.gitAt(join(top, path), 'init', '--quiet');
  },
  add: git(({ path }) => ['add', '--', path]),
  addIgnored: git(({ path }) => ['add', '--force', '--', path]),
  addAll: git(() => ['add', '--all']),
  forget: git(({ path }) => ['rm', '--quiet', '--cached', '-r', '--', path]),
  assume: git(({ path }) => ['update-index', '--assume-unchanged', '--', path]),
  skip: git(({ path }) => ['update-index', '--skip-worktree', '--', path]),
  commit: git(({ fresh }) => ['commit', '--quiet', '--allow-empty', '-m', `commit ${fresh()}`]),
  commitAll: git(({ fresh }) => ['commit', '--quiet', '--all', '-m', `commit ${fresh()}`]),
  amend: git(({ fresh }) => ['commit', '--quiet', '--amend', '--allow-empty', '-m', `amended ${fresh()}`]),
  resetSoft: git(() => ['reset', '--quiet', '--soft', 'HEAD~1']),
  resetHard: git(() => ['reset', '--quiet', '--hard', 'HEAD~1']),
  detach: git(() => ['checkout', '--quiet', '--detach']),
  branchOff: git(({ fresh }) => ['checkout', '--quiet', '-b', `side-${fresh()}`]),
  orphan: git(({ fresh }) => ['checkout', '--quiet', '--orphan', `orphan-${fresh()}`]),
  stash: git(() => ['stash', 'push', '--quiet', '--include-untracked']),
  pop: git(() => ['stash', 'pop', '--quiet']),
  revert: git(() => ['revert', '--no-edit', 'HEAD~1']),
  bisect: git(() => ['bisect', 'start']),
  conflict: async ({ repo, top, path, fresh }: Doing) => {
    const run = (...args: string[]) => repo.gitAt(top, ...args);
    const from = await run('rev-parse', 'HEAD');
    await writeFile(join(top, path), `ours ${fresh()}\n`);
    await run('commit', '--quiet', '-m', 'ours', '--', path);
    const ours = await run('rev-parse', 'HEAD');
    await run('checkout', '--quiet', '--detach', from);
    await writeFile(join(top, path), `theirs ${fresh()}\n`);
    await run('commit', '--quiet', '-m', 'theirs', '--', path);
    await run(['merge', 'rebase', 'cherry-pick'][fresh() % 3] ?? 'merge', ours);
  },
} satisfies Record<string, (doing: Doing) => Promise<unknown>>;

function git(args: (doing: Doing) => string[]): (doing: Doing) => Promise<unknown> {
  return (doing) => doing.repo.gitAt(doing.top, ...args(doing));
}

export const deeds = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<keyof typeof DEEDS>('write', 'append', 'add') },
      { weight: 7, arbitrary: fc.constantFrom(...names()) },
    ),
    fc.constantFrom(...PATHS),
    fc.constantFrom(...PATHS),
  ),
  { minLength: 3, maxLength: 14 },
);
