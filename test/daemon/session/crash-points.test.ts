import { afterEach, expect, test } from 'vitest';
import type { Panes } from '../../../src/daemon/panes/panes.js';
import { type FileLayer, nodeFiles } from '../../../src/daemon/store/file-layer.js';
import { SessionBench } from '../../support/session-bench.js';

/** Counts durable steps, and stops the world at the chosen one: what comes behind it never happens. */
class CrashPoint {
  #count = 0;
  #at = Number.POSITIVE_INFINITY;
  #reach: () => void = () => undefined;
  reached: Promise<void> = Promise.resolve();

  /** Crashes before the `at`th step from now. */
  arm(at: number): void {
    this.#count = 0;
    this.#at = at;
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  async step<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    if (this.#count >= this.#at) {
      this.#reach();
      await new Promise(() => undefined);
    }
    return work();
  }

  readonly files: FileLayer = {
    open: async (path, flags, mode) => {
      const file = await this.step(() => nodeFiles.open(path, flags, mode));
      return { ...file, write: (bytes) => file.write(bytes), sync: () => this.step(() => file.sync()), close: () => file.close() };
    },
    rename: (from, to) => this.step(() => nodeFiles.rename(from, to)),
    unlink: (path) => this.step(() => nodeFiles.unlink(path)),
    syncDirectory: (path) => nodeFiles.syncDirectory(path),
  };

  readonly panes = (panes: Panes): Panes =>
    new Proxy(panes, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (key !== 'newSessionPiped' && key !== 'killSession') return typeof value === 'function' ? value.bind(target) : value;
        return (...args: unknown[]) => this.step(() => (value as (...all: unknown[]) => Promise<unknown>).apply(target, args));
      },
    });
}

let bench: SessionBench;
afterEach(() => bench[Symbol.asyncDispose]());

/** Runs `work` until a crash cuts it off or it is done. */
async function cutOff(point: CrashPoint, work: Promise<unknown>): Promise<'crashed' | 'done'> {
  return Promise.race([point.reached.then(() => 'crashed' as const), work.then(() => 'done' as const)]);
}

test('C3: a create that is cut off by a crash at any durable step is undone, or whole when it was written down', async () => {
  const point = new CrashPoint();
  bench = await SessionBench.create({ panes: point.panes, files: point.files });
  let crashes = 0;
  for (let at = 1; ; at += 1) {
    point.arm(at);
    const outcome = await cutOff(point, bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' }));
    point.arm(Number.POSITIVE_INFINITY);
    if (outcome === 'done') break;
    crashes += 1;
    await bench.crash();
    await bench.open({ panes: point.panes, files: point.files });
    const listed = bench.manager.list().map((session) => session.id);
    expect(await bench.recorded()).toEqual(listed);
    expect((await bench.tmux.listSessions()).map((pane) => pane.sessionId)).toEqual(listed);
    for (const session of bench.manager.list()) {
      expect(session.status).toBe('running');
      await bench.manager.kill(session.id);
    }
  }
  expect(crashes).toBeGreaterThan(4);
});

test('R7, K1: a kill that is cut off by a crash at any durable step has not begun, or is finished by recovery', async () => {
  const point = new CrashPoint();
  bench = await SessionBench.create({ panes: point.panes, files: point.files });
  let crashes = 0;
  for (let at = 1; ; at += 1) {
    const { id } = await bench.manager.create({ cwd: bench.dir, command: 'echo words; exec sleep 1000' });
    point.arm(at);
    const outcome = await cutOff(point, bench.manager.kill(id));
    point.arm(Number.POSITIVE_INFINITY);
    if (outcome === 'done') break;
    crashes += 1;
    await bench.crash();
    await bench.open({ panes: point.panes, files: point.files });
    const [left] = bench.manager.list();
    if (left === undefined) expect(await bench.traces(id)).toEqual([]);
    else {
      expect(left).toMatchObject({ id, status: 'running' });
      await bench.manager.kill(id);
    }
  }
  expect(crashes).toBeGreaterThan(3);
});

test('R9: a resume that is cut off by a crash at any durable step leaves one session, as it was or running, that works', async () => {
  const point = new CrashPoint();
  bench = await SessionBench.create({ panes: point.panes, files: point.files });
  let crashes = 0;
  for (let at = 1; ; at += 1) {
    const { id } = await bench.manager.create({ cwd: bench.dir, command: '[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000' });
    await bench.dead(id);
    const before = bench.manager.get(id);
    point.arm(at);
    const outcome = await cutOff(point, bench.manager.resume(id));
    point.arm(Number.POSITIVE_INFINITY);
    if (outcome === 'done') break;
    crashes += 1;
    await bench.crash();
    await bench.open({ panes: point.panes, files: point.files });
    const after = bench.manager.get(id);
    const panes = (await bench.tmux.listSessions()).map((pane) => pane.sessionId);
    if (after.status === 'running') expect(panes).toEqual([id]);
    else {
      expect({ ...after, updated_at: before.updated_at }).toEqual(before);
      expect(panes).toEqual([]);
      expect((await bench.manager.resume(id)).status).toBe('running');
    }
    await bench.manager.kill(id);
  }
  expect(crashes).toBeGreaterThan(4);
});
