import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  for (const session of await host.sessions()) await host.kill(session.id);
});

/** Everything that a session can leave behind. */
async function traces(): Promise<string[]> {
  const files = await Promise.all(['sessions', 'scrollback'].map((dir) => readdir(join(host.state, dir))));
  const fifos = (await readdir(join(host.state, 'run', 'pty'))).filter((name) => !name.startsWith('spare-'));
  return [...files.flat(), ...fifos, ...(await host.panes())];
}

describe('C1', () => {
  test('the first byte of a program is in its stream, and so are the last words of one that exits at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (await host.create({ command: `echo FIRST-${n}; echo LAST-${n}; exit 3` })).id),
    );
    for (const [n, id] of ids.entries()) {
      await host.reaches(id, 'dead');
      expect((await host.scrollback(id)).toString()).toMatch(new RegExp(`^FIRST-${n}\\r\\nLAST-${n}\\r\\n`));
    }
  });

  test('a flood that ends in an exit keeps its tail and its status', async () => {
    const { id } = await host.create({ command: 'seq 1 20000; exit 3' });
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ code: 3, reason: 'exited' });
    const lines = (await host.scrollback(id)).toString().trimEnd().split('\r\n');
    expect(lines).toHaveLength(20_000);
    expect(lines.at(-1)).toBe('20000');
  });
});

describe('C2', () => {
  const odd = [
    'plain',
    'foo bar',
    "it's",
    'a;b',
    'a$HOME',
    'a"b',
    'été',
    'new\nline',
    'x#{session_name}',
    'a#S',
    'b##c',
    '#(touch x)',
    '100%H',
    '-rf',
    '~',
    '😀',
  ];

  test.each(odd)('a program starts in a directory named %j', async (name) => {
    const cwd = join(host.dir, 'odd', name);
    await mkdir(cwd, { recursive: true });
    const session = await host.create({ cwd, command: 'pwd -P > here; printf %s "$PWD" > pwd; exec sleep 100' });
    expect(session.cwd).toBe(cwd);
    await until('the program to have written', () => existsSync(join(cwd, 'pwd')));
    expect((await readFile(join(cwd, 'here'), 'utf8')).slice(0, -1)).toBe(await realpath(cwd));
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });

  test('a symbolic link in it stays as it was given, on create and on resume', async () => {
    const real = join(host.dir, 'real');
    const link = join(host.dir, 'link');
    await mkdir(real);
    await symlink(real, link);
    const { id } = await host.create({ cwd: link, command: 'printf "%s\\n" "$PWD" >> seen; exec sleep 100' });
    await until('the first run', () => existsSync(join(real, 'seen')));
    await host.call('POST', `/api/sessions/${id}/restart`);
    await until('the second run', async () => (await readFile(join(real, 'seen'), 'utf8')) === `${link}\n${link}\n`);
  });

  test("~ is the home of the daemon's user", async () => {
    await mkdir(join(host.home, 'proj'), { recursive: true });
    expect((await host.create({ cwd: '~/proj', command: 'sleep 100' })).cwd).toBe(join(host.home, 'proj'));
  });

  test.each([
    ['~nobody/x', 'invalid_request', 400],
    ['relative/path', 'invalid_request', 400],
    ['', 'invalid_request', 400],
    ['/nonexistent', 'cwd_missing', 409],
    ['FILE', 'cwd_missing', 409],
    ['a\0b', 'invalid_request', 400],
  ])('cwd %j is refused before anything is made', async (given, code, status) => {
    await writeFile(join(host.dir, 'file'), '');
    const cwd = given === 'FILE' ? join(host.dir, 'file') : given;
    const before = await traces();
    const answer = await host.call<ApiError>('POST', '/api/sessions', { cwd, command: 'sleep 100' });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ code, message: expect.stringContaining('cwd') });
    expect(await traces()).toEqual(before);
  });

  test('a directory that the tmux server was born beside may go', async () => {
    const other = join(host.dir, 'other');
    await mkdir(other);
    await rm(join(host.dir, 'odd'), { recursive: true, force: true });
    const { id } = await host.create({ cwd: other, command: 'pwd; exec sleep 100' });
    await host.shows(id, other.slice(-20));
  });
});

