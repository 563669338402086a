import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { controlClientFinding, daemonFindings } from '../../../src/cli/doctor/daemon-checks.js';
import type { Finding } from '../../../src/cli/doctor/finding.js';
import { hostFindings, localeFinding, nodeFinding, shellFinding, tmuxFinding } from '../../../src/cli/doctor/host-checks.js';
import { socketPathFinding, stateFindings } from '../../../src/cli/doctor/state-checks.js';
import { FakeDaemon, fakeSession } from '../../support/fake-daemon.js';

const find = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check);

describe('the host', () => {
  test('old programs fail and say how to get newer ones', () => {
    expect(nodeFinding('20.18.3').status).toBe('fail');
    expect(nodeFinding('24.0.0').status).toBe('ok');
    expect(tmuxFinding({ name: 'tmux', ok: false, version: '3.1c' }, {})).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('install tmux'),
    });
    expect(tmuxFinding({ name: 'tmux', ok: false }, {})).toMatchObject({ status: 'fail', text: 'tmux is missing' });
  });

  test('the locale is the first of the three that is set', () => {
    expect(localeFinding({ LANG: 'de_DE.UTF-8' }).status).toBe('ok');
    expect(localeFinding({ LC_ALL: '', LC_CTYPE: 'C.utf8', LANG: 'C' }).status).toBe('ok');
    expect(localeFinding({ LC_ALL: 'C', LANG: 'en_US.UTF-8' }).status).toBe('warn');
    expect(localeFinding({}).status).toBe('warn');
  });

  test('a login shell has to be one', () => {
    expect(shellFinding('/bin/sh').status).toBe('ok');
    expect(shellFinding('/missing/fish').status).toBe('warn');
    expect(shellFinding(undefined).status).toBe('warn');
  });

  test('this one is looked at as a whole', async () => {
    const findings = await hostFindings(process.env);
    expect(findings.map(({ check }) => check)).toEqual(['node', 'tmux', 'git', 'locale', 'terminfo', 'shell']);
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([]);
  });
});

describe('the state directory', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'm-'));
    for (const name of ['sessions', 'scrollback', 'trash', 'run']) await mkdir(join(root, name), { mode: 0o700 });
    await writeFile(join(root, 'sessions', 'a.json'), '{}', { mode: 0o600 });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  test('is fine when it is private', async () => {
    const findings = await stateFindings(root);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  test('is fine when it does not exist yet', async () => {
    expect(find(await stateFindings(join(root, 'not', 'yet')), 'state')).toMatchObject({ status: 'ok' });
  });

  test('that others may read is a warning, that others may write a failure', async () => {
    await chmod(join(root, 'sessions', 'a.json'), 0o644);
    expect(find(await stateFindings(root), 'state')).toMatchObject({
      status: 'warn',
      text: expect.stringContaining('a.json is open to others (mode 644)'),
    });
    await chmod(join(root, 'scrollback'), 0o720);
    expect(find(await stateFindings(root), 'state')).toMatchObject({ status: 'fail', text: expect.stringContaining('and 1 more') });
  });

  test('of another user is a failure', async () => {
    const user = (process.geteuid?.() ?? 0) + 1;
    expect(find(await stateFindings(root, user), 'state')).toMatchObject({
      status: 'fail',
      text: expect.stringContaining('belongs to user'),
    });
  });

  test('links in it are not followed', async () => {
    await symlink('/etc/hostname', join(root, 'link'));
    expect(find(await stateFindings(root), 'state')).toMatchObject({ status: 'ok' });
  });

  test('names records that were set aside, and counts tombstones', async () => {
    await writeFile(join(root, 'sessions', 'b.json.bad-1'), '', { mode: 0o600 });
    await writeFile(join(root, 'trash', 'c'), '', { mode: 0o600 });
    const findings = await stateFindings(root);
    expect(find(findings, 'records')).toMatchObject({ status: 'warn', text: expect.stringContaining('b.json.bad-1') });
    expect(find(findings, 'tombstones')).toMatchObject({ status: 'ok', text: expect.stringMatching(/^1 /) });
  });

  test('may be too deep for a socket', () => {
    expect(socketPathFinding(`/${'x'.repeat(106)}`, 'linux').status).toBe('ok');
    expect(socketPathFinding(`/${'é'.repeat(54)}`, 'linux').status).toBe('fail');
    expect(socketPathFinding(`/${'x'.repeat(106)}`, 'darwin').status).toBe('fail');
  });
});

describe('the daemon', () => {
  let fake: FakeDaemon;
  beforeEach(async () => {
    fake = await FakeDaemon.start();
  });
  afterEach(() => fake[Symbol.asyncDispose]());

  const host = () => ({
    version: '0.1.0',
    host_name: 'h',
    home: '/h',
    state_dir: fake.state,
    leader: 'C-b',
    listen: '127.0.0.1:7433',
    tmux_socket: join(fake.state, 'run', 'tmux.sock'),
    tmux_version: '3.3a',
    pid: process.pid,
    uptime_seconds: 1,
    sessions: { running: 1, dead: 0, dormant: 0 },
  });

  test('that does not run is a warning, one that answers nonsense a failure', async () => {
    fake.routes = () => ({ json: { version: 7 } });
    expect(await daemonFindings(fake.state)).toMatchObject([
      { check: 'daemon', status: 'fail', fix: expect.stringContaining('daemon.log') },
    ]);
    await fake.stop();
    expect(await daemonFindings(fake.state)).toMatchObject([{ check: 'daemon', status: 'warn', fix: 'maestro up --detach' }]);
  });

  test('is asked for sessions that need a look, and its pipes for leftovers', async () => {
    const session = fakeSession({ warning: 'look here' });
    fake.routes = ({ path }) => ({ json: path === '/api/host' ? host() : [session] });
    await mkdir(join(fake.state, 'run', 'pty'));
    for (const name of [`${session.id}.1.fifo`, `${fakeSession().id}.2.fifo`, 'spare-1.fifo'])
      await writeFile(join(fake.state, 'run', 'pty', name), '');
    const findings = await daemonFindings(fake.state);
    expect(find(findings, 'daemon')).toMatchObject({ status: 'ok' });
    expect(find(findings, 'sessions')).toMatchObject({ status: 'warn', text: expect.stringContaining('look here') });
    expect(find(findings, 'pipes')).toMatchObject({ status: 'warn', text: expect.stringMatching(/^1 /) });
    expect(find(findings, 'tmux clients')).toMatchObject({ status: 'warn' });
  });

  test('is the only one whose control clients belong there', () => {
    expect(
      controlClientFinding(
        [
          { pid: 5, parent: 1 },
          { pid: 6, parent: 9 },
        ],
        9,
      ),
    ).toMatchObject({ status: 'warn', fix: expect.stringContaining('kill -9 5') });
    expect(controlClientFinding([{ pid: 6, parent: 9 }], 9).status).toBe('ok');
  });
});
