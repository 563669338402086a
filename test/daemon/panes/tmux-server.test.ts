import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leaderProblem } from '../../../src/daemon/panes/server-settings.js';
import { socketPathProblem } from '../../../src/daemon/panes/socket-path.js';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { isTooOld, parseVersion } from '../../../src/daemon/panes/tmux-version.js';
import { identify, type ProcessIdentity } from '../../../src/daemon/process-identity.js';
import { TmuxSandbox } from '../../support/tmux-server.js';
import { until } from '../../support/until.js';

let sandbox: TmuxSandbox;
let children: ChildProcess[];

beforeEach(async () => {
  sandbox = await TmuxSandbox.create();
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await sandbox[Symbol.asyncDispose]();
});

function pidOf(panes: TmuxPanes): number {
  return panes.serverIdentity?.pid ?? 0;
}

async function noted(): Promise<ProcessIdentity> {
  return JSON.parse(await readFile(join(sandbox.runDir, 'tmux.json'), 'utf8')) as ProcessIdentity;
}

async function idsSeenBy(panes: TmuxPanes): Promise<string[]> {
  return (await panes.listSessions()).map(({ sessionId }) => sessionId);
}

describe('what is installed', () => {
  test.each([
    ['tmux 3.3a\n', '3.3a', false],
    ['tmux 3.2\n', '3.2', false],
    ['tmux 3.1c\n', '3.1c', true],
    ['tmux 2.9a\n', '2.9a', true],
    ['tmux 4.0\n', '4.0', false],
    ['tmux next-3.6\n', 'next-3.6', false],
    ['tmux next-3.1\n', 'next-3.1', true],
    ['tmux master\n', 'master', false],
    ['tmux openbsd-7.5\n', 'openbsd-7.5', false],
  ])('%j is version %s, too old: %s', (printed, version, old) => {
    expect(parseVersion(printed)).toBe(version);
    expect(isTooOld(version)).toBe(old);
  });

  test('no tmux is told with what to install', async () => {
    const start = sandbox.start({ tmuxPath: '/nowhere/tmux' });
    await expect(start).rejects.toMatchObject({
      code: 'tmux_unavailable',
      message: expect.stringMatching(/not found at \/nowhere\/tmux.*apt install tmux/),
    });
  });

  test('no tmux in PATH is told with where it was looked for', async () => {
    await expect(sandbox.start({ path: '/nowhere' })).rejects.toMatchObject({
      message: expect.stringContaining('not found in PATH (/nowhere)'),
    });
  });

  test('a tmux that is too old is told with what to install', async () => {
    const tmuxPath = join(sandbox.root, 'old-tmux');
    await writeFile(tmuxPath, '#!/bin/sh\necho tmux 3.1c\n');
    await chmod(tmuxPath, 0o700);
    await expect(sandbox.start({ tmuxPath })).rejects.toMatchObject({ code: 'tmux_unavailable', message: expect.stringContaining('3.1c') });
  });

  test('programs get a TERM that the host knows', async () => {
    const tmux = await readFile('/usr/bin/tmux').then(() => '/usr/bin/tmux');
    const infocmp = join(sandbox.root, 'infocmp');
    await writeFile(infocmp, '#!/bin/sh\nexit 1\n');
    await chmod(infocmp, 0o700);
    await sandbox.start({ tmuxPath: tmux, path: `${sandbox.root}:/usr/bin:/bin` });
    expect(await sandbox.tmux('show', '-g', '-v', 'default-terminal')).toBe('screen-256color\n');
  });
});

