import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { isAlive, TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

type Env = Record<string, string>;

const FISH = '/usr/bin/fish';
const BASH = '/bin/bash';

async function write(path: string, text: string, mode = 0o644): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

/** Shell text that writes the environment of its program to a file and goes on. */
const dump = (name: string) =>
  `${process.execPath} -e 'require("fs").writeFileSync("${name}.tmp", JSON.stringify(process.env))'; mv ${name}.tmp ${name}; exec sleep 1000`;

async function dumped(name: string, on: TestHost = host): Promise<Env> {
  const path = join(on.dir, name);
  await until(`the environment in ${name}`, () => existsSync(path));
  return JSON.parse(await readFile(path, 'utf8')) as Env;
}

/** The environment of a new session. */
async function envOf(name: string, request: Partial<Parameters<TestHost['create']>[0]> = {}, on: TestHost = host): Promise<Env> {
  await on.create({ ...request, command: dump(name) });
  return dumped(name, on);
}

function environOf(pid: number): Env {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}

describe("the user's own tmux configuration", () => {
  const HOSTILE = `
set -g destroy-unattached on
set -g remain-on-exit on
set -g default-command "exit 1"
set -g default-shell /bin/false
set -g base-index 5
set -g pane-base-index 5
set -g prefix C-a
set -g history-limit 0
set -g status on
set -g mouse on
set -g set-titles on
set -g allow-rename on
set -g synchronize-panes on
set -s exit-empty on
set-environment -g LEAKED yes
set-hook -g session-created kill-session
set-hook -g after-new-session kill-server
set-hook -g pane-died kill-server
`;

  test('changes nothing: create, input, screen, end, kill, and a restart of the daemon are as ever', async () => {
    host = await TestHost.create({ env: { XDG_CONFIG_HOME: '' } });
    await write(join(host.home, '.tmux.conf'), HOSTILE);
    await write(join(host.home, '.config', 'tmux', 'tmux.conf'), HOSTILE);
    await host.start();
    const { id } = await host.create({ command: 'seq 1 100; exec cat' });
    const brief = await host.create({ command: 'echo words; exit 3' });
    expect((await host.reaches(brief.id, 'dead')).exit).toMatchObject({ code: 3 });
    expect(await host.panes()).toEqual([id]);
    for (const round of ['one', 'two']) {
      await host.call('POST', `/api/sessions/${id}/input`, { text: round, submit: true });
      await host.shows(id, round);
      expect(await host.screen(id, '?history=500')).toMatch(/^1\n2\n/);
      await host.restart('SIGKILL');
      expect((await host.session(id)).status).toBe('running');
    }
    expect(await envOf('env')).not.toHaveProperty('LEAKED');
    expect((await host.kill(id)).status).toBe(200);
    expect(await host.panes()).not.toContain(id);
  });
});

describe('the shell of the user', () => {
  const POSIX = 'export WORD=posix; for n in 1 2; do printf "$WORD-$n;"; done; printf "<$SHELL>"; exec cat';

  async function runsUnder(shell: string): Promise<void> {
    await host.start({ env: { SHELL: shell } });
    const { id } = await host.create({ command: POSIX, env: { A: 'b' } });
    await host.shows(id, `posix-1;posix-2;<${shell}>`);
    await host.call('POST', `/api/sessions/${id}/restart`);
    await host.shows(id, `posix-1;posix-2;<${shell}>`);
    const own = await host.create({ command: 'printf "<$SHELL>"; exec cat', env: { SHELL: '/bin/mine' } });
    await host.shows(own.id, '</bin/mine>');
  }

  test.runIf(existsSync(FISH))('never runs a command, be it fish: /bin/sh does, and $SHELL is the shell of the user (C4)', async () => {
    host = await TestHost.create();
    await runsUnder(FISH);
  });

  test('never runs a command, be it one that knows no export', async () => {
    host = await TestHost.create();
    const shell = await write(
      join(host.home, 'shell'),
      '#!/bin/sh\ncase "$*" in *export*) echo "unknown command: export" >&2; exit 127 ;; esac\nexec /bin/sh "$@"\n',
      0o755,
    );
    await runsUnder(shell);
  });

  test('may be broken: the daemon starts, and says so', async () => {
    host = await TestHost.create();
    const shell = await write(join(host.home, 'shell'), '#!/bin/sh\nexit 9\n', 0o755);
    const ready = await host.start({ env: { SHELL: shell } });
    expect(ready.warnings.join('\n')).toContain(shell);
    const { id } = await host.create({ command: 'echo works; exec cat' });
    await host.shows(id, 'works');
  });
});

describe('the environment of the daemon', () => {
  const FOREIGN: Env = {
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SSE_PORT: '1',
    CODEX_SANDBOX: 'x',
    GEMINI_CLI: '1',
    TMUX: '/elsewhere,1,0',
    TMUX_PANE: '%9',
    STY: '1.pts',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    FOO: '1',
    ANTHROPIC_API_KEY: 'secret',
    NODE_OPTIONS: '--no-warnings',
    NODE_ENV: 'production',
    npm_config_x: '1',
    INIT_CWD: '/',
    LD_PRELOAD_FAKE: 'x',
    COLORTERM: 'none',
    TERM: 'dumb',
    TERM_PROGRAM: 'other',
    VTE_VERSION: '1',
    EDITOR: 'false',
    PWD: '/elsewhere',
    OLDPWD: '/elsewhere',
    SHLVL: '7',
    MAESTRO_SESSION_ID: '11111111-1111-4111-8111-111111111111',
    MAESTRO_RUN: '77',
    MAESTRO_LOG_LEVEL: 'warn',
    MAESTRO_RESOLVING_PATH: '1',
  };

  test('does not get through, neither to sessions nor to the tmux server (C4)', async () => {
    host = await TestHost.create();
    await host.start({ env: { ...FOREIGN, MAESTRO_SOCKET: '/elsewhere.sock' } });
    const env = await envOf('env', { env: { BAZ: '3', FOO: 'mine' } });
    const socket = join(host.state, 'run', 'tmux.sock');
    const { MAESTRO_SESSION_ID: id, TMUX, TMUX_PANE, TERM, TERM_PROGRAM, FOO, ...rest } = env;
    expect(rest).toMatchObject({
      BAZ: '3',
      COLORTERM: 'truecolor',
      MAESTRO_RUN: '1',
      MAESTRO_SOCKET: join(host.state, 'run', 'maestro.sock'),
    });
    expect([FOO, TERM_PROGRAM]).toEqual(['mine', 'tmux']);
    expect(TERM).toMatch(/256color/);
    expect(TMUX).toMatch(new RegExp(`^${socket},`));
    expect(TMUX_PANE).toMatch(/^%\d+$/);
    expect((await host.session(id ?? '')).env).toEqual({ BAZ: '3', FOO: 'mine' });
    const mine = new Set(['COLORTERM', 'PWD', 'MAESTRO_RUN']);
    expect(Object.keys(FOREIGN).filter((name) => name in rest && !mine.has(name))).toEqual([]);
    expect(env.PWD).toBe(host.dir);
    const server = environOf(await host.tmuxPid());
    const known = ['PATH', 'HOME', 'LANG', 'SHELL', 'PWD', 'OLDPWD', '_', 'SHLVL', 'MALLOC_MMAP_THRESHOLD_'];
    expect(Object.keys(server).filter((name) => !known.includes(name))).toEqual([]);
    expect(env).not.toHaveProperty('MALLOC_MMAP_THRESHOLD_');
    expect(await host.tmux('show-environment', '-g')).not.toMatch(/^(FOO|CLAUDECODE|ANTHROPIC_API_KEY|MAESTRO_)/m);
  });

  test('is the same for every session, whichever daemon started tmux: a new daemon gives new sessions its own', async () => {
    host = await TestHost.create();
    await host.start({ env: { FOO: '1', TZ: 'Asia/Tokyo', SSH_AUTH_SOCK: '/first/agent', HTTP_PROXY: 'http://first' } });
    const first = await envOf('first', { env: { ODD: 'a "b" \'c\'\n=d;$e' } });
    expect(first).toMatchObject({ TZ: 'Asia/Tokyo', SSH_AUTH_SOCK: '/first/agent', HTTP_PROXY: 'http://first' });
    const server = await host.tmuxPid();
    await host.end('SIGKILL');
    await host.start({ env: { BAR: '2', SSH_AUTH_SOCK: '/second/agent', XDG_DATA_HOME: '/second/data' } });
    expect(await host.tmuxPid()).toBe(server);
    const second = await envOf('second', { env: { BAZ: '3', EMPTY: '' } });
    expect(second).toMatchObject({ SSH_AUTH_SOCK: '/second/agent', XDG_DATA_HOME: '/second/data', BAZ: '3', EMPTY: '' });
    for (const name of ['FOO', 'BAR', 'TZ', 'HTTP_PROXY', 'ODD']) expect(second).not.toHaveProperty(name);
    const id = first.MAESTRO_SESSION_ID ?? '';
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.resume(id);
    const resumed = await until('the resumed environment', async () => {
      const env = await dumped('first');
      return env.MAESTRO_RUN === '2' ? env : undefined;
    });
    expect(resumed).toMatchObject({ SSH_AUTH_SOCK: '/second/agent', ODD: first.ODD, MAESTRO_SESSION_ID: id });
    for (const name of ['FOO', 'TZ', 'HTTP_PROXY']) expect(resumed).not.toHaveProperty(name);
  });

  test('may have any locale: programs and viewers see UTF-8', async () => {
    host = await TestHost.create();
    await host.start({ env: { LC_ALL: 'C', LANG: 'POSIX', LC_CTYPE: 'C', LANGUAGE: 'xx' } });
    const env = await envOf('env');
    expect(env.LANG).toBe('C.UTF-8');
    for (const name of ['LC_ALL', 'LC_CTYPE', 'LANGUAGE']) expect(env).not.toHaveProperty(name);
    const { id } = await host.create({ command: 'locale charmap; echo é─🚀; exec cat' });
    const screen = await host.shows(id, 'é─🚀');
    expect(screen).toMatch(/^UTF-8\n/);
    await host.call('POST', `/api/sessions/${id}/input`, { text: 'wörter', submit: true });
    await host.shows(id, 'wörter');
    await host.restart('SIGKILL');
    expect(await host.screen(id)).toContain('é─🚀');
    expect((await host.scrollback(id)).toString()).toContain('wörter');
  });

  test('says nothing of colours: TERM is one of 256 that terminfo knows, and COLORTERM truecolor', async () => {
    host = await TestHost.create();
    await host.start({ env: { TERM: 'dumb', COLORTERM: '' } });
    const { id } = await host.create({
      command: 'printf "<%s:%s:%s>" "$(tput colors)" "$TERM" "$COLORTERM"; infocmp "$TERM" >/dev/null && echo known; exec cat',
    });
    expect(await host.shows(id, 'known')).toMatch(/<256:(tmux|screen)-256color:truecolor>/);
  });
});

describe('PATH', () => {
  const CLAUDE = '#!/bin/sh\necho "found $0"\nexec cat\n';
  const BARE = '/usr/bin:/bin';

  async function runsClaude(path: string): Promise<void> {
    const { id } = await host.create({ preset: 'claude' } as never);
    await host.shows(id, `found ${path}`);
    await host.call('POST', `/api/sessions/${id}/stop`);
    expect((await host.resume(id)).status).toBe(200);
    await host.shows(id, `found ${path}`);
  }

  test('finds an agent in ~/.local/bin for a daemon with a bare one', async () => {
    host = await TestHost.create();
    const path = await write(join(host.home, '.local', 'bin', 'claude'), CLAUDE, 0o755);
    await host.start({ env: { PATH: BARE } });
    await runsClaude(path);
  });

  const shells: readonly [string, string, Record<string, string>][] = [
    ['bash', BASH, { '.bash_profile': '. ~/.bashrc\n', '.bashrc': '[ -n "$PS1" ] || return\nexport PATH="$HOME/odd tools:$PATH"\n' }],
    ['fish', FISH, { '.config/fish/config.fish': 'fish_add_path --global "$HOME/odd tools"\n' }],
  ];
  for (const [name, shell, files] of shells) {
    test.runIf(existsSync(shell))(`finds an agent in a directory that only the start-up files of ${name} add`, async () => {
      host = await TestHost.create();
      for (const [file, text] of Object.entries(files)) await write(join(host.home, file), text);
      const path = await write(join(host.home, 'odd tools', 'claude'), CLAUDE, 0o755);
      await host.start({ env: { PATH: BARE, SHELL: shell } });
      await runsClaude(path);
    });
  }

  test('that holds no such agent is told with the refusal, and nothing is made', async () => {
    host = await TestHost.started({ env: { PATH: BARE } });
    const answer = await host.call<ApiError>('POST', '/api/sessions', { cwd: host.dir, preset: 'claude' });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      code: 'agent_not_found',
      message: expect.stringMatching(/claude.*PATH=.*\/usr\/bin.*npm install/s),
    });
    expect(await host.sessions()).toEqual([]);
  });
});

