import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import type { Pane, Panes } from '../../../src/daemon/panes/panes.js';
import { type FileLayer, nodeFiles } from '../../../src/daemon/store/file-layer.js';
import { MaestroError, type SessionEvent } from '../../../src/protocol/index.js';
import { Parking } from '../../support/parking.js';
import { SessionBench } from '../../support/session-bench.js';
import { until } from '../../support/until.js';

const run = promisify(execFile);

let bench: SessionBench;
afterEach(() => bench[Symbol.asyncDispose]());

/** A tmux whose `adopt` is another one. */
function withAdopt(adopt: (panes: Panes, pane: Pane, fifo: string) => ReturnType<Panes['adopt']>): (panes: Panes) => Panes {
  return (panes) =>
    new Proxy(panes, {
      get: (target, key) => {
        if (key === 'adopt') return (pane: Pane, fifo: string) => adopt(panes, pane, fifo);
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
}

async function endTmux(): Promise<void> {
  const pid = bench.tmux.serverIdentity?.pid;
  if (pid === undefined) throw new Error('no server');
  process.kill(pid, 'SIGKILL');
  await until('the end of tmux to be noticed', () => bench.tmux.state === 'gone');
}

async function paneOf(id: string) {
  const info = await bench.tmux.paneInfo(id);
  if (info === undefined) throw new Error(`${id} has no pane`);
  return info;
}

test('L1, S2: a program that ends in the moment in which it is taken over keeps its last words and how it ended', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'echo words; read go; echo last; exit 5' });
  await until('the words', async () => (await bench.manager.scrollback(id)).includes('words'));
  await bench.crash();
  const panes = withAdopt(async (tmux, pane, fifo) => {
    await tmux.sendKeys(pane, ['Enter']);
    await until('the pane to be dead', async () => (await tmux.paneInfo(id))?.dead);
    return tmux.adopt(pane, fifo);
  });
  await bench.open({ panes });
  await bench.dead(id);
  expect(bench.manager.get(id).exit).toMatchObject({ code: 5, reason: 'exited' });
  expect((await bench.manager.scrollback(id)).toString()).toMatch(/words.*last/s);
});

test('R5: a session whose program runs on and could not be taken over yet is running, and not started a second time', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  const { pid } = await paneOf(id);
  await bench.crash();
  let silent = true;
  const panes = withAdopt(async (tmux, pane, fifo) => {
    if (silent) throw new MaestroError('tmux_unavailable', 'tmux does not answer');
    return tmux.adopt(pane, fifo);
  });
  await bench.open({ panes });
  await expect(bench.manager.resume(id)).rejects.toMatchObject({ code: 'already_running' });
  silent = false;
  await until('the program to be taken over', () => bench.manager.get(id).warning === undefined);
  expect(await paneOf(id)).toMatchObject({ pid, dead: false });
});

test('L1: a stop that a crash cut off is finished also when its program can only be taken over later', async () => {
  const files = new Parking<FileLayer>(nodeFiles);
  bench = await SessionBench.create({ files: files.object });
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  const written = files.next('rename', 'behind');
  bench.manager.stop(id).catch(() => undefined);
  await written.reached;
  await bench.crash();
  let silent = true;
  const panes = withAdopt(async (tmux, pane, fifo) => {
    if (silent) throw new MaestroError('tmux_unavailable', 'tmux does not answer');
    return tmux.adopt(pane, fifo);
  });
  await bench.open({ panes });
  expect(bench.manager.get(id).status).toBe('running');
  silent = false;
  await bench.dead(id);
  expect(bench.manager.get(id).exit).toMatchObject({ reason: 'stopped' });
});

test('L5: an end that is still being taken in when tmux dies went down with the host', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'read go; exit 5' });
  const parked = bench.parking.next('killSession', 'before');
  await bench.manager.input(id, { keys: ['Enter'] });
  await parked.reached;
  await endTmux();
  parked.release();
  await until('the session to be dormant', () => bench.manager.get(id).status === 'dormant');
  expect(bench.manager.get(id).exit).toMatchObject({ code: 5, reason: 'lost' });
});

test('L2: the end of a program that was over before its create was told is seen with the next look', async () => {
  const files = new Parking<FileLayer>(nodeFiles);
  bench = await SessionBench.create({ files: files.object });
  const made = bench.parking.next('newSessionPiped', 'behind');
  const create = bench.manager.create({ cwd: bench.dir, command: 'exit 5' });
  await made.reached;
  const written = files.next('rename', 'before');
  made.release();
  await written.reached;
  await until('the pane to be dead', async () => (await bench.tmux.listSessions())[0]?.dead);
  await bench.sessions.watcher.poll();
  written.release();
  const { id } = await create;
  await bench.sessions.watcher.beat();
  await bench.sessions.context.background.idle();
  expect(bench.manager.get(id)).toMatchObject({ status: 'dead', exit: { code: 5 } });
});