describe('a start is refused', () => {
  test('when the socket path is too long, with the path and the limit', async () => {
    expect(socketPathProblem(`/${'x'.repeat(106)}`)).toBeUndefined();
    expect(socketPathProblem(`/${'ü'.repeat(54)}`)).toContain('109 bytes, but the system allows 107');
    const start = sandbox.start({ runDir: join(sandbox.root, 'x'.repeat(100)) });
    await expect(start).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('107') });
  });

  test.each(['b', 'C-i', 'C-m', 'C-[', 'Enter', 'Up', '', 'C-', 'C-bb', 'F13', 'S-a', 'C-b; kill-server', 'None'])(
    'with %j as the leader',
    async (leader) => {
      expect(leaderProblem(leader)).toContain(`"${leader}"`);
      await expect(sandbox.start({ leader })).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  test('when the server cannot be started, with the reason', async () => {
    await chmod(sandbox.runDir, 0o700);
    const tmuxPath = join(sandbox.root, 'tmux');
    await writeFile(
      tmuxPath,
      '#!/bin/sh\ncase $* in -V) echo tmux 3.3a;; *" -N "*) echo "no server running on x" >&2; exit 1;; *) echo "out of luck" >&2; exit 1;; esac\n',
    );
    await chmod(tmuxPath, 0o700);
    await expect(sandbox.start({ tmuxPath })).rejects.toMatchObject({
      code: 'tmux_unavailable',
      message: expect.stringContaining('out of luck'),
    });
  });
});