describe('a daemon that was started inside a session', () => {
  test('of its own is no part of it, nor are its helpers: a kill of that session leaves them (L2)', async () => {
    host = await TestHost.started();
    const inside = await host.create({ command: 'exec sleep 1000' });
    const other = await host.create({ command: 'exec cat' });
    await host.end();
    const tools = join(host.dir, 'tools');
    await write(join(tools, 'mkfifo'), `#!/bin/sh\nenv > '${host.dir}/helper'\nPATH=\${PATH#*:} exec mkfifo "$@"\n`, 0o755);
    const marks = { MAESTRO_SESSION_ID: inside.id, MAESTRO_RUN: '1', MAESTRO_SOCKET: join(host.state, 'run', 'maestro.sock') };
    const { pid } = await host.start({ env: { ...marks, PATH: `${tools}:${process.env.PATH}` } });
    expect(environOf(pid)).toMatchObject(marks);
    expect(await readFile(join(host.dir, 'helper'), 'utf8')).not.toContain('MAESTRO_SESSION_ID');
    expect((await host.kill(inside.id)).status).toBe(200);
    expect(isAlive(pid)).toBe(true);
    expect(host.processes(inside.id)).toEqual([pid]);
    await host.call('POST', `/api/sessions/${other.id}/input`, { text: 'still-here' });
    await host.shows(other.id, 'still-here');
    expect((await host.create({ command: 'exec sleep 1000' })).status).toBe('running');
  });

  test('of another daemon ends with it as what else was left there, politely, and its sessions live on', async () => {
    host = await TestHost.started();
    const inside = await host.create({ command: 'exec sleep 1000' });
    await using second = await TestHost.create();
    await second.start({ env: { MAESTRO_SESSION_ID: inside.id, MAESTRO_RUN: '1' } });
    const own = await second.create({ command: 'exec cat' });
    const { pid } = second.ready;
    expect((await host.kill(inside.id)).status).toBe(200);
    expect(isAlive(pid)).toBe(false);
    expect(second.log).toContain('"stopped"');
    expect(second.processes(own.id).length).toBeGreaterThan(0);
    await second.start();
    expect((await second.session(own.id)).status).toBe('running');
  });
});