describe('C4', () => {
  const words = [
    'a\\\\b',
    '$HOME',
    '`id`',
    '"q"',
    "it's",
    ';',
    'a;',
    '*',
    '!x',
    'new\nline',
    '#(touch PWNED)',
    '#{pid}',
    '%H%M',
    '',
    '😀é',
    '~',
    '-x',
    '\ttab',
  ];
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

  test('a command reaches the program word for word, on create and on resume', async () => {
    const cwd = join(host.dir, 'words');
    await mkdir(cwd);
    const command = `for word in ${quoted}; do printf '%s\\0' "$word"; done >> out; printf END >> out; exec sleep 100`;
    const { id } = await host.create({ cwd, command });
    const once = `${words.map((word) => `${word}\0`).join('')}END`;
    await until('the words', async () => (await readFile(join(cwd, 'out'), 'utf8')) === once);
    await host.call('POST', `/api/sessions/${id}/restart`);
    await until('the words again', async () => (await readFile(join(cwd, 'out'), 'utf8')) === once + once);
    expect(await readdir(cwd)).toEqual(['out']);
  });

  test('a command of 100 KiB arrives whole', async () => {
    const tail = '; printf %s "$#" ; exec sleep 100';
    const command = `set -- ${'x '.repeat(50_000)}`.slice(0, 102_400 - tail.length).trimEnd() + tail;
    const { id } = await host.create({ command });
    await host.shows(id, String(command.match(/\bx\b/g)?.length));
  });

  test('environment values arrive byte for byte, whatever they hold and whatever their names mean to a shell or tmux', async () => {
    const env = {
      PLAIN: 'x',
      EMPTY: '',
      LINES: 'a\nb\n\nc\n',
      QUOTES: `'"\`$(id)\\`,
      FORMAT: '#{pid} #(touch PWNED) ##',
      SEPARATOR: 'a;b;',
      ASSIGN: 'a=b=c',
      UNICODE: '😀é\u202e',
      TILDE: '~',
      SHELL: '/usr/bin/fish',
      TMUX: 'mine',
      TMUX_PANE: '%99',
      TERM_PROGRAM: 'mine',
      PATH: `/opt/mine:${process.env.PATH}`,
      ENV: '/nonexistent',
      BASH_ENV: '/nonexistent',
      HOME: '/elsewhere',
      LC_ALL: 'C',
    };
    const cwd = join(host.dir, 'env');
    await mkdir(cwd);
    const dump = `exec ${process.execPath} -e 'require("fs").writeFileSync("env.json", JSON.stringify(process.env)); setInterval(() => {}, 1e6)'`;
    const { id } = await host.create({ cwd, command: dump, env });
    const seen = await until(
      'the environment',
      async () => JSON.parse(await readFile(join(cwd, 'env.json'), 'utf8')) as Record<string, string>,
    );
    expect(seen).toMatchObject(env);
    expect(seen).toMatchObject({
      MAESTRO_SESSION_ID: id,
      MAESTRO_RUN: '1',
      MAESTRO_SOCKET: join(host.state, 'run', 'maestro.sock'),
      COLORTERM: 'truecolor',
    });
    expect(seen.TERM).toMatch(/256color/);
    expect((await host.session(id)).env).toEqual(env);
    expect(await readdir(cwd)).toEqual(['env.json']);
  });

  test.each(['a.b', 'a:b', '#(touch PWNED)', '-rf', 'e\u0301', '%1', '=eq', '{a}', 'x'.repeat(200)])(
    'a name such as %j never reaches tmux',
    async (name) => {
      const session = await host.create({ command: 'sleep 100', metadata: { name } });
      expect(session.metadata.name).toBe(name.normalize('NFC'));
      expect(await host.panes()).toEqual([session.id]);
    },
  );
});
