import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Panes } from '../../../src/daemon/panes/panes.js';
import { nodeFiles } from '../../../src/daemon/store/file-layer.js';
import { MaestroError, type Session } from '../../../src/protocol/index.js';
import { GitRepo } from '../../support/git-repo.js';
import { SessionBench } from '../../support/session-bench.js';
import { until } from '../../support/until.js';

let bench: SessionBench;
let repo: GitRepo;
beforeEach(async () => {
  repo = await GitRepo.create();
  bench = await SessionBench.create();
});
afterEach(async () => {
  for (const { id } of bench.manager.list()) await bench.manager.kill(id, { keep_worktree: true }).catch(() => undefined);
  await bench[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

function make(command = 'exec sleep 1000'): Promise<Session> {
  return bench.manager.create({ command, worktree: { base_repo: repo.path, branch: 'feat' } });
}

async function dormant(): Promise<Session> {
  const session = await make('[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000');
  await bench.dead(session.id);
  return session;
}

const pathOf = (session: Session): string => session.worktree?.path ?? '';

/** A tmux that makes no sessions. */
function refusingPanes(panes: Panes): Panes {
  return new Proxy(panes, {
    get: (target, key) => {
      if (key === 'newSessionPiped') return () => Promise.reject(new MaestroError('tmux_unavailable', 'tmux does not answer'));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Branches, worktrees and configuration of the repository. */
async function traces(): Promise<string[]> {
  return Promise.all([repo.git('for-each-ref'), repo.git('worktree', 'list', '--porcelain'), repo.git('config', '--local', '--list')]);
}

async function removed(path: string): Promise<void> {
  await until(`${path} to be removed`, async () => !existsSync(path) && bench.sessions.context.worktrees.list().length === 0);
}

for (const place of ['before', 'behind'] as const) {
  describe(`R7: a kill while a resume is parked ${place} the spawn`, () => {
    test('is told at once, and the losing resume removes the worktree', async () => {
      const before = await traces();
      const session = await dormant();
      const parked = bench.parking.next('newSessionPiped', place);
      const resume = bench.manager.resume(session.id);
      const lost = expect(resume).rejects.toMatchObject({ code: 'not_found' });
      await parked.reached;
      expect(await bench.manager.kill(session.id)).toEqual({ removed: true, worktree: 'pending' });
      expect(existsSync(pathOf(session))).toBe(true);
      parked.release();
      await lost;
      await removed(pathOf(session));
      expect(await traces()).toEqual(before);
      expect(await bench.traces(session.id)).toEqual([]);
    });

    test('and a crash leave no ghost and no worktree', async () => {
      const before = await traces();
      const session = await dormant();
      const parked = bench.parking.next('newSessionPiped', place);
      bench.manager.resume(session.id).catch(() => undefined);
      await parked.reached;
      await bench.manager.kill(session.id);
      await bench.crash();
      await bench.open();
      expect(bench.manager.list()).toEqual([]);
      await removed(pathOf(session));
      expect(await traces()).toEqual(before);
    });

    test('with work in the worktree is refused, and the resume goes on', async () => {
      const session = await dormant();
      const parked = bench.parking.next('newSessionPiped', place);
      const resume = bench.manager.resume(session.id);
      await parked.reached;
      await writeFile(join(pathOf(session), 'work'), 'work');
      await expect(bench.manager.kill(session.id)).rejects.toMatchObject({ code: 'worktree_dirty' });
      parked.release();
      expect((await resume).status).toBe('running');
    });

    test('to keep the worktree leaves it', async () => {
      const session = await dormant();
      const parked = bench.parking.next('newSessionPiped', place);
      const lost = expect(bench.manager.resume(session.id)).rejects.toMatchObject({ code: 'not_found' });
      await parked.reached;
      expect(await bench.manager.kill(session.id, { keep_worktree: true })).toEqual({ removed: true, worktree: 'kept' });
      parked.release();
      await lost;
      expect(existsSync(pathOf(session))).toBe(true);
      await bench.crash();
      await bench.open();
      expect(existsSync(pathOf(session))).toBe(true);
    });
  });

  test(`C3: a create that a crash cuts off ${place} the making of its worktree is undone`, async () => {
    const before = await traces();
    const parked = bench.worktrees.next('make', place);
    make().catch(() => undefined);
    await parked.reached;
    await bench.crash();
    await bench.open();
    expect(bench.manager.list()).toEqual([]);
    expect(await traces()).toEqual(before);
    expect(bench.sessions.context.worktrees.list()).toEqual([]);
  });

  test(`L4: a kill that a crash cuts off ${place} the removal of the worktree is finished by the next daemon`, async () => {
    const before = await traces();
    const session = await make();
    const parked = bench.worktrees.next('remove', place);
    bench.manager.kill(session.id).catch(() => undefined);
    await parked.reached;
    await bench.crash();
    await bench.open();
    await until('the session to be gone', () => bench.manager.list().length === 0);
    await removed(pathOf(session));
    expect(await traces()).toEqual(before);
  });
}

test('C3: a create that fails in tmux leaves no worktree, branch or record', async () => {
  await bench.crash();
  await bench.open({ panes: refusingPanes });
  const before = await traces();
  await expect(make()).rejects.toMatchObject({ code: 'tmux_unavailable' });
  expect(await traces()).toEqual(before);
  expect(bench.sessions.context.worktrees.list()).toEqual([]);
  expect(bench.manager.list()).toEqual([]);
  expect(await readdir(bench.stateDir.worktreeRecords)).toEqual([]);
  expect(await readdir(bench.stateDir.worktrees).catch(() => [])).toEqual([]);
});

test('K2: a kill that a crash cuts off, with work in the worktree by then, is given up: the session is dead and keeps it', async () => {
  const session = await make();
  const parked = bench.worktrees.next('remove', 'before');
  bench.manager.kill(session.id).catch(() => undefined);
  await parked.reached;
  await writeFile(join(pathOf(session), 'work'), 'work');
  await bench.crash();
  await bench.open();
  await until('the kill to be given up', () => bench.sessions.context.registry.find(session.id)?.record.intent === undefined);
  expect(bench.manager.get(session.id)).toMatchObject({ status: 'dead', exit: { reason: 'killed' } });
  expect(existsSync(join(pathOf(session), 'work'))).toBe(true);
});

test('K2: while its worktree is removed a session is there still, and neither resumed nor killed twice', async () => {
  const session = await make();
  const parked = bench.worktrees.next('remove', 'before');
  const first = bench.manager.kill(session.id);
  await parked.reached;
  expect(bench.manager.get(session.id)).toMatchObject({ status: 'dead', exit: { reason: 'killed' } });
  await expect(bench.manager.resume(session.id)).rejects.toMatchObject({ code: 'already_running' });
  const second = bench.manager.kill(session.id, { force: true });
  parked.release();
  expect(await Promise.all([first, second])).toEqual(Array(2).fill({ removed: true, worktree: 'removed' }));
});

test('C3: what a program wrote in the worktree of a create that a crash cut off is saved', async () => {
  const parked = bench.parking.next('newSessionPiped', 'behind');
  make('echo precious > work; exec sleep 1000').catch(() => undefined);
  await parked.reached;
  const [entry] = bench.sessions.context.registry.entries();
  if (entry === undefined) throw new Error('nothing is being created');
  await until('the program to have written', () => existsSync(join(entry.record.cwd, 'work')));
  await bench.crash();
  await bench.open();
  expect(bench.manager.list()).toEqual([]);
  expect(existsSync(entry.record.cwd)).toBe(false);
  expect(await repo.git('show', `refs/maestro/salvage/${entry.id}:work`)).toBe('precious');
  expect(await bench.sessions.context.salvages.list()).toMatchObject([{ id: entry.id }]);
});

test('a worktree whose record is lost is known again from its session, and removed with it', async () => {
  const before = await traces();
  const session = await make();
  await bench.crash();
  await rm(join(bench.stateDir.worktreeRecords, `${session.id}.json`));
  await bench.open();
  expect(await bench.manager.kill(session.id)).toEqual({ removed: true, worktree: 'removed' });
  expect(await traces()).toEqual(before);
});

test('K3: a worktree whose record and link are lost is not touched by a kill, which says so', async () => {
  const session = await make();
  await bench.crash();
  await rm(join(bench.stateDir.worktreeRecords, `${session.id}.json`));
  await rm(join(pathOf(session), '.git'));
  await bench.open();
  const result = await bench.manager.kill(session.id);
  expect(result).toMatchObject({ removed: true, worktree: 'kept', warnings: [expect.stringContaining(pathOf(session))] });
  expect(existsSync(pathOf(session))).toBe(true);
});

test('K1: once the worktree is gone a disk that keeps the files of the session gives nothing back: they go with a later flush', async () => {
  let isStuck = true;
  const unlink = (path: string) => (isStuck && path.includes('/sessions/') ? Promise.reject(stuck(path)) : nodeFiles.unlink(path));
  await bench.crash();
  await bench.open({ files: { ...nodeFiles, unlink } });
  const session = await make();
  await expect(bench.manager.kill(session.id)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(existsSync(pathOf(session))).toBe(false);
  expect(() => bench.manager.get(session.id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(await bench.manager.kill(session.id)).toEqual({ removed: true, worktree: 'removed' });
  isStuck = false;
  await bench.manager.flush();
  expect(await bench.traces(session.id)).toEqual([]);
});

function stuck(path: string): Error {
  return Object.assign(new Error(`EROFS: read-only file system, unlink '${path}'`), { code: 'EROFS', errno: -30, syscall: 'unlink', path });
}
