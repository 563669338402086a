import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pane, TmuxState } from '../../../src/daemon/panes/panes.js';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { TmuxSandbox } from '../../support/tmux-server.js';
import { until } from '../../support/until.js';

let sandbox: TmuxSandbox;
let panes: TmuxPanes;
let states: TmuxState[];

beforeEach(async () => {
  sandbox = await TmuxSandbox.create();
  states = [];
  panes = await sandbox.start({ timeoutMs: 1500, onStateChange: (state) => states.push(state) });
});

afterEach(() => sandbox[Symbol.asyncDispose]());

function serverPid(of = panes): number {
  const pid = of.serverIdentity?.pid;
  if (pid === undefined) throw new Error('no server is known');
  return pid;
}

async function startSleep(): Promise<Pane> {
  return panes.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo()));
}

const UNAVAILABLE = { code: 'tmux_unavailable' };

async function ids(of = panes): Promise<string[]> {
  return (await of.listSessions()).map(({ sessionId }) => sessionId);
}

describe('L3: a server that has ended', () => {
  test.each([
    ['was killed', async () => void process.kill(serverPid(), 'SIGKILL')],
    ['was ended by somebody', async () => void (await sandbox.tmux('kill-server'))],
  ])('is gone: it %s', async (_how, end) => {
    const pane = await startSleep();
    await end();
    await until('the server to be gone', () => panes.state === 'gone');
    expect(states).toEqual(['up', 'gone']);
    await expect(panes.listSessions()).rejects.toMatchObject(UNAVAILABLE);
    await expect(panes.sendBytes(pane, Buffer.from('x'))).rejects.toMatchObject(UNAVAILABLE);
    await panes.killSession(pane);
    expect(states).toEqual(['up', 'gone']);
  });

  test('is replaced by the next create, and panes of its life do not reach those of the new one', async () => {
    const old = await startSleep();
    const former = panes.serverIdentity;
    process.kill(serverPid(), 'SIGKILL');
    await until('the server to be gone', () => panes.state === 'gone');
    const made = await Promise.all([startSleep(), startSleep(), startSleep()]);
    expect(states).toEqual(['up', 'gone', 'up']);
    expect(panes.serverIdentity).not.toEqual(former);
    expect(made.map(({ paneId }) => paneId)).toContain(old.paneId);
    await expect(panes.sendBytes(old, Buffer.from('x'))).rejects.toMatchObject({ code: 'not_running' });
    await expect(panes.capturePane(old, { ansi: false, history: 0 })).rejects.toMatchObject({ code: 'not_running' });
    await panes.killSession(old);
    expect(new Set(await ids())).toEqual(new Set(made.map(({ sessionId }) => sessionId)));
  });

  test('is replaced when asked for', async () => {
    process.kill(serverPid(), 'SIGKILL');
    await until('the server to be gone', () => panes.state === 'gone');
    await Promise.all([panes.ensureServer(), panes.ensureServer()]);
    expect(await ids()).toEqual([]);
    expect(states).toEqual(['up', 'gone', 'up']);
  });

  test('takes the requests that wait with it', async () => {
    const spec = sandbox.spec('exec sleep 100', await sandbox.fifo());
    process.kill(serverPid(), 'SIGSTOP');
    const requests = [panes.listSessions(), panes.newSessionPiped(spec)].map((request) => request.catch((error: unknown) => error));
    process.kill(serverPid(), 'SIGKILL');
    for (const request of requests) expect(await request).toMatchObject(UNAVAILABLE);
  });
});

