import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertSocketPath, StateDir, stateDirPath } from '../../../src/daemon/store/state-dir.js';
import { failureOf } from './failures.js';
import { temporaryDir, withUmask } from './state-dirs.js';

const ID = '3f0c1a52-8a7e-4d0b-9c55-0123456789ab';
const asRoot = test.skipIf(process.getuid?.() !== 0);

describe('where the state lives', () => {
  test.each([
    [{ MAESTRO_STATE_DIR: '/srv/maestro', XDG_STATE_HOME: '/xdg' }, '/srv/maestro'],
    [{ MAESTRO_STATE_DIR: '/srv//maestro/' }, '/srv/maestro'],
    [{ MAESTRO_STATE_DIR: '', XDG_STATE_HOME: '/xdg' }, '/xdg/maestro'],
    [{ XDG_STATE_HOME: '/xdg/' }, '/xdg/maestro'],
    [{ XDG_STATE_HOME: '' }, '/home/ada/.local/state/maestro'],
    [{ XDG_STATE_HOME: 'relative/state' }, '/home/ada/.local/state/maestro'],
    [{}, '/home/ada/.local/state/maestro'],
  ])('%j is %s', (env, expected) => {
    expect(stateDirPath(env, '/home/ada')).toBe(expected);
  });

  test.each(['state', './state', '~/state'])('MAESTRO_STATE_DIR=%s is refused, as it is not absolute', (path) => {
    expect(() => stateDirPath({ MAESTRO_STATE_DIR: path }, '/home/ada')).toThrow(/MAESTRO_STATE_DIR is not an absolute path.*set it to/);
  });

  test('without a home directory it is refused', () => {
    expect(() => stateDirPath({}, '')).toThrow(/set HOME or MAESTRO_STATE_DIR/);
  });
});

describe('the paths', () => {
  const dir = new StateDir('/s');

  test('are those of the contract', () => {
    expect(dir.sidecar(ID)).toBe(`/s/sessions/${ID}.json`);
    expect(dir.scrollback(ID)).toBe(`/s/scrollback/${ID}.bin`);
    expect(dir.tombstone(ID)).toBe(`/s/trash/${ID}`);
    expect(dir.fifo(ID, 12)).toBe(`/s/run/pty/${ID}.12.fifo`);
    const { token, daemonJson, socket, tmuxSocket, tmuxJson, lock, pasteDir } = dir;
    expect([token, daemonJson]).toEqual(['/s/token', '/s/daemon.json']);
    expect([socket, tmuxSocket, tmuxJson]).toEqual(['/s/run/maestro.sock', '/s/run/tmux.sock', '/s/run/tmux.json']);
    expect([lock, pasteDir]).toEqual(['/s/run/daemon.lock', '/s/run/paste']);
  });

  test.each(['../../etc/passwd', '', `${ID}/x`, ID.toUpperCase(), '.'])('what is no uuid never becomes part of one: %j', (id) => {
    expect(() => dir.sidecar(id)).toThrow('uuid');
    expect(() => dir.scrollback(id)).toThrow('uuid');
    expect(() => dir.tombstone(id)).toThrow('uuid');
    expect(() => dir.fifo(id, 1)).toThrow('uuid');
  });
});

