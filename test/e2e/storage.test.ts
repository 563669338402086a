import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { makeReadOnly, mountProblem, SmallDisk } from '../support/small-disk.js';
import { until } from '../support/until.js';

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

const PROBLEM = mountProblem();
const quick = { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms' };

/** A host whose state directory is a file system of 1 MiB. */
async function onSmallDisk(): Promise<SmallDisk> {
  host = await TestHost.create({ env: quick });
  const disk = await SmallDisk.mount(host.state, 1024);
  host.defer(() => disk.unmount());
  await host.start();
  return disk;
}

/** The files that sessions keep, with what is in them. */
async function kept(): Promise<Record<string, string>> {
  const paths = ['sessions', 'scrollback'].map((name) => join(host.state, name));
  const files = await Promise.all(paths.map(async (path) => (await readdir(path)).filter(isKept).map((name) => join(path, name))));
  return Object.fromEntries(await Promise.all(files.flat().map(async (path) => [path, (await readFile(path)).toString('latin1')])));
}

const isKept = (name: string) => !name.endsWith('.tmp');

/** Waits until no temporary file is there: of what is tried again and again, there is one for a moment each time. */
async function leavesNothing(): Promise<void> {
  await until('no temporary file', async () => (await readdir(host.state, { recursive: true })).every(isKept));
}

const fifos = async () => (await readdir(join(host.state, 'run', 'pty'))).filter((name) => !name.startsWith('spare-'));

const call = (method: string, id: string, action = '', body?: unknown) =>
  host.call<Session & ApiError>(method, `/api/sessions/${id}${action}`, body);

/** What can be asked for that has to be written down. */
const changes = (running: string, dead: string): readonly [string, () => Promise<{ status: number; body: ApiError }>][] => [
  ['create', () => host.call<ApiError>('POST', '/api/sessions', { cwd: host.dir, command: 'exec sleep 1000' })],
  ['rename', () => call('PATCH', running, '', { metadata: { name: 'other' } })],
  ['report', () => call('POST', running, '/activity', { state: 'idle', agent_session: 'c2' })],
  ['resume', () => call('POST', dead, '/resume')],
  ['stop', () => call('POST', running, '/stop')],
];

/** A running session that ends with 7 on Enter, and a dead one; both are on disk. */
async function two(): Promise<{ running: Session; dead: Session }> {
  const { id } = await host.create({ command: 'stty -echo; echo words; read go; echo last-words; exit 7', metadata: { name: 'one' } });
  const over = await host.create({ command: 'echo over' });
  const dead = await host.reaches(over.id, 'dead');
  await until('both scrollbacks', async () => Object.keys(await kept()).length === 4);
  return { running: await host.session(id), dead };
}

/** Nothing can be written: every change is refused with the cause, and nothing has changed, neither on disk nor to be seen. */
async function refusesAllChanges(running: Session, dead: Session, cause: RegExp): Promise<void> {
  const before = { files: await kept(), fifos: await fifos(), panes: await host.panes(), sessions: await host.sessions() };
  for (const [what, change] of changes(running.id, dead.id)) {
    const { status, body } = await change();
    expect(`${what} ${status}`).toBe(`${what} 507`);
    expect(body.error).toMatchObject({ code: 'storage_failed', message: expect.stringMatching(cause) });
    expect(await kept()).toEqual(before.files);
    const now = (await host.sessions()).map((session, n) => ({ ...session, updated_at: before.sessions[n]?.updated_at }));
    expect(now).toEqual(before.sessions);
    expect({ fifos: await fifos(), panes: await host.panes() }).toEqual({ fifos: before.fifos, panes: before.panes });
  }
  await leavesNothing();
  expect((await host.call('GET', '/api/health')).status).toBe(200);
}

/** All works again, in the same daemon. */
async function worksAgain(dead: Session): Promise<void> {
  expect((await call('PATCH', dead.id, '', { metadata: { name: 'again' } })).body.metadata).toEqual({ name: 'again' });
  expect((await call('POST', dead.id, '/resume')).status).toBe(200);
  await host.reaches(dead.id, 'dead');
  expect((await host.scrollback(dead.id)).toString()).toBe('over\r\nover\r\n');
  const { id } = await host.create({ command: 'exec cat' });
  expect((await call('POST', id, '/input', { text: 'words' })).status).toBe(200);
  await host.shows(id, 'words');
  expect(await host.sidecar(id)).toMatchObject({ status: 'running' });
  await leavesNothing();
}

/** An end that is seen while nothing can be written is told all the same, and written once that can be. */
async function endIsTold(running: Session, makeRoom: () => Promise<unknown>): Promise<void> {
  const onDisk = (await kept())[join(host.state, 'sessions', `${running.id}.json`)];
  await call('POST', running.id, '/input', { keys: ['Enter'] });
  expect((await host.reaches(running.id, 'dead')).exit).toMatchObject({ code: 7, reason: 'exited' });
  expect((await kept())[join(host.state, 'sessions', `${running.id}.json`)]).toBe(onDisk);
  await makeRoom();
  await until('the end to be written', async () => (await host.sidecar(running.id)).status === 'dead');
  expect(await host.sidecar(running.id)).toMatchObject({ exit: { code: 7, reason: 'exited' } });
}

describe('C3: on a full disk', () => {
  test('every change is refused with 507 and the cause, an end is told and written later, and then all works again', async ({ skip }) => {
    if (PROBLEM !== undefined) skip(PROBLEM);
    const disk = await onSmallDisk();
    const { running, dead } = await two();
    await disk.fill();
    await refusesAllChanges(running, dead, /no space left on device.*free some space/s);
    await endIsTold(running, () => disk.free());
    await worksAgain(dead);
    await host.restart('SIGKILL');
    expect(await host.session(running.id)).toMatchObject({ status: 'dead', exit: { code: 7 } });
  });

  test('sessions go on, are shown, typed into and killed', async ({ skip }) => {
    if (PROBLEM !== undefined) skip(PROBLEM);
    const disk = await onSmallDisk();
    const { id } = await host.create({ command: 'echo up; exec cat' });
    await host.shows(id, 'up');
    await disk.fill();
    await using viewer = await PtyViewer.open(host, id);
    viewer.type('typed\r');
    await viewer.sees('typed\r\ntyped\r\n');
    await call('POST', id, '/input', { keys: ['k', 'Enter'] });
    await host.shows(id, 'k\nk');
    const pasted = await call('POST', id, '/input', { text: 'pasted' });
    expect(pasted.body.error).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('no space left') });
    expect(await host.screen(id)).not.toContain('pasted');
    expect((await host.kill(id)).status).toBe(200);
    expect(await host.panes()).toEqual([]);
    expect(await host.sessions()).toEqual([]);
    expect((await viewer.closed).code).toBe(1000);
  });

  test('a daemon starts, says what it could not write, and takes its sessions back', async ({ skip }) => {
    if (PROBLEM !== undefined) skip(PROBLEM);
    const disk = await onSmallDisk();
    const { running, dead } = await two();
    await disk.fill();
    const ready = await host.restart('SIGKILL');
    expect(ready.recovered).toMatchObject({ adopted: 1, dead: 1 });
    expect(ready.warnings.join('\n')).toMatch(/daemon\.json.*no space left on device/);
    expect((await host.session(running.id)).status).toBe('running');
    expect((await host.scrollback(dead.id)).toString()).toBe('over\r\n');
    await endIsTold(running, () => disk.free());
    await worksAgain(dead);
    await until('the daemon to be noted', async () => {
      const note = JSON.parse(await readFile(join(host.state, 'daemon.json'), 'utf8')) as { pid: number };
      return note.pid === ready.pid;
    });
  });

  test('a stop of the daemon is a stop, and the scrollback that was there stays', async ({ skip }) => {
    if (PROBLEM !== undefined) skip(PROBLEM);
    const disk = await onSmallDisk();
    const { running } = await two();
    const before = await kept();
    await disk.fill();
    await using viewer = await PtyViewer.open(host, running.id);
    await viewer.sees('words');
    expect(await host.end('SIGTERM')).toBe(0);
    expect(await kept()).toEqual(before);
    await leavesNothing();
    await disk.free();
    await host.start();
    expect((await host.session(running.id)).status).toBe('running');
  });
});

