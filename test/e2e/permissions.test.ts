import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { overSocket } from '../support/raw-http.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

const quick = { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms' };

/** Whatever below the state directory is open to anybody but its owner, as `MODE PATH`. */
async function openToOthers(): Promise<string[]> {
  const names = ['', ...(await readdir(host.state, { recursive: true }))];
  const modes = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(host.state, name)).catch(() => undefined);
      return stats === undefined ? [] : [{ name, mode: stats.mode & 0o7777, stats }];
    }),
  );
  return modes.flat().flatMap(({ name, mode, stats }) => {
    // tmux itself marks its socket as executable while a client is attached.
    const wanted = stats.isDirectory() || (stats.isSocket() && name.endsWith('tmux.sock') && mode === 0o700) ? 0o700 : 0o600;
    return mode === wanted ? [] : [`${mode.toString(8)} ${name}`];
  });
}

describe('what is below the state directory is for its owner alone', () => {
  test.each(['000', '277'])('under the umask %s, from birth, after each kind of write, and after a restart', async (umask) => {
    host = await TestHost.create({ env: quick });
    const before = process.umask(Number.parseInt(umask, 8));
    try {
      await host.start();
    } finally {
      process.umask(before);
    }
    expect(await openToOthers()).toEqual([]);
    const { id } = await host.create({ command: 'echo words; exec cat', metadata: { name: 'one' } });
    const over = await host.create({ command: 'true' });
    await host.reaches(over.id, 'dead');
    await host.call('POST', `/api/sessions/${id}/input`, { text: 'pasted' });
    await host.call('PATCH', `/api/sessions/${id}`, { metadata: { name: 'two' } });
    await host.kill(over.id);
    await until('the scrollback', () => existsSync(join(host.state, 'scrollback', `${id}.bin`)));
    expect(await openToOthers()).toEqual([]);
    const names = await readdir(host.state, { recursive: true });
    for (const kind of [
      /^sessions\/.*\.json$/,
      /^scrollback\/.*\.bin$/,
      /^trash\//,
      /^token$/,
      /^daemon\.json$/,
      /maestro\.sock$/,
      /\.fifo$/,
      /daemon\.lock$/,
    ])
      expect(names.some((name) => kind.test(name))).toBe(true);
    await host.restart('SIGKILL');
    await host.call('POST', `/api/sessions/${id}/restart`);
    await host.shows(id, 'words');
    expect(await openToOthers()).toEqual([]);
  });
});

describe('a state directory that is not safe is refused, with what to do', () => {
  test('one of another user', async ({ skip }) => {
    if (process.geteuid?.() !== 0) skip('only root can give a directory away');
    host = await TestHost.create();
    await mkdir(host.state, { mode: 0o700 });
    await chown(host.state, 65_534, 65_534);
    const refused = await host.refusal();
    expect(refused).toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/belongs to user 65534.*chown -R 0 .*MAESTRO_STATE_DIR/s),
    });
    expect(refused.message).toContain(host.state);
    expect(await readdir(host.state)).toEqual([]);
    await chown(host.state, 0, 0);
    await host.start();
  });

  test('one that others may write, or a directory in it', async () => {
    host = await TestHost.started();
    await host.end();
    for (const [name, mode] of Object.entries({ '': 0o770, sessions: 0o702, run: 0o770, 'run/pty': 0o702 })) {
      await chmod(join(host.state, name), mode);
      const refused = await host.refusal();
      expect(refused).toMatchObject({ code: 'forbidden', message: expect.stringMatching(/other users may write to .*chmod 700 '/s) });
      expect(refused.message).toContain(join(host.state, name));
      await chmod(join(host.state, name), 0o700);
    }
    await host.start();
  });

  test('a token that others can read, as they know it by then', async () => {
    host = await TestHost.started();
    await host.end();
    await chmod(join(host.state, 'token'), 0o644);
    expect(await host.refusal()).toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/token can be read by others.*delete it/s),
    });
    const known = host.token;
    await rm(join(host.state, 'token'));
    await host.start();
    expect(host.token).not.toBe(known);
  });

  test('one that others can read is closed', async () => {
    host = await TestHost.create();
    await mkdir(host.state);
    await chmod(host.state, 0o755);
    await host.start();
    expect(await openToOthers()).toEqual([]);
  });
});

