import { rm, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { FileLayer } from '../../../src/daemon/store/file-layer.js';
import { SessionBench } from '../../support/session-bench.js';
import { until } from '../../support/until.js';
import { scriptedFiles, systemError } from '../store/scripted-files.js';

let bench: SessionBench;
afterEach(() => bench[Symbol.asyncDispose]());

async function deadSession(): Promise<string> {
  const { id } = await bench.manager.create({ cwd: bench.dir, command: '[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000; echo words' });
  await bench.dead(id);
  return id;
}

for (const place of ['before', 'behind'] as const) {
  test(`R7: a kill wins at once while a resume is parked ${place} the spawn; the resume answers not_found and leaves nothing`, async () => {
    bench = await SessionBench.create();
    const id = await deadSession();
    const parked = bench.parking.next('newSessionPiped', place);
    const resume = bench.manager.resume(id);
    const lost = expect(resume).rejects.toMatchObject({ code: 'not_found' });
    await parked.reached;
    expect(await bench.manager.kill(id)).toEqual({ removed: true, worktree: 'none' });
    expect(() => bench.manager.get(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    parked.release();
    await lost;
    expect(await bench.traces(id)).toEqual([]);
    await bench.crash();
    await bench.open();
    expect(bench.manager.list()).toEqual([]);
    expect(await bench.traces(id)).toEqual([]);
  });

  test(`R7: a crash after a kill that came while a resume was parked ${place} the spawn leaves no ghost`, async () => {
    bench = await SessionBench.create();
    const id = await deadSession();
    const parked = bench.parking.next('newSessionPiped', place);
    bench.manager.resume(id).catch(() => undefined);
    await parked.reached;
    await bench.manager.kill(id);
    await bench.crash();
    await bench.open();
    expect(bench.manager.list()).toEqual([]);
    expect(await bench.traces(id)).toEqual([]);
  });

  test(`R6: a second resume is refused on the state while the first is parked ${place} the spawn`, async () => {
    bench = await SessionBench.create();
    const id = await deadSession();
    const parked = bench.parking.next('newSessionPiped', place);
    const first = bench.manager.resume(id);
    await parked.reached;
    await expect(bench.manager.resume(id)).rejects.toMatchObject({ code: 'already_running' });
    parked.release();
    expect((await first).status).toBe('running');
    expect((await bench.tmux.listSessions()).map((pane) => pane.sessionId)).toEqual([id]);
  });

  test(`L1, R9: a crash while a resume is parked ${place} the spawn gives the session back as it was, or running`, async () => {
    bench = await SessionBench.create();
    const id = await deadSession();
    const before = bench.manager.get(id);
    const parked = bench.parking.next('newSessionPiped', place);
    bench.manager.resume(id).catch(() => undefined);
    await parked.reached;
    expect(await bench.sidecar(id)).toMatchObject({ status: 'running', intent: { kind: 'resume', attempt: 1 } });
    await bench.crash();
    await bench.open();
    const { updated_at: _now, ...after } = bench.manager.get(id);
    if (place === 'behind') return expect(after.status).toBe('running');
    const { updated_at: _then, ...former } = before;
    expect(after).toEqual(former);
    expect((await bench.manager.resume(id)).status).toBe('running');
  });
}

test('R8: a resume that tmux refuses leaves no mark, and the next one works', async () => {
  bench = await SessionBench.create();
  const id = await deadSession();
  const before = bench.manager.get(id);
  const failing = bench.parking.next('newSessionPiped', 'before');
  const refused = bench.manager.resume(id);
  await failing.reached;
  const serverPid = bench.tmux.serverIdentity?.pid;
  if (serverPid === undefined) throw new Error('no server');
  process.kill(serverPid, 'SIGSTOP');
  failing.release();
  await expect(refused).rejects.toMatchObject({ code: 'tmux_unavailable' });
  process.kill(serverPid, 'SIGCONT');
  const { updated_at: _now, ...after } = bench.manager.get(id);
  const { updated_at: _then, ...former } = before;
  expect(after).toEqual(former);
  await until('tmux to answer', () => bench.tmux.state === 'up');
  await until('what was made late to be gone', async () => (await bench.tmux.listSessions()).length === 0);
  expect((await bench.manager.resume(id)).status).toBe('running');
});

test('R3: a report that lands while a resume is parked in the spawn survives it', async () => {
  bench = await SessionBench.create();
  const id = await deadSession();
  const parked = bench.parking.next('newSessionPiped', 'behind');
  const resume = bench.manager.resume(id);
  await parked.reached;
  await bench.manager.report(id, { state: 'idle', agent_session: 'late' });
  await bench.manager.patch(id, { metadata: { name: 'meanwhile' } });
  parked.release();
  expect(await resume).toMatchObject({ agent_session: 'late', metadata: { name: 'meanwhile' } });
  expect(await bench.sidecar(id)).toMatchObject({ agent_session: 'late', metadata: { name: 'meanwhile' } });
});

test("a kill while a program's last bytes are taken in leaves nothing", async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'read go; echo words' });
  const parked = bench.parking.next('killSession', 'before');
  await bench.manager.input(id, { keys: ['Enter'] });
  await parked.reached;
  const killed = bench.manager.kill(id);
  parked.release();
  await killed;
  await bench.sessions.context.background.idle();
  expect(await bench.traces(id)).toEqual([]);
});