describe('opening', () => {
  test.each([0o000, 0o022, 0o077])('makes every directory with mode 0700 under umask %o, parents included', async (umask) => {
    const parent = join(await temporaryDir(), '.local');
    const dir = await withUmask(umask, () => StateDir.open(join(parent, 'state', 'maestro')));
    for (const path of [parent, ...dir.directories]) expect([path, (await lstat(path)).mode & 0o777]).toEqual([path, 0o700]);
  });

  test('makes usable directories even under a umask that takes our own rights', async () => {
    const root = join(await temporaryDir(), 'state');
    const dir = await withUmask(0o777, () => StateDir.open(root));
    for (const path of dir.directories) expect([path, (await lstat(path)).mode & 0o777]).toEqual([path, 0o700]);
  });

  test('again changes nothing and keeps what is there', async () => {
    const root = join(await temporaryDir(), 'state');
    const { sessions } = await StateDir.open(root);
    await writeFile(join(sessions, 'x'), 'x');
    await StateDir.open(root);
    expect(await readdir(sessions)).toEqual(['x']);
  });

  test('closes a directory of ours that others can read', async () => {
    const root = join(await temporaryDir(), 'state');
    await mkdir(root);
    await chmod(root, 0o755);
    await StateDir.open(root);
    expect((await lstat(root)).mode & 0o777).toBe(0o700);
  });

  test.each(['', 'sessions', 'scrollback', 'trash', 'run', 'run/pty', 'run/paste'])(
    'refuses a directory that others may write, and names the fix: %j',
    async (name) => {
      const root = join(await temporaryDir(), 'state');
      await StateDir.open(root);
      for (const mode of [0o720, 0o702, 0o1777]) {
        await chmod(join(root, name), mode);
        const error = await failureOf(StateDir.open(root));
        expect(error.code).toBe('forbidden');
        expect(error.message).toContain(`other users may write to ${join(root, name)} (mode ${mode.toString(8)})`);
        expect(error.message).toContain(`chmod 700 '${join(root, name)}'`);
      }
    },
  );

  asRoot.each(['', 'sessions', 'run', 'run/pty'])('refuses a directory of another user, and names the fix: %j', async (name) => {
    const root = join(await temporaryDir(), 'state');
    await StateDir.open(root);
    await chown(join(root, name), 12_345, 0);
    const error = await failureOf(StateDir.open(root));
    expect(error.code).toBe('forbidden');
    expect(error.message).toContain(`${join(root, name)} belongs to user 12345, but Maestro runs as user 0`);
    expect(error.message).toContain(`sudo chown -R 0 '${join(root, name)}'`);
  });

  test('refuses a link to a directory that others may write, and takes one to a safe directory', async () => {
    const parent = await temporaryDir();
    const target = await mkdtemp(join(parent, 'target-'));
    await symlink(target, join(parent, 'link'));
    await StateDir.open(join(parent, 'link'));
    expect(await readdir(target)).toContain('sessions');

    await rm(join(target, 'sessions'), { recursive: true });
    const open = await mkdtemp(join(parent, 'open-'));
    await chmod(open, 0o777);
    await symlink(open, join(target, 'sessions'));
    expect((await failureOf(StateDir.open(join(parent, 'link')))).message).toContain('other users may write');
  });

  test('quotes the path in the command it names', async () => {
    const root = join(await temporaryDir(), "it's");
    await mkdir(root);
    await chmod(root, 0o777);
    expect((await failureOf(StateDir.open(root))).message).toContain(`it'\\''s'\``);
  });

  test('refuses what is no directory', async () => {
    const root = join(await temporaryDir(), 'state');
    await writeFile(root, 'x');
    const error = await failureOf(StateDir.open(root));
    expect([error.code, error.details]).toEqual(['storage_failed', { path: root, errno: 'EEXIST' }]);
    expect((await failureOf(StateDir.open(join(root, 'below')))).details).toMatchObject({ errno: 'ENOTDIR' });
  });

  test('refuses a link that leads nowhere', async () => {
    const root = join(await temporaryDir(), 'state');
    await symlink('/nowhere/at/all', root);
    expect((await failureOf(StateDir.open(root))).code).toBe('storage_failed');
  });

  test('refuses a path that is too long for a socket before it makes anything', async () => {
    const parent = await temporaryDir();
    const root = join(parent, 'é'.repeat(50));
    const error = await failureOf(StateDir.open(root));
    expect(error.code).toBe('invalid_request');
    expect(error.message).toContain(`${root}/run/maestro.sock`);
    expect(error.message).toContain('107');
    expect(await readdir(parent)).toEqual([]);
  });
});

test('a socket path may have 107 bytes on Linux and 103 on macOS', () => {
  assertSocketPath(`/${'x'.repeat(106)}`, 'linux');
  expect(() => assertSocketPath(`/${'x'.repeat(107)}`, 'linux')).toThrow(/has 108 bytes, and a socket can have 107/);
  assertSocketPath(`/${'x'.repeat(102)}`, 'darwin');
  expect(() => assertSocketPath(`/${'x'.repeat(103)}`, 'darwin')).toThrow(/103/);
});