describe('L3: a server that does not answer', () => {
  test('is silent, not gone; nothing is carried out for those who were refused; it comes back by itself', async () => {
    const fifo = await sandbox.fifo();
    const pane = await panes.newSessionPiped(sandbox.spec('stty raw -echo; echo READY; exec cat', fifo));
    await fifo.until('READY');
    process.kill(serverPid(), 'SIGSTOP');
    await expect(panes.listSessions()).rejects.toMatchObject(UNAVAILABLE);
    expect(panes.state).toBe('silent');
    await expect(panes.sendBytes(pane, Buffer.from('refused'))).rejects.toMatchObject(UNAVAILABLE);
    await expect(panes.sendBytes(pane, Buffer.alloc(9000, 'r'))).rejects.toMatchObject(UNAVAILABLE);
    await expect(panes.killSession(pane)).rejects.toMatchObject(UNAVAILABLE);
    await expect(startSleep()).rejects.toMatchObject(UNAVAILABLE);
    await expect(panes.ensureServer()).rejects.toMatchObject(UNAVAILABLE);
    process.kill(serverPid(), 'SIGCONT');
    await until('tmux to answer', () => panes.state === 'up');
    expect(states).toEqual(['up', 'silent', 'up']);
    await panes.sendBytes(pane, Buffer.from('taken'));
    expect((await fifo.until('taken')).endsWith('READY\ntaken')).toBe(true);
    expect(await ids()).toEqual([pane.sessionId]);
  });

  test('has what a create that was given up made late taken away', async () => {
    const keep = await startSleep();
    process.kill(serverPid(), 'SIGSTOP');
    await expect(startSleep()).rejects.toMatchObject(UNAVAILABLE);
    process.kill(serverPid(), 'SIGCONT');
    await until('tmux to answer', () => panes.state === 'up');
    await until('what was made late to be gone', async () => (await ids()).length === 1);
    expect(await ids()).toEqual([keep.sessionId]);
  });

  test('does not take a paste that was given up when it wakes', async () => {
    const fifo = await sandbox.fifo();
    const pane = await panes.newSessionPiped(sandbox.spec('stty raw -echo; echo READY; exec cat', fifo));
    await fifo.until('READY');
    process.kill(serverPid(), 'SIGSTOP');
    await expect(panes.paste(pane, 'never'.repeat(1000))).rejects.toMatchObject(UNAVAILABLE);
    process.kill(serverPid(), 'SIGCONT');
    await until('tmux to answer', () => panes.state === 'up');
    await panes.paste(pane, 'now');
    expect(await fifo.until('now')).not.toContain('never');
  });

  test('has what was made by a create whose connection broke taken away', async () => {
    const keep = await startSleep();
    const spec = sandbox.spec('exec sleep 100', await sandbox.fifo());
    process.kill(serverPid(), 'SIGSTOP');
    const lost = panes.newSessionPiped(spec).catch((error: unknown) => error);
    await killClients();
    expect(await lost).toMatchObject(UNAVAILABLE);
    process.kill(serverPid(), 'SIGCONT');
    await until('only the other to be left', async () => (await ids().catch(() => [])).join() === keep.sessionId);
  });

  test('is waited for by a daemon that starts, which starts no second one', async () => {
    const pane = await startSleep();
    const pid = serverPid();
    await panes[Symbol.asyncDispose]();
    process.kill(pid, 'SIGSTOP');
    const next = await sandbox.start({ timeoutMs: 200 });
    expect(next.state).toBe('silent');
    await expect(next.listSessions()).rejects.toMatchObject(UNAVAILABLE);
    process.kill(pid, 'SIGCONT');
    await until('tmux to answer', () => next.state === 'up');
    expect(serverPid(next)).toBe(pid);
    expect(await ids(next)).toEqual([pane.sessionId]);
  });

  test('can end while it is waited for', async () => {
    process.kill(serverPid(), 'SIGSTOP');
    await expect(panes.listSessions()).rejects.toMatchObject(UNAVAILABLE);
    process.kill(serverPid(), 'SIGKILL');
    await until('the server to be gone', () => panes.state === 'gone');
    expect(states).toEqual(['up', 'silent', 'gone']);
  });

  test('does not keep the daemon from ending', async () => {
    process.kill(serverPid(), 'SIGSTOP');
    await expect(panes.listSessions()).rejects.toMatchObject(UNAVAILABLE);
    await panes[Symbol.asyncDispose]();
    process.kill(serverPid(), 'SIGCONT');
    expect(states).toEqual(['up', 'silent']);
  });
});

/** The daemon's own control clients. */
async function clients(): Promise<number[]> {
  const all = await Promise.all((await sandbox.processes()).map(async (pid) => [pid, await commandLine(pid)] as const));
  return all.filter(([, words]) => words.includes('attach-session')).map(([pid]) => pid);
}

