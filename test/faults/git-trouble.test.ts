import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Git } from '../../src/daemon/git.js';
import { openRepository, requireCommits } from '../../src/daemon/worktree/repository.js';
import { isAlive } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { SessionBench } from '../support/session-bench.js';
import { until } from '../support/until.js';

let repo: GitRepo;
let bench: SessionBench;
/** A git that does what the file `mode` beside it says, and without one what git does. */
let fake: string;

beforeEach(async () => {
  repo = await GitRepo.create();
  fake = join(repo.root, 'fake');
  await mkdir(fake);
  const script = `#!/bin/sh
case "$(cat ${fake}/mode 2>/dev/null)" in
  hang) sleep 1000 & echo $! >> ${fake}/pids; wait ;;
  missing) exit 127 ;;
  killed) kill -KILL $$ ;;
  *) PATH='${repo.env.PATH}'; exec git "$@" ;;
esac
`;
  await writeFile(join(fake, 'git'), script);
  await chmod(join(fake, 'git'), 0o755);
  bench = await SessionBench.create({ git: git() });
});

afterEach(async () => {
  await mode(undefined);
  await bench[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

const git = () => new Git({ env: { ...repo.env, PATH: `${fake}:${repo.env.PATH}` }, umask: 0o022, timeoutMs: 1_000 });
const mode = (what: string | undefined) =>
  what === undefined ? rm(join(fake, 'mode'), { force: true }) : writeFile(join(fake, 'mode'), what);
const create = (branch: string) => bench.manager.create({ command: 'exec cat', worktree: { base_repo: repo.path, branch } });

const TROUBLES = {
  hang: /did not answer within 1 s.*then try again/,
  missing: /not installed or not on the PATH of the daemon; install it, then try again/,
  killed: /was ended by SIGKILL/,
};

describe.each(Object.entries(TROUBLES))('K2, C3: while git does this: %s', (what, message) => {
  test('what needs it is refused with the cause, nothing is touched, sessions without a worktree go on, and all works afterwards', async () => {
    const owner = await create('one');
    const plain = await bench.manager.create({ command: 'exec cat', cwd: bench.dir });
    await mode(what);
    await expect(create('two')).rejects.toMatchObject({ code: 'internal', message: expect.stringMatching(message) });
    for (const force of [false, true]) {
      await expect(bench.manager.kill(owner.id, { force })).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringMatching(message),
      });
    }
    expect([bench.manager.get(owner.id).status, bench.manager.list().length]).toEqual(['running', 2]);
    expect(existsSync(owner.cwd)).toBe(true);
    await bench.manager.input(plain.id, { text: 'words', submit: true });
    await until('the words', async () => (await bench.manager.screen(plain.id, { ansi: false, history: 0 })).includes('words'));
    expect((await bench.manager.kill(plain.id)).removed).toBe(true);
    await mode(undefined);
    expect(await repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe('main\none');
    await create('two');
    expect((await bench.manager.kill(owner.id)).worktree).toBe('removed');
  });
});

test('C3: a git that hangs in the middle of making a worktree is ended with all that it started, and what it made is taken back', async () => {
  await repo.write('.gitattributes', '*.txt filter=stuck\n');
  await repo.write('a.txt', 'a');
  await repo.commit('files');
  await repo.git('config', 'filter.stuck.smudge', `echo $$ >> ${fake}/pids; sleep 1000; cat`);
  await expect(create('two')).rejects.toMatchObject({ message: expect.stringMatching(/did not answer within 1 s/) });
  const pids = readFileSync(join(fake, 'pids'), 'utf8').trim().split('\n').map(Number);
  await until('the filter to be gone', () => pids.every((pid) => !isAlive(pid)));
  expect([await repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads'), bench.manager.list()]).toEqual(['main', []]);
  expect((await repo.git('worktree', 'list', '--porcelain')).match(/^worktree /gm)).toHaveLength(1);
  expect(await readdir(bench.stateDir.worktreeRecords)).toEqual([]);
});

test('a git that said nothing is not taken for one that said no', async () => {
  const found = await openRepository(git(), repo.path);
  for (const what of ['missing', 'killed']) {
    await mode(what);
    await expect(requireCommits(git(), found)).rejects.toMatchObject({ code: 'internal', message: expect.stringMatching(/git rev-parse/) });
  }
});
