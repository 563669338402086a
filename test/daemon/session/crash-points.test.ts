import { afterEach, expect, test } from 'vitest';
import { CrashPoint } from '../../support/crash-point.js';
import { SessionBench } from '../../support/session-bench.js';

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
