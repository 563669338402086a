import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Panes } from '../../src/daemon/panes/panes.js';
import { MaestroError, type Session } from '../../src/protocol/index.js';
import { CrashPoint } from '../support/crash-point.js';
import { GitRepo } from '../support/git-repo.js';
import { SessionBench } from '../support/session-bench.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

let bench: SessionBench;
afterEach(() => bench[Symbol.asyncDispose]());

async function tmux(...args: string[]): Promise<string> {
  return (await run('tmux', ['-S', join(bench.stateDir.run, 'tmux.sock'), ...args])).stdout.trim();
}

describe('L4: a recovery that is itself cut off by a crash at any durable step', () => {
  let point: CrashPoint;
  let crashes: number;
  beforeEach(async () => {
    point = new CrashPoint();
    crashes = 0;
    bench = await SessionBench.create({ panes: point.panes, files: point.files });
  });

  /** A session whose program ends with status 3 while no daemon runs: its dead pane is all that knows of that. */
  async function endedUnseen(): Promise<string> {
    const go = join(bench.dir, `go-${crashes}`);
    const command = `until [ -e ${go} ]; do sleep 0.02; done; echo last words; exit 3`;
    const { id } = await bench.manager.create({ cwd: bench.dir, command });
    await bench.crash();
    await writeFile(go, '');
    await until('the pane to be dead', async () => (await tmux('list-panes', '-t', `=${id}`, '-F', '#{pane_dead}')) === '1');
    return id;
  }

  /** Opens as the next daemon does: cut off at the `at`th step, and then once more. False when there is no such step. */
  async function openTwice(at: number): Promise<boolean> {
    const parts = { panes: point.panes, files: point.files };
    point.arm(at);
    const outcome = await Promise.race([point.reached.then(() => 'crashed'), bench.open(parts).then(() => 'done')]);
    point.arm(Number.POSITIVE_INFINITY);
    if (outcome === 'done') return false;
    crashes += 1;
    await bench.crash();
    await bench.open(parts);
    return true;
  }

  /** Leaves no tombstone either: each one that is found is a step more for the next recovery. */
  async function forget(id: string): Promise<void> {
    await bench.manager.kill(id);
    await rm(join(bench.stateDir.trash, id));
  }

  const DEAD = { status: 'dead', exit: { code: 3, reason: 'exited' } };

  test('still knows how a program ended that ended while no daemon ran', async () => {
    for (let at = 1; ; at += 1) {
      const id = await endedUnseen();
      if (!(await openTwice(at))) break;
      expect(bench.manager.get(id)).toMatchObject(DEAD);
      expect(await bench.tmux.listSessions()).toEqual([]);
      await forget(id);
    }
    expect(crashes).toBeGreaterThan(4);
  });

  test('does not lose a session whose record on disk was lost before', async () => {
    for (let at = 1; ; at += 1) {
      const id = await endedUnseen();
      await rm(bench.stateDir.sidecar(id));
      if (!(await openTwice(at))) break;
      expect(bench.manager.list()).toMatchObject([{ id, ...DEAD }]);
      await forget(id);
    }
    expect(crashes).toBeGreaterThan(4);
  });
});

test('K2: a kill with a worktree that a crash cuts off before its dead pane is out of tmux is finished by recovery', async () => {
  await using repo = await GitRepo.create();
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ command: 'exec sleep 1000', worktree: { base_repo: repo.path, branch: 'feat' } });
  const parked = bench.parking.next('killSession', 'before');
  void bench.manager.kill(id).catch(() => undefined);
  await parked.reached;
  await until('the pane to be dead', async () => (await tmux('list-panes', '-t', `=${id}`, '-F', '#{pane_dead}')) === '1');
  await bench.crash();
  await bench.open();
  await until('the session to be gone', () => bench.manager.list().length === 0);
  expect(await bench.traces(id)).toEqual([]);
  expect(await repo.git('worktree', 'list', '--porcelain')).not.toContain('feat');
});

test('L2: a dead pane that tmux did not let go of at once goes with a later look, so that its session can be resumed', async () => {
  let refusals = 1;
  const panes = (real: Panes): Panes =>
    new Proxy(real, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (key === 'killSession' && refusals-- > 0)
          return () => Promise.reject(new MaestroError('tmux_unavailable', 'tmux does not answer'));
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  bench = await SessionBench.create({ panes });
  const { id } = await bench.manager.create({ cwd: bench.dir, command: '[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000' });
  await bench.dead(id);
  await until('the dead pane to be gone', async () => (await bench.tmux.listSessions()).length === 0);
  const session: Session = await bench.manager.resume(id);
  expect(session.status).toBe('running');
});