async function killClients(): Promise<void> {
  for (const pid of await clients()) process.kill(pid, 'SIGKILL');
}

async function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

describe('a connection that breaks', () => {
  test.each([
    ['a client was killed', async () => void process.kill((await clients())[0] ?? 0, 'SIGKILL')],
    ['every client was', killClients],
    ['somebody detached them', async () => void (await sandbox.tmux('detach-client', '-s', '=maestro-ctl'))],
    ['somebody killed the control session', async () => void (await sandbox.tmux('kill-session', '-t', '=maestro-ctl'))],
  ])('is made again: %s', async (_how, damage) => {
    const pane = await startSleep();
    const before = await clients();
    await damage();
    await until('new clients', async () => (await clients()).filter((pid) => !before.includes(pid)).length === 2);
    expect(await ids()).toEqual([pane.sessionId]);
    expect(states).toEqual(['up']);
    const other = await startSleep();
    expect(new Set(await ids())).toEqual(new Set([pane.sessionId, other.sessionId]));
  });

  test('is made again although the socket was removed meanwhile', async () => {
    const pane = await startSleep();
    await sandbox.removeSocket();
    expect(await ids()).toEqual([pane.sessionId]);
    const before = await clients();
    await killClients();
    await until('new clients', async () => (await clients()).filter((pid) => !before.includes(pid)).length === 2);
    expect(await ids()).toEqual([pane.sessionId]);
    expect(states).toEqual(['up']);
  });
});

describe('L2: the end of a program', () => {
  test('is told at once, also of many in one moment', async () => {
    let hints = 0;
    await panes[Symbol.asyncDispose]();
    panes = await sandbox.start({ onDeath: () => (hints += 1) });
    await until('the first look', () => hints === 1);
    const made = await Promise.all(
      Array.from({ length: 12 }, async () => panes.newSessionPiped(sandbox.spec('read -r line; exit 3', await sandbox.fifo()))),
    );
    for (const pane of made.slice(0, 2)) {
      const before = hints;
      await panes.sendBytes(pane, Buffer.from('\r'));
      await until('a pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
      // tmux itself can miss an end until the next signal; the look above is what reminds it.
      await until('a hint', () => hints > before);
    }
    await Promise.all(made.slice(2).map((pane) => panes.sendBytes(pane, Buffer.from('\r'))));
    await until('all to be dead', async () => (await panes.listSessions()).every(({ dead }) => dead));
    expect((await panes.listSessions()).map(({ exit }) => exit)).toEqual(made.map(() => ({ code: 3 })));
  });

  test('is told when it came while nobody listened', async () => {
    const pane = await startSleep();
    await panes[Symbol.asyncDispose]();
    process.kill(pane.pid, 'SIGKILL');
    let hints = 0;
    panes = await sandbox.start({ onDeath: () => (hints += 1) });
    await until('a hint', () => hints > 0);
    await until('the pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
    expect(await panes.paneInfo(pane.sessionId)).toMatchObject({ exit: { signal: 9 } });
  });
});

test('L4: a daemon that ends leaves the server and every session, and the next one finds them', async () => {
  const pane = await startSleep();
  const former = panes.serverIdentity;
  await panes[Symbol.asyncDispose]();
  await panes[Symbol.asyncDispose]();
  await until('its clients to be gone', async () => (await clients()).length === 0);
  const next = await sandbox.start();
  expect(next.serverIdentity).toEqual(former);
  expect(await next.listSessions()).toMatchObject([{ ...pane, dead: false, marked: true }]);
});

test('L4: daemons that come and go while sessions are made and ended never harm the server', async () => {
  const former = panes.serverIdentity;
  for (let round = 0; round < 15; round += 1) {
    await panes[Symbol.asyncDispose]();
    panes = await sandbox.start();
    const made = await Promise.all(Array.from({ length: 4 }, startSleep));
    await Promise.all(made.map((pane) => panes.killSession(pane)));
  }
  expect(panes.serverIdentity).toEqual(former);
});
