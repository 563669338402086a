import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LoginPath, type LoginPathOptions, loginPath, sessionBaseEnv } from '../../../src/daemon/agents/login-environment.js';

const BASH = '/bin/bash';
const FISH = '/usr/bin/fish';
const OWN_PATH = '/usr/bin:/bin';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'm-'));
});
afterEach(async () => {
  await vi.waitFor(async () => expect(await processesOf(home)).toEqual([]), { timeout: 5000 });
  await rm(home, { recursive: true, maxRetries: 5 });
});

/** Every process that was started with this home directory. */
async function processesOf(directory: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    pids.map(async (pid) => ({ pid, env: await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '') })),
  );
  return environments.filter(({ env }) => env.split('\0').includes(`HOME=${directory}`)).map(({ pid }) => pid);
}

async function write(name: string, ...lines: string[]): Promise<void> {
  const file = join(home, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
}

function ask(shell: string, options: Partial<LoginPathOptions> = {}): Promise<LoginPath> {
  const userInfo = { username: 'somebody', homedir: home, shell: null };
  return loginPath({
    env: { HOME: home, SHELL: shell, PATH: OWN_PATH, ...options.env },
    userInfo,
    ...options,
    deadlineMs: options.deadlineMs ?? 20_000,
  });
}

/** Short for a shell that never answers, and long enough for one that does on a busy machine. */
const BRIEFLY = { deadlineMs: 2000, hedgeMs: 50 };

describe('the PATH of bash', () => {
  beforeEach(async () => {
    await write('.bash_profile', 'export PATH=/from/profile:$PATH', '. ~/.bashrc');
  });

  test('comes first, also what only its interactive start-up file adds, then the daemon’s and the well-known places', async () => {
    await write('.bashrc', 'case $- in *i*) ;; *) return ;; esac', 'export PATH="/from/rc with space:$PATH:/last"');
    await mkdir(join(home, '.local/bin'), { recursive: true });
    const { path, warning } = await ask(BASH, { env: { HOME: home, SHELL: BASH, PATH: '/of/daemon:/bin' } });
    const entries = path.split(':');
    expect(entries.slice(0, 2)).toEqual(['/from/rc with space', '/from/profile']);
    const rest = entries.filter((entry) => ['/last', '/of/daemon', join(home, '.local/bin')].includes(entry));
    expect(rest).toEqual(['/last', '/of/daemon', join(home, '.local/bin')]);
    expect(entries).not.toContain(join(home, 'bin'));
    expect(new Set(entries).size).toBe(entries.length);
    expect(warning).toBeUndefined();
  });

  test('holds no empty, relative or repeated place', async () => {
    await write('.bashrc', 'export PATH=:.:node_modules/.bin::/a/:/a://:/b:');
    const { path } = await ask(BASH);
    expect(path.split(':').slice(0, 5)).toEqual(['/a', '/', '/b', '/usr/bin', '/bin']);
  });

  test('is found among what start-up files print', async () => {
    await write('.bashrc', 'echo hello; printf "no line end"; echo oops >&2; seq 1 20000; export PATH=/noisy:$PATH');
    expect((await ask(BASH)).path).toMatch(/^\/noisy:/);
  });

  test.each([
    ['another shell', `exec ${FISH}`],
    ['a terminal multiplexer', 'exec tmux -S ~/t.sock'],
    ['an end of its own', 'exit 3'],
    ['an error', 'set -e; false'],
  ])('is asked of a plain login shell where the interactive file starts %s', async (_, line) => {
    await write('.bashrc', `case $- in *i*) ${line} ;; esac`);
    const { path, warning } = await ask(BASH);
    expect(path).toMatch(/^\/from\/profile:/);
    expect(warning).toMatch(
      /^\/bin\/bash was asked without its interactive start-up files: it ended with status \d before it gave an answer; /,
    );
  });

  test.each([
    ['reads from its input', 'read -r answer; cat >/dev/null'],
    ['reads from the terminal', 'read -r answer </dev/tty'],
    ['sets the terminal up', 'stty -ixon'],
  ])('is not held up by a start-up file that %s', async (_, line) => {
    await write('.bashrc', line, 'export PATH=/after:$PATH');
    expect(await ask(BASH)).toEqual({ path: expect.stringMatching(/^\/after:/) });
  });

  test.each([
    ['sleeps', 'sleep 60'],
    ['waits for a process that ignores the usual signals', `trap "" HUP TERM INT; ${BASH} -c 'trap "" HUP TERM; sleep 60' & wait`],
    ['stops itself', 'kill -STOP $$'],
    ['prints without end', 'yes'],
  ])('is not waited for beyond the deadline when a start-up file %s', async (_, line) => {
    await write('.bashrc', line);
    const { path, warning } = await ask(BASH, { deadlineMs: 700, hedgeMs: 100 });
    expect(path).toMatch(/^\/usr\/bin:\/bin:/);
    expect(warning).toMatch(/^the PATH of the login shell \/bin\/bash is not known: it/);
    expect(warning).toContain(path);
  });

  test('is asked of a plain login shell when the interactive one hangs', async () => {
    await write('.bashrc', 'case $- in *i*) sleep 60 ;; esac');
    const { path, warning } = await ask(BASH, BRIEFLY);
    expect(path).toMatch(/^\/from\/profile:/);
    expect(warning).toMatch(/: it gave no answer in time; /);
  });

  test('is the interactive one’s when that is merely slow', async () => {
    await write('.bashrc', 'case $- in *i*) sleep 0.5; export PATH=/slow:$PATH ;; *) touch ~/plain ;; esac');
    expect(await ask(BASH, { hedgeMs: 50 })).toEqual({ path: expect.stringMatching(/^\/slow:/) });
    expect(existsSync(join(home, 'plain'))).toBe(true);
  });

  test('takes along nothing that a start-up file leaves running', async () => {
    await write('.bashrc', 'sleep 60 &', 'export PATH=/busy:$PATH');
    expect((await ask(BASH)).path).toMatch(/^\/busy:/);
  });
});

describe('the PATH of fish', () => {
  const config = '.config/fish/config.fish';

  test('comes as text although fish keeps a list', async () => {
    await write(config, 'echo banner', 'set -gx PATH "/from/fish with space" /second $PATH');
    expect(await ask(FISH)).toEqual({ path: expect.stringMatching(/^\/from\/fish with space:\/second:\/usr\/bin:\/bin(?::|$)/) });
  });

  test('is read from where XDG_CONFIG_HOME says', async () => {
    await write('elsewhere/fish/config.fish', 'set -gx PATH /elsewhere $PATH');
    const env = { HOME: home, SHELL: FISH, PATH: OWN_PATH, XDG_CONFIG_HOME: join(home, 'elsewhere') };
    expect((await ask(FISH, { env })).path).toMatch(/^\/elsewhere:/);
  });

  test.each([
    ['replaces itself by another shell', `if status is-interactive; exec ${BASH}; end`],
    ['sleeps', 'if status is-interactive; sleep 60; end'],
  ])('is asked of a plain login shell where its configuration %s', async (_, line) => {
    await write(config, 'set -gx PATH /plain $PATH', line);
    const { path, warning } = await ask(FISH, BRIEFLY);
    expect(path).toMatch(/^\/plain:/);
    expect(warning).toMatch(/^\/usr\/bin\/fish was asked without/);
  });

  test('is not held up by a question', async () => {
    await write(config, 'read -P "name? " name', 'set -gx PATH /asked $PATH');
    expect((await ask(FISH)).path).toMatch(/^\/asked:/);
  });
});

describe('the login shell', () => {
  test('is the account’s where SHELL is missing, not there, no login shell, or cron’s', async () => {
    await write('.bash_profile', 'export PATH=/from/bash:$PATH');
    const userInfo = { username: 'somebody', homedir: home, shell: BASH };
    for (const SHELL of [undefined, '', '/nowhere/zsh', '/usr/sbin/nologin', 'bash', '/bin/sh']) {
      const { path } = await loginPath({ env: { HOME: home, SHELL, PATH: OWN_PATH }, userInfo, deadlineMs: 20_000 });
      expect({ SHELL, path }).toEqual({ SHELL, path: expect.stringMatching(/^\/from\/bash:/) });
    }
  });

  test('is /bin/sh where nothing else is known', async () => {
    await write('.profile', 'PATH=/from/sh:$PATH');
    const { path } = await loginPath({
      env: { PATH: OWN_PATH },
      userInfo: { username: 'x', homedir: home, shell: null },
      deadlineMs: 20_000,
    });
    expect(path).toMatch(/^\/from\/sh:/);
  });

  test('sees who the user is and that only its PATH is wanted, and nothing of the daemon', async () => {
    await write('.bash_profile', 'env -0 >~/seen', 'pwd >~/where');
    await ask(BASH, {
      env: { HOME: home, SHELL: BASH, PATH: OWN_PATH, SECRET: 'x', BASH_ENV: '/x', MAESTRO_SESSION_ID: 'y', TMUX: 'z', LANG: 'C.UTF-8' },
    });
    const names = (await readFile(join(home, 'seen'), 'utf8')).split('\0').map((entry) => entry.split('=')[0] ?? '');
    const shellsOwn = ['', '_', 'PWD', 'OLDPWD', 'SHLVL'];
    expect(new Set(names.filter((name) => !shellsOwn.includes(name)))).toEqual(
      new Set(['HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'PATH', 'MAESTRO_RESOLVING_PATH']),
    );
    expect(await readFile(join(home, 'where'), 'utf8')).toBe(`${home}\n`);
  });

  test('may be missing its home directory', async () => {
    const { path, warning } = await ask(BASH, { env: { HOME: join(home, 'gone'), SHELL: BASH, PATH: '/of/daemon' } });
    expect(path).toMatch(/(?:^|:)\/of\/daemon(?::|$)/);
    expect(warning).toBeUndefined();
  });

  test('is given up when the caller is', async () => {
    await write('.bashrc', 'sleep 60');
    await write('.bash_profile', '. ~/.bashrc');
    const stop = new AbortController();
    const asked = ask(BASH, { signal: stop.signal });
    await vi.waitFor(async () => expect(await processesOf(home)).not.toEqual([]), { timeout: 5000 });
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
  });
});

describe('what a session inherits', () => {
  const userInfo = { username: 'somebody', homedir: '/home/somebody', shell: BASH };
  const base = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    sessionBaseEnv({ env, path: '/bin', userInfo, platform });
  const least = {
    HOME: '/home/somebody',
    USER: 'somebody',
    LOGNAME: 'somebody',
    SHELL: BASH,
    PATH: '/bin',
    LANG: 'C.UTF-8',
    COLORTERM: 'truecolor',
  };

  test('is complete with nothing in the daemon’s environment', () => {
    expect(base({})).toEqual(least);
  });

  test('leaves out marks of agents and terminals, secrets, and whatever else the daemon was started with', () => {
    const env = {
      ...{ CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', NO_COLOR: '1', FORCE_COLOR: '0', TMUX: '/x,1,0', TMUX_PANE: '%9', TERM: 'dumb' },
      ...{
        MAESTRO_SESSION_ID: 'x',
        MAESTRO_RUN: '1',
        MAESTRO_TOKEN: 't',
        ANTHROPIC_API_KEY: 'k',
        AWS_SECRET_ACCESS_KEY: 's',
        NODE_OPTIONS: '-r x',
      },
      ...{
        LD_PRELOAD: '/x',
        BASH_ENV: '/x',
        ENV: '/x',
        PWD: '/x',
        OLDPWD: '/x',
        SHLVL: '3',
        _: '/x',
        FOO: '1',
        COLORTERM: '24bit',
        PATH: '/daemon',
      },
      ...{ npm_config_prefix: '/x', INIT_CWD: '/x', COLUMNS: '80', LINES: '24', TERM_PROGRAM: 'x', VIRTUAL_ENV: '/x', SUDO_USER: 'x' },
    };
    expect(base(env)).toEqual(least);
  });

  test('keeps who the user is, displays, buses, directories, proxies and certificates', () => {
    const env = {
      ...{ HOME: '/h', USER: 'u', LOGNAME: 'l', SHELL: '/bin/sh', TZ: 'Asia/Tokyo', TMPDIR: '/t', SSH_AUTH_SOCK: '/s', DISPLAY: ':0' },
      ...{
        WAYLAND_DISPLAY: 'w',
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/b',
        XDG_RUNTIME_DIR: '/r',
        XDG_CONFIG_HOME: '/c',
        XDG_DATA_DIRS: '/d',
      },
      ...{ http_proxy: 'http://p', HTTPS_PROXY: 'http://q', NO_PROXY: 'x', NODE_EXTRA_CA_CERTS: '/ca', SSL_CERT_FILE: '/f' },
    };
    expect(base(env)).toEqual({ ...env, SHELL: BASH, PATH: '/bin', LANG: 'C.UTF-8', COLORTERM: 'truecolor' });
    expect(base({ TZ: '', HOME: '' })).toEqual(least);
  });

  test.each([
    [{ LANG: 'de_DE.UTF-8' }, { LANG: 'de_DE.UTF-8' }],
    [
      { LANG: 'de_DE.utf8', LC_TIME: 'en_DK.utf8', LC_ALL: '' },
      { LANG: 'de_DE.utf8', LC_TIME: 'en_DK.utf8' },
    ],
    [
      { LANG: 'C', LC_ALL: 'C.UTF-8' },
      { LANG: 'C', LC_ALL: 'C.UTF-8' },
    ],
    [{ LC_CTYPE: 'ca_ES.UTF-8@valencia' }, { LC_CTYPE: 'ca_ES.UTF-8@valencia' }],
    [{ LANG: 'C' }, { LANG: 'C.UTF-8' }],
    [{ LANG: 'POSIX', LC_TIME: 'de_DE.UTF-8' }, { LANG: 'C.UTF-8' }],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, { LANG: 'C.UTF-8' }],
    [{ LANG: 'ja_JP.eucJP' }, { LANG: 'C.UTF-8' }],
    [{ LC_CTYPE: 'UTF-8' }, { LANG: 'C.UTF-8' }],
  ])('has a UTF-8 locale, the daemon’s own if it is one: %j', (env, locale) => {
    const { LANG: _, ...rest } = least;
    expect(base(env)).toEqual({ ...rest, ...locale });
  });

  test('has the locales of macOS there', () => {
    expect(base({}, 'darwin').LANG).toBe('en_US.UTF-8');
    expect(base({ LC_CTYPE: 'UTF-8' }, 'darwin')).toMatchObject({ LC_CTYPE: 'UTF-8' });
  });
});