/** A session whose resume was cut off by a crash when its program ran, and that the next daemon has taken over. */
async function adoptedResume(): Promise<string> {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: '[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000' });
  await bench.dead(id);
  const parked = bench.parking.next('newSessionPiped', 'behind');
  bench.manager.resume(id).catch(() => undefined);
  await parked.reached;
  await bench.crash();
  await bench.open();
  return id;
}

test('R3: behind a resume that a crash cut off, a late report of the run before does not displace what the new run reported', async () => {
  const id = await adoptedResume();
  await bench.manager.report(id, { state: 'working', agent_session: 'new', run: 2 });
  expect(await bench.manager.report(id, { state: 'idle', agent_session: 'old', run: 1 })).toMatchObject({
    agent_session: 'new',
    activity: { state: 'working' },
  });
});

test('L1: a program of a resume that a crash cut off was running: when tmux goes down with the next daemon it is lost', async () => {
  const id = await adoptedResume();
  expect(bench.manager.get(id).status).toBe('running');
  const pid = bench.tmux.serverIdentity?.pid ?? 0;
  await bench.crash();
  process.kill(pid, 'SIGKILL');
  await bench.open();
  expect(bench.manager.get(id)).toMatchObject({ status: 'dormant', exit: { reason: 'lost' } });
});

test('T5: a size that is set while a resume makes the pane becomes the size of the pane', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: '[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000' });
  await bench.dead(id);
  const parked = bench.parking.next('newSessionPiped', 'behind');
  const resume = bench.manager.resume(id);
  await parked.reached;
  await bench.manager.resize(id, { cols: 90, rows: 30 });
  parked.release();
  await resume;
  await until('the pane to have the size', async () => (await paneOf(id)).size.cols === 90);
});

test('T5, L4: a size that was acknowledged before a crash kept it from the pane becomes the size of the pane', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  bench.parking.next('resizeWindow', 'before');
  await bench.manager.resize(id, { cols: 90, rows: 30 });
  await bench.crash();
  await bench.open();
  expect(bench.manager.get(id).size).toEqual({ cols: 90, rows: 30 });
  await until('the pane to have the size', async () => (await paneOf(id)).size.cols === 90);
});

test('T5: a size that reaches the pane late does not undo a newer one that was acknowledged', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  const late = bench.parking.next('resizeWindow', 'behind');
  await bench.manager.resize(id, { cols: 80, rows: 24 });
  await late.reached;
  await bench.manager.resize(id, { cols: 90, rows: 30 });
  const told: SessionEvent[] = [];
  const listening = new AbortController();
  bench.manager.subscribe((event) => told.push(event), listening.signal);
  late.release();
  await bench.sessions.context.background.idle();
  listening.abort();
  expect(told.filter((event) => event.type === 'session' && event.session.size.cols === 80)).toEqual([]);
  expect(await bench.sidecar(id)).toMatchObject({ size: { cols: 90 } });
});

test('L1: a session that is resumed while old ones are pruned is not pruned', async () => {
  const files = new Parking<FileLayer>(nodeFiles);
  bench = await SessionBench.create({ files: files.object });
  const command = '[ "$MAESTRO_RUN" = 1 ] || exec sleep 1000';
  const first = await bench.manager.create({ cwd: bench.dir, command });
  const second = await bench.manager.create({ cwd: bench.dir, command });
  await bench.dead(first.id);
  await bench.dead(second.id);
  const parked = files.next('unlink', 'before');
  const pruning = bench.manager.prune(-1);
  await parked.reached;
  await bench.manager.resume(second.id);
  parked.release();
  await pruning;
  expect(bench.manager.list()).toMatchObject([{ id: second.id, status: 'running' }]);
  expect(await bench.sidecar(second.id)).toMatchObject({ status: 'running' });
});

test('T2: the record that rides with a pane knows the epoch of a pipe that was armed afresh', async () => {
  bench = await SessionBench.create();
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  await run('tmux', ['-S', bench.tmux.socketPath, 'pipe-pane', '-t', `=${id}:`]);
  await until('the pipe to be armed afresh', async () => {
    const record = JSON.parse((await bench.tmux.record(await paneOf(id))) ?? '{}') as { epoch: number };
    return record.epoch === 2 && (await bench.sidecar(id)).epoch === 2;
  });
});
