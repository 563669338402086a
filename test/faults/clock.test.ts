import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LoginCodes } from '../../src/daemon/api/login-codes.js';
import { type Clock, systemClock } from '../../src/daemon/clock.js';
import { ClockWatch } from '../../src/daemon/clock-watch.js';
import { BrowserSessions } from '../../src/daemon/store/browser-sessions.js';
import type { Salvage, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { SessionBench } from '../support/session-bench.js';
import { until } from '../support/until.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The wall's clock can be set, as by a hand or a time server; the other one goes on evenly. */
class SetClock implements Clock {
  #off = 0;
  #passed = 0;
  now = () => systemClock.now() + this.#off + this.#passed;
  monotonic = () => systemClock.monotonic() + this.#passed;
  jump(ms: number): void {
    this.#off += ms;
  }
  pass(ms: number): void {
    this.#passed += ms;
  }
}

describe('whether the clock may be deleted by', () => {
  test('it may while it goes on evenly, however long, and though the host was off for a night', () => {
    const clock = new SetClock();
    const watch = new ClockWatch(clock, { last_sign_of_life: new Date(clock.now() - 14 * HOUR).toISOString() });
    for (let day = 0; day < 400; day += 1) {
      expect(watch.mayDelete).toBe(true);
      clock.pass(DAY);
    }
    expect(watch.doubtedAt).toBeUndefined();
  });

  test.each([YEAR, -YEAR, 3 * DAY])('after a jump of %i ms it may not for a day, in this daemon and the next', (jump) => {
    const clock = new SetClock();
    const watch = new ClockWatch(clock);
    clock.jump(jump);
    expect(watch.mayDelete).toBe(false);
    clock.pass(23 * HOUR);
    expect(watch.mayDelete).toBe(false);
    const next = new ClockWatch(clock, { last_sign_of_life: new Date(clock.now() - 5000).toISOString(), doubted_at: watch.doubtedAt });
    expect(next.mayDelete).toBe(false);
    clock.pass(2 * HOUR);
    expect([watch.mayDelete, next.mayDelete]).toEqual([true, true]);
  });

  test('a clock that was put right is not doubted for years: the day counts from then', () => {
    const clock = new SetClock();
    const watch = new ClockWatch(clock);
    clock.jump(10 * YEAR);
    watch.look();
    clock.jump(-10 * YEAR);
    expect(watch.mayDelete).toBe(false);
    clock.pass(25 * HOUR);
    expect(watch.mayDelete).toBe(true);
  });
});

describe('sessions, when the clock is set', () => {
  let bench: SessionBench;
  const clock = new SetClock();
  afterEach(() => bench[Symbol.asyncDispose]());

  test('back: nothing is pruned, no tombstone is forgotten, and a tmux that is lost makes no exit a loss', async () => {
    bench = await SessionBench.create({ clock });
    const over = await bench.manager.create({ command: 'exit 3', cwd: bench.dir });
    const running = await bench.manager.create({ command: 'exec cat', cwd: bench.dir });
    const killed = await bench.manager.create({ command: 'exec cat', cwd: bench.dir });
    await bench.dead(over.id);
    await bench.manager.kill(killed.id);
    clock.jump(-YEAR);
    await bench.manager.prune(1000);
    expect(existsSync(bench.stateDir.tombstone(killed.id))).toBe(true);
    const pid = bench.tmux.serverIdentity?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await until('the loss', () => bench.manager.get(running.id).status === 'dormant');
    expect(bench.manager.get(over.id)).toMatchObject({ status: 'dead', exit: { code: 3, reason: 'exited' } });
    await bench.crash();
    await bench.open({ clock, lastSign: clock.now() });
    expect(bench.manager.get(over.id)).toMatchObject({ status: 'dead', exit: { code: 3, reason: 'exited' } });
  });

  test.each([YEAR, -YEAR])('by %i ms in the middle of a resume: it is judged by how long the program lived (R9)', async (jump) => {
    bench = await SessionBench.create({ clock, confirmMs: 60_000 });
    const { id } = await bench.manager.create({ command: 'test -e fails && read go && exit 1; exit 0', cwd: bench.dir });
    await bench.dead(id);
    await writeFile(join(bench.dir, 'fails'), '');
    await bench.manager.resume(id);
    clock.jump(jump);
    await bench.manager.input(id, { keys: ['Enter'] });
    await until('the end', () => bench.manager.get(id).status !== 'running');
    expect(bench.manager.get(id)).toMatchObject({ status: 'dormant', exit: { code: 1, reason: 'resume_failed' } });
  });

  test.each([YEAR, -YEAR])('by %i ms: a resume that has lived long enough is confirmed', async (jump) => {
    bench = await SessionBench.create({ clock, confirmMs: 30_000 });
    const { id } = await bench.manager.create({ command: 'test -e stays && exec cat; exit 0', cwd: bench.dir });
    await bench.dead(id);
    await writeFile(join(bench.dir, 'stays'), '');
    await bench.manager.resume(id);
    clock.jump(jump);
    expect((await bench.sidecar(id)).intent).toMatchObject({ kind: 'resume' });
    clock.pass(31_000);
    await until('the confirmation', async () => (await bench.sidecar(id)).intent === undefined);
  });
});

describe('logins, when the clock is set', () => {
  test('a login code is good for its minutes, whatever the clock says', () => {
    const clock = new SetClock();
    const codes = new LoginCodes(clock);
    const { code } = codes.issue();
    clock.jump(YEAR);
    expect(codes.redeem(code)).toBe('accepted');
    const other = codes.issue().code;
    clock.jump(-2 * YEAR);
    clock.pass(16 * 60_000);
    expect(codes.redeem(other)).toBe('refused');
  });

  test('a browser that a wrong clock logs out is logged in again once it is put right, though others logged in and out meanwhile', async () => {
    await using host = await TestHost.create();
    const clock = new SetClock();
    const sessions = await BrowserSessions.load(join(host.dir, 'browsers.json'));
    const mine = await sessions.open(clock.now());
    clock.jump(YEAR);
    expect(sessions.accepts(mine, clock.now())).toBe(false);
    const other = await sessions.open(clock.now());
    await sessions.close(other.cookie);
    clock.jump(-YEAR);
    expect(sessions.accepts(mine, clock.now())).toBe(true);
    clock.jump(-YEAR);
    expect(sessions.accepts(mine, clock.now())).toBe(true);
  });
});

describe('a daemon that finds the clock years ahead', () => {
  test('keeps dead sessions, salvages and tombstones for a day, across restarts, and removes them after that', async () => {
    await using repo = await GitRepo.create();
    await using host = await TestHost.started({ env: { ...repo.env, MAESTRO_SALVAGE_RETENTION: '30d' } });
    const over = await host.create({ command: 'exit 0' });
    await host.reaches(over.id, 'dead');
    const request = { command: 'exec cat', worktree: { base_repo: repo.path, branch: 'one' } };
    const { id, cwd } = (await host.call<Session>('POST', '/api/sessions', request)).body;
    await writeFile(join(cwd, 'work'), 'work');
    await host.kill(id, '?force=true');
    /** As if all of it had been written years ago. */
    const edit = async (name: string, change: (record: Record<string, unknown>) => object) => {
      const path = join(host.state, name);
      await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>)));
    };
    const old = '2020-01-01T00:00:00.000Z';
    await host.end('SIGTERM');
    await edit(`sessions/${over.id}.json`, (record) => ({ ...record, exit: { reason: 'exited', code: 0, at: old } }));
    await edit(`salvage/${id}.json`, (record) => ({ ...record, created_at: old }));
    await edit('daemon.json', (record) => ({ ...record, last_sign_of_life: old }));
    const salvages = async () => (await host.call<Salvage[]>('GET', '/api/salvage')).body.length;
    for (let start = 0; start < 2; start += 1) {
      await host.start();
      expect([(await host.session(over.id)).status, await salvages()]).toEqual(['dead', 1]);
      await host.end('SIGTERM');
    }
    await edit('daemon.json', (record) => {
      expect(record.doubted_at).toEqual(expect.any(String));
      return { ...record, doubted_at: new Date(Date.now() - 25 * HOUR).toISOString() };
    });
    await host.start();
    await until('both to be gone', async () => (await host.sessions()).length === 0 && (await salvages()) === 0);
  });
});