describe('the server', () => {
  test('is noted in a private file, with its start and the boot', async () => {
    const panes = await sandbox.start();
    expect(panes.version).toMatch(/^\d/);
    expect(await noted()).toEqual(await identify(pidOf(panes)));
    expect((await stat(join(sandbox.runDir, 'tmux.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(panes.socketPath)).mode & 0o077).toBe(0);
  });

  test('runs in the root directory, as no session of anybody', async () => {
    const panes = await sandbox.start();
    expect((await readFile(`/proc/${pidOf(panes)}/stat`, 'latin1')).split(' ')[5]).toBe(String(pidOf(panes)));
    expect(await sandbox.tmux('display', '-p', '-t', '=maestro-ctl:', '#{session_path}')).toBe('/\n');
  });

  test('is found again by its socket when nothing is noted, and noted', async () => {
    const first = await sandbox.start();
    await first.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo()));
    await first[Symbol.asyncDispose]();
    await writeFile(join(sandbox.runDir, 'tmux.json'), 'not json');
    const second = await sandbox.start();
    expect(second.serverIdentity).toEqual(first.serverIdentity);
    expect(await noted()).toEqual(first.serverIdentity);
    expect(await idsSeenBy(second)).toHaveLength(1);
  });

  test('is found again although its socket was removed, and is never started twice', async () => {
    const first = await sandbox.start();
    await first.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo()));
    await first[Symbol.asyncDispose]();
    await sandbox.removeSocket();
    const second = await sandbox.start();
    expect(second.serverIdentity).toEqual(first.serverIdentity);
    expect(await idsSeenBy(second)).toHaveLength(1);
  });

  test('gets no signal when another process has its pid', async () => {
    const first = await sandbox.start();
    await first[Symbol.asyncDispose]();
    process.kill(pidOf(first), 'SIGKILL');
    const bystander = spawn('/bin/sh', ['-c', 'trap "exit 9" USR1; echo ready; while :; do sleep 0.02; done'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(bystander);
    await new Promise((resolve) => bystander.stdout.once('data', resolve));
    await writeFile(join(sandbox.runDir, 'tmux.json'), JSON.stringify({ ...(await noted()), pid: bystander.pid }));
    const second = await sandbox.start();
    expect(pidOf(second)).not.toBe(bystander.pid);
    expect(second.state).toBe('up');
    expect(bystander.exitCode).toBeNull();
  });

  test('replaces a socket that a server left behind', async () => {
    const first = await sandbox.start();
    process.kill(pidOf(first), 'SIGKILL');
    await until('the server to be gone', () => first.state === 'gone');
    const second = await sandbox.start();
    expect(second.state).toBe('up');
    expect(await idsSeenBy(second)).toEqual([]);
  });

  test('that somebody started by hand on the socket is taken and set up', async () => {
    const env = { PATH: process.env.PATH ?? '', HOME: sandbox.home, SHELL: '/bin/bash' };
    const by = spawn('tmux', ['-S', sandbox.socketPath, '-f', '/dev/null', 'new-session', '-d', '-s', 'mine', 'sleep 100'], { env });
    await new Promise((resolve) => by.once('close', resolve));
    const panes = await sandbox.start();
    expect(await panes.listSessions()).toMatchObject([{ sessionId: 'mine', marked: false }]);
    expect(await sandbox.tmux('show', '-g', '-v', 'default-shell')).toBe('/bin/sh\n');
    expect(await sandbox.tmux('show', '-g', '-v', 'remain-on-exit')).toBe('on\n');
  });

  test('is set up anew by each daemon, so that a changed leader counts', async () => {
    const first = await sandbox.start({ leader: 'C-b' });
    await first[Symbol.asyncDispose]();
    await sandbox.start({ leader: 'M-a' });
    expect(await sandbox.tmux('list-keys', '-T', 'root')).toMatch(/^bind-key +-T root +M-a +switch-client -T maestro\n$/);
    expect((await sandbox.tmux('list-keys', '-T', 'maestro')).trim().split('\n')).toHaveLength(4);
    await expect(sandbox.tmux('list-keys', '-T', 'prefix')).rejects.toThrow("table prefix doesn't exist");
  });
});

describe('clients that were there before', () => {
  test('control clients of an earlier daemon are ended, terminals and other sessions’ clients are not', async () => {
    const first = await sandbox.start();
    const pane = await first.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo()));
    await first[Symbol.asyncDispose]();
    const env = { PATH: process.env.PATH ?? '', HOME: sandbox.home, TERM: 'xterm-256color' };
    const control = (target: string) => {
      const child = spawn('tmux', ['-N', '-S', sandbox.socketPath, '-C', 'attach', '-t', target], {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      children.push(child);
      return child;
    };
    const stale = control('=maestro-ctl');
    const other = control(`=${pane.sessionId}`);
    const terminal = attachTerminal(pane.sessionId);
    await until('three clients', async () => (await sandbox.tmux('list-clients')).trim().split('\n').length === 3);
    const second = await sandbox.start();
    await until('the stale one to be gone', () => stale.signalCode === 'SIGKILL');
    expect(other.exitCode).toBeNull();
    expect(terminal.exitCode).toBeNull();
    expect(await idsSeenBy(second)).toEqual([pane.sessionId]);
  });
});

/** A person's terminal of 150 x 45; what is written to its stdin is typed. */
function attachTerminal(sessionId: string): ChildProcess & { stdin: NonNullable<ChildProcess['stdin']> } {
  const env = { PATH: process.env.PATH ?? '', HOME: sandbox.home, TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const attach = `stty cols 150 rows 45; exec tmux -N -S ${sandbox.socketPath} attach -t =${sessionId}`;
  const child = spawn('script', ['-qfec', attach, '/dev/null'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  children.push(child);
  return child;
}

describe('an attached terminal', () => {
  test('T5: has every key but the leader go to the program, and changes no size', async () => {
    const panes = await sandbox.start({ leader: 'C-a' });
    const fifo = await sandbox.fifo();
    const pane = await panes.newSessionPiped(sandbox.spec('stty raw -echo; printf READY; exec cat -v', fifo));
    await fifo.until('READY');
    const terminal = attachTerminal(pane.sessionId);
    await until('the terminal to be attached', async () =>
      (await sandbox.tmux('list-clients', '-F', '#{client_session}')).includes(pane.sessionId),
    );
    terminal.stdin.write('x\u0002c\u0002:\u0002d&%"1');
    await fifo.until('x^Bc^B:^Bd&%"1');
    terminal.stdin.write('\u0001\u0001y');
    expect(await fifo.until('y')).toBe('READYx^Bc^B:^Bd&%"1^Ay');
    expect(await panes.paneInfo(pane.sessionId)).toMatchObject({ size: { cols: 80, rows: 24 } });
    terminal.stdin.write('\u0001[');
    await until('copy mode', async () => (await sandbox.tmux('display', '-p', '-t', pane.paneId, '#{pane_in_mode}')) === '1\n');
    terminal.stdin.write('q\u0001d');
    await until('the terminal to be detached', () => terminal.exitCode === 0);
    expect(await panes.paneInfo(pane.sessionId)).toMatchObject({ dead: false });
  });
});