test('C3: on a file system that turned read-only it is the same (EROFS)', async ({ skip }) => {
  if (PROBLEM !== undefined) skip(PROBLEM);
  host = await TestHost.create({ env: quick });
  await host.start();
  const { running, dead } = await two();
  const makeWritable = await makeReadOnly(join(host.state, 'sessions'));
  let isReadOnly = true;
  const restore = async () => {
    if (isReadOnly) await makeWritable();
    isReadOnly = false;
  };
  host.defer(restore);
  await refusesAllChanges(running, dead, /read-only file system.*mount that file system for writing/s);
  await endIsTold(running, restore);
  await worksAgain(dead);
});

describe('S1: what a session printed is on disk', () => {
  test('when it ends, though the daemon that took it over has read nothing since', async () => {
    host = await TestHost.started({ env: { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '1h' } });
    const { id } = await host.create({ command: 'echo "life-$MAESTRO_RUN"; exec sleep 1000' });
    await host.shows(id, 'life-1');
    await host.restart('SIGKILL');
    await call('POST', id, '/stop');
    expect((await host.scrollback(id)).toString()).toContain('life-1');
  });

  test('when the daemon stops, though the one that took it over has read nothing since', async () => {
    host = await TestHost.started({ env: { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '1h' } });
    const { id } = await host.create({ command: 'echo "life-$MAESTRO_RUN"; exec sleep 1000' });
    await host.shows(id, 'life-1');
    await host.restart('SIGKILL');
    await host.end('SIGTERM');
    expect(Object.values(await kept()).join('\n')).toContain('life-1\r\n');
    await host.killTmux();
    await host.start();
    await host.resume(id);
    await host.reads(id, 'life-2');
    expect((await host.scrollback(id)).toString()).toMatch(/life-1[\s\S]*life-2/);
  });
});