test('a session that ends while it is looked at is not resumed before it rests', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'read go; exit 5' });
  const parked = bench.parking.next('killSession', 'before');
  await bench.manager.input(id, { keys: ['Enter'] });
  await parked.reached;
  expect(bench.manager.get(id).status).toBe('running');
  await expect(bench.manager.resume(id)).rejects.toMatchObject({ code: 'already_running' });
  parked.release();
  await bench.dead(id);
  expect(bench.manager.get(id).exit).toMatchObject({ code: 5 });
  expect((await bench.manager.resume(id)).status).toBe('running');
});

test('L4: a crash between the record of an end and the end of its pane keeps the status and leaves no pane', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'read go; echo words; exit 5' });
  const parked = bench.parking.next('killSession', 'before');
  await bench.manager.input(id, { keys: ['Enter'] });
  await parked.reached;
  await bench.crash();
  await bench.open();
  expect(bench.manager.get(id)).toMatchObject({ status: 'dead', exit: { code: 5, reason: 'exited' } });
  expect((await bench.manager.scrollback(id)).toString()).toContain('words');
  expect(await bench.tmux.listSessions()).toEqual([]);
});

test('a create refused by tmux leaves nothing (C3)', async () => {
  bench = await SessionBench.create();
  await rm(bench.stateDir.ptyDir, { recursive: true });
  await writeFile(bench.stateDir.ptyDir, 'no directory');
  await expect(bench.manager.create({ cwd: bench.dir, command: 'sleep 1000' })).rejects.toMatchObject({ code: 'storage_failed' });
  expect(bench.manager.list()).toEqual([]);
  expect(await bench.recorded()).toEqual([]);
  expect(await bench.tmux.listSessions()).toEqual([]);
});

/** The outcome of a create or resume is the second record that is made durable; the disk is full just then. */
function diskFullAtOutcome(): { readonly files: FileLayer; arm(): void } {
  let left = Number.POSITIVE_INFINITY;
  const files = scriptedFiles((step) => {
    if (step !== 'sync') return;
    left -= 1;
    if (left === 0) throw systemError('ENOSPC', 'no space left on device', step);
  });
  const arm = () => {
    left = 2;
  };
  return { files, arm };
}

test('C3: a create whose outcome cannot be written while its pane is made ends the pane, and leaves nothing', async () => {
  const disk = diskFullAtOutcome();
  bench = await SessionBench.create({ files: disk.files });
  disk.arm();
  const create = bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  await expect(create).rejects.toMatchObject({ code: 'storage_failed' });
  expect(bench.manager.list()).toEqual([]);
  expect(await bench.tmux.listSessions()).toEqual([]);
  expect(await bench.recorded()).toEqual([]);
});

test('R8: a resume whose outcome cannot be written while its pane is made ends the pane, and can be tried again', async () => {
  const disk = diskFullAtOutcome();
  bench = await SessionBench.create({ files: disk.files });
  const id = await deadSession();
  const before = bench.manager.get(id);
  disk.arm();
  await expect(bench.manager.resume(id)).rejects.toMatchObject({ code: 'storage_failed' });
  expect({ ...bench.manager.get(id), updated_at: before.updated_at }).toEqual(before);
  expect(await bench.tmux.listSessions()).toEqual([]);
  expect((await bench.manager.resume(id)).status).toBe('running');
});

describe('what a program asks of its own session while that is still being created is done as soon as it is', () => {
  async function creating(): Promise<{ id: string; finish: () => Promise<unknown> }> {
    bench = await SessionBench.create();
    const parked = bench.parking.next('newSessionPiped', 'behind');
    const create = bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
    await parked.reached;
    const [entry] = bench.sessions.context.registry.entries();
    const id = entry?.id ?? '';
    expect(() => bench.manager.get(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    const finish = () => {
      parked.release();
      return create;
    };
    return { id, finish };
  }

  test('a report', async () => {
    const { id, finish } = await creating();
    const report = bench.manager.report(id, { state: 'working', agent_session: 'abc', run: 1 });
    await finish();
    expect(await report).toMatchObject({ activity: { state: 'working' }, agent_session: 'abc' });
  });

  test('a kill', async () => {
    const { id, finish } = await creating();
    const kill = bench.manager.kill(id);
    await finish();
    expect(await kill).toEqual({ removed: true, worktree: 'none' });
    expect(await bench.traces(id)).toEqual([]);
  });
});