test('two daemons of one user neither see, adopt nor kill the sessions of each other, and each session knows its own', async () => {
  host = await TestHost.started();
  await using second = await TestHost.started({ env: { HOME: host.home } });
  const ids = { first: (await envOf('env')).MAESTRO_SESSION_ID ?? '', second: (await envOf('env', {}, second)).MAESTRO_SESSION_ID ?? '' };
  expect((await dumped('env')).MAESTRO_SOCKET).toBe(join(host.state, 'run', 'maestro.sock'));
  expect((await dumped('env', second)).MAESTRO_SOCKET).toBe(join(second.state, 'run', 'maestro.sock'));
  const idsOf = (sessions: Session[]) => sessions.map(({ id }) => id);
  expect([idsOf(await host.sessions()), idsOf(await second.sessions())]).toEqual([[ids.first], [ids.second]]);
  expect((await second.kill(ids.first)).status).toBe(404);
  expect((await host.restart('SIGKILL')).recovered).toMatchObject({ adopted: 1 });
  expect([idsOf(await host.sessions()), idsOf(await second.sessions())]).toEqual([[ids.first], [ids.second]]);
  expect((await host.kill(ids.first)).status).toBe(200);
  await host.killTmux();
  await host.restart();
  expect((await second.session(ids.second)).status).toBe('running');
  expect(second.processes(ids.second).length).toBeGreaterThan(0);
});