describe('no secret gets out', () => {
  const secret = (what: string) => `${what}-${randomUUID()}`;

  test('neither values of env, terminal bytes, input, metadata nor the token are in the log, at any level, whatever goes wrong', async () => {
    host = await TestHost.create({
      env: { ...quick, MAESTRO_LOG_LEVEL: 'trace', MAESTRO_LIVENESS_INTERVAL: '100ms', LEAK: secret('own') },
    });
    const secrets = {
      env: secret('env'),
      output: secret('output'),
      typed: secret('typed'),
      pasted: secret('pasted'),
      message: secret('message'),
      metadata: secret('metadata'),
      refused: secret('refused'),
    };
    await host.start();
    await writeFile(join(host.dir, 'words'), `${secrets.output}\n`);
    const { id } = await host.create({
      command: 'cat words; exec cat',
      env: { SECRET: secrets.env },
      metadata: { note: secrets.metadata },
    });
    await host.shows(id, secrets.output);
    const viewer = await PtyViewer.open(host, id);
    viewer.type(`${secrets.typed}\r`);
    await viewer.sees(secrets.typed);
    await host.call('POST', `/api/sessions/${id}/input`, { text: secrets.pasted, submit: true });
    await viewer.sees(secrets.pasted);
    await host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message: secrets.message });
    // What is refused, and what fails inside.
    await host.call('POST', '/api/sessions', { cwd: host.dir, command: 'true', env: { 'BAD=NAME': secrets.refused } });
    await host.call('POST', '/api/sessions', { cwd: host.dir, command: 'true', env: { SECRET: `${secrets.refused}\0` } });
    await host.call('POST', '/api/sessions', `{"cwd":"/","command":"${secrets.refused}`);
    await host.call('POST', `/api/sessions/${id}/input`, { text: secrets.refused });
    await host.call('GET', `/api/sessions?token=${host.token}`, undefined, { authorization: '' });
    await host.call('GET', '/api/sessions', undefined, { authorization: `Bearer ${secrets.refused}` });
    await rm(join(host.state, 'sessions'), { recursive: true });
    await rm(join(host.state, 'run', 'paste'), { recursive: true });
    await host.call('PATCH', `/api/sessions/${id}`, { metadata: { note: secrets.refused } });
    await host.call('POST', '/api/sessions', { cwd: host.dir, command: 'true', env: { SECRET: secrets.env } });
    await host.call('POST', `/api/sessions/${id}/activity`, { state: 'idle' });
    await mkdir(join(host.state, 'sessions'), { mode: 0o700 });
    await mkdir(join(host.state, 'run', 'paste'), { mode: 0o700 });
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.resume(id);
    await host.killTmux();
    await host.reaches(id, 'dormant');
    await host.resume(id);
    await host.restart('SIGKILL');
    await viewer[Symbol.asyncDispose]();
    await host.restart('SIGTERM');
    expect((await host.session(id)).status).toBe('running');
    expect(host.log).toContain('"listening"');
    for (const [what, value] of Object.entries({ ...secrets, token: host.token, own: host.env.LEAK ?? '?' }))
      expect(`${what}: ${host.log.split(value).length - 1}`).toBe(`${what}: 0`);
  });

  test('values of env are in no argument list of any process, nor in what tmux remembers', async () => {
    host = await TestHost.started();
    const value = secret('env');
    const text = secret('pasted');
    const commandLines = () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? read(`/proc/${pid}/cmdline`) : ''));
    let seen = 0;
    let isWatching = true;
    const look = () => {
      seen += commandLines().filter((line) => [value, text, host.token].some((one) => line.includes(one))).length;
      return !isWatching;
    };
    const watching = until('the end of the watch', look, 300_000);
    const { id } = await host.create({ command: 'exec cat', env: { SECRET: value, API_KEY: value } });
    try {
      await host.call('POST', `/api/sessions/${id}/input`, { text, submit: true });
      await host.shows(id, text);
      await host.call('POST', `/api/sessions/${id}/restart`);
      await host.restart('SIGKILL');
    } finally {
      isWatching = false;
      await watching;
    }
    expect(seen).toBe(0);
    for (const words of [['show-messages'], ['list-buffers'], ['show-environment', '-g'], ['list-sessions'], ['list-windows', '-a']]) {
      const shown = await host.tmux(...words).catch((error: Error) => error.message);
      expect(shown).not.toContain(value);
      expect(shown).not.toContain(text);
    }
    expect((await host.session(id)).env).toEqual({ SECRET: value, API_KEY: value });
  });

  function read(path: string): string {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  }

  test('the unix socket is for its owner alone: another user gets nothing', async ({ skip }) => {
    if (process.geteuid?.() !== 0) skip('only root can act as another user');
    host = await TestHost.started();
    for (const path of [host.dir, join(host.state), join(host.state, 'run')]) await chmod(path, 0o711);
    const ask = `const s = require('net').connect(process.argv[1]); s.on('connect', () => process.exit(0)); s.on('error', (e) => { console.error(e.code); process.exit(1); });`;
    for (const name of ['maestro.sock', 'tmux.sock']) {
      const path = join(host.state, 'run', name);
      const asked = run(process.execPath, ['-e', ask, path], { uid: 65_534, gid: 65_534, cwd: '/' });
      await expect(asked).rejects.toMatchObject({ stderr: expect.stringContaining('EACCES') });
    }
    expect((await overSocket(host.ready.socket, 'GET', '/api/health')).body).toEqual({ ok: true });
    const { id } = (await overSocket(host.ready.socket, 'POST', '/api/sessions', { cwd: host.dir, command: 'true' })).body as Session;
    await host.reaches(id, 'dead');
  });
});

test.each(['022', '027', '077'])("a program has the umask %s of whoever started the daemon, not the daemon's own", async (umask) => {
  const before = process.umask(Number.parseInt(umask, 8));
  try {
    await using user = await TestHost.started();
    const { id } = await user.create({ command: 'umask; exec cat' });
    await user.shows(id, `0${umask}`);
    expect((await stat(join(user.state, 'sessions', `${id}.json`))).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(before);
  }
});
