import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { NewPane } from '../../../src/daemon/panes/panes.js';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { TmuxSandbox } from '../../support/tmux-server.js';

const run = promisify(execFile);

const NASTY = [
  ...[
    "'",
    '"',
    '`id`',
    '$HOME',
    '$(id)',
    ';',
    'a;',
    '\\',
    '\\;',
    '#{pid}',
    '#(touch pwned)',
    '##',
    '#[bold]',
    '#',
    '%H%M',
    '%%',
    '%1',
    '~',
  ],
  ...[
    '{',
    '}',
    '{a;b}',
    'a=b',
    '-x',
    '--',
    ' lead',
    'trail ',
    'two\nlines\n',
    '\ttab\r',
    '\u0001\u001b[31m\u007f',
    'ü 漢字 🎉👩‍👩‍👧',
    '*?[a]',
    '!',
    '&|<>',
    '=x:',
    '\u2028',
  ],
];

let sandbox: TmuxSandbox;
let panes: TmuxPanes;

async function open(name = ''): Promise<void> {
  sandbox = await TmuxSandbox.create(name);
  panes = await sandbox.start();
}

afterEach(() => sandbox[Symbol.asyncDispose]());

/** Runs `command` to its end and gives what it printed. */
async function printed(command: string, more: Partial<NewPane> = {}): Promise<string> {
  const fifo = await sandbox.fifo();
  await panes.newSessionPiped(sandbox.spec(`stty raw; ${command}`, fifo, more));
  const text = await fifo.until('\u001b]7750;maestro-end;');
  return text.slice(0, text.indexOf('\u001b]7750;maestro-end;'));
}

/** The environment of the program itself, as the kernel gave it. */
async function programEnv(env: Record<string, string>): Promise<Record<string, string>> {
  const file = join(sandbox.root, 'environ');
  await printed(`/bin/cat /proc/$$/environ >'${file}'`, { env });
  const entries = (await readFile(file, 'utf8')).split('\0').filter((entry) => entry !== '');
  return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}

describe('C4: every string arrives byte for byte', () => {
  beforeEach(() => open());

  test('the command', async () => {
    const words = NASTY.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    expect(await printed(`printf '%s|' ${words}`)).toBe(NASTY.map((word) => `${word}|`).join(''));
    expect(await readdir(sandbox.home)).toEqual([]);
  });

  test('the environment, names that tmux and shells set for themselves included', async () => {
    const own = {
      IFS: ',',
      PS1: 'p',
      OPTIND: '7',
      PPID: '99',
      LINENO: '5',
      SHLVL: '3',
      UID: '4',
      SHELLOPTS: 'xtrace',
      _: 'under',
      OLDPWD: '/nowhere',
    };
    const tmux = {
      SHELL: '/usr/bin/fish',
      TMUX: 'mine',
      TMUX_PANE: '%77',
      TERM_PROGRAM: 'x',
      TERM_PROGRAM_VERSION: 'y',
      LISTEN_FDS: '1',
      LISTEN_PID: '2',
    };
    const wrapper = {
      command: 'c',
      status: 's',
      mark: 'm',
      round: 'r',
      launch: 'l',
      maestro: 'x',
      CDPATH: '/tmp',
      ENV: '/nowhere',
      EMPTY: '',
      COLORTERM: 'truecolor',
    };
    const nasty = Object.fromEntries(NASTY.map((word, index) => [`NASTY_${index}`, word]));
    const env = { ...own, ...tmux, ...wrapper, ...nasty, PATH: '/nix/bin:/usr/bin:/bin', HOME: sandbox.home, LC_ALL: 'C' };
    const { TERM, PWD, LANG, ...rest } = await programEnv(env);
    expect(rest).toEqual(env);
    expect({ TERM, PWD, LANG }).toEqual({ TERM: 'tmux-256color', PWD: sandbox.home, LANG: 'C.UTF-8' });
  });

  test('nothing else is in the environment', async () => {
    const fifo = await sandbox.fifo();
    await panes.newSessionPiped({ ...sandbox.spec('exec env', fifo), env: { ONE: '1' } });
    const names = [...(await fifo.until('maestro-end')).matchAll(/^(\w+)=/gm)].map((match) => match[1]);
    // What tmux sets, and what the shell sets.
    expect(new Set(names)).toEqual(
      new Set(['ONE', 'PATH', 'PWD', 'SHELL', 'TERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TMUX', 'TMUX_PANE']),
    );
  });

  test('the record', async () => {
    const record = JSON.stringify({ nasty: NASTY, large: 'x'.repeat(1 << 20) });
    const pane = await panes.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo(), { record }));
    expect(await panes.record(pane)).toBe(record);
    await panes.setRecord(pane, `-${record}`);
    expect(await panes.record(pane)).toBe(`-${record}`);
  });

  test('a text that cannot reach a program is refused before anything is made', async () => {
    const spec = sandbox.spec('true', await sandbox.fifo(), { command: 'echo \0' });
    await expect(panes.newSessionPiped(spec)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await panes.listSessions()).toEqual([]);
  });

  test('the largest command, environment and record go in one step', async () => {
    const command = `printf %s "\${#LARGE_7}" # ${'x'.repeat(100 * 1024)}`.slice(0, 100 * 1024);
    const large = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`LARGE_${index}`, "it's #{x}\n".repeat(12_800)]));
    const env = { ...large, PATH: '/usr/bin:/bin', HOME: sandbox.home };
    const fifo = await sandbox.fifo();
    const pane = await panes.newSessionPiped({ ...sandbox.spec(command, fifo), env, record: JSON.stringify(env) });
    await fifo.until('128000');
    expect(await panes.record(pane)).toBe(JSON.stringify(env));
  });
});

describe('C2: the program starts in its cwd', () => {
  beforeEach(() => open());

  test('whatever characters it holds', async () => {
    const words = [...NASTY, 'dir with #[style] in it', '-', "#{?1,'a',b}"];
    for (const word of words) {
      const cwd = join(sandbox.root, `x${word.replaceAll('/', '_')}`);
      await mkdir(cwd);
      expect(await printed('printf "%s|" "$PWD"; exec readlink -n /proc/self/cwd', { cwd })).toBe(`${cwd}|${cwd}`);
    }
  });

  test('and PWD keeps a symbolic link as it was asked for', async () => {
    const cwd = join(sandbox.root, 'link');
    await symlink(sandbox.home, cwd);
    expect(await printed('printf "%s|" "$PWD"; exec readlink -n /proc/self/cwd', { cwd })).toBe(`${cwd}|${sandbox.home}`);
    expect((await programEnv({ PWD: '/elsewhere' })).PWD).toBe(sandbox.home);
  });

  test('also where the parent of a link is not the directory above it', async () => {
    const deep = join(sandbox.root, 'a/b');
    await mkdir(deep, { recursive: true });
    await symlink(deep, join(sandbox.home, 'link'));
    expect(await printed('exec readlink -n /proc/self/cwd', { cwd: `${sandbox.home}/link/..` })).toBe(join(sandbox.root, 'a'));
  });
});

describe('C4: the state directory may have any name', () => {
  test.each(["it's #{pid} %H#[x] #(touch z);", 'two\nlines "ü🎉" $HOME `id` \\'])('%j', async (name) => {
    await open(name);
    expect(await printed('printf hello; exec cat /proc/self/cwd/file', { cwd: sandbox.home })).toContain('hello');
    const fifo = await sandbox.fifo();
    const pane = await panes.newSessionPiped(sandbox.spec('stty raw -echo; echo ready; exec cat', fifo));
    await fifo.until('ready');
    await panes.sendBytes(pane, Buffer.from(`${'bulk'.repeat(1000)}.`));
    await fifo.until('bulk.');
    const next = await sandbox.fifo();
    await panes.adopt(pane, next.path);
    await panes.sendBytes(pane, Buffer.from('more'));
    await next.until('more');
  });
});

describe('what surrounds the daemon does not matter', () => {
  test('its environment, the shell of the user and a configuration of tmux', async () => {
    vi.stubEnv('LC_ALL', 'C');
    vi.stubEnv('SHELL', '/usr/bin/fish');
    vi.stubEnv('TMUX', '/tmp/other,1,0');
    vi.stubEnv('MAESTRO_SESSION_ID', 'outer');
    sandbox = await TmuxSandbox.create();
    const conf =
      'set -g destroy-unattached on\nset -g default-command "exit 9"\nset -g remain-on-exit off\nset -g base-index 5\nset -g @conf read\n';
    await writeFile(join(sandbox.home, '.tmux.conf'), conf);
    panes = await sandbox.start();
    expect(await printed('for i in ü 漢 🎉; do printf "%s" "$i"; done; printf "|%s" "$MAESTRO_SESSION_ID"')).toBe('ü漢🎉|');
    const serverPid = panes.serverIdentity?.pid ?? 0;
    const environ = (await readFile(`/proc/${serverPid}/environ`, 'utf8')).split('\0').map((entry) => entry.split('=')[0]);
    expect(new Set(environ)).toEqual(new Set(['HOME', 'LANG', 'PATH', 'SHELL', 'MALLOC_MMAP_THRESHOLD_', '']));
    expect(await sandbox.tmux('show', '-g', '-q', '-v', '@conf')).toBe('');
  });

  test('C4: nothing of a session shows in the command line of the server', async () => {
    await open();
    await panes.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo(), { env: { TOKEN: 'hidden-value' } }));
    const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', (await sandbox.processes()).join(',')]);
    expect(stdout).toContain('tmux');
    expect(stdout).not.toContain('hidden-value');
    expect(await sandbox.tmux('show-messages')).not.toContain('hidden-value');
  });
});

describe('C3: a create that cannot be', () => {
  beforeEach(() => open());

  test('leaves nothing when a step behind the start of the program fails', async () => {
    await sandbox.tmux('set-hook', '-g', 'after-new-session', 'rename-session elsewhere');
    const create = panes.newSessionPiped(sandbox.spec('exec sleep 100', await sandbox.fifo()));
    await expect(create).rejects.toMatchObject({ code: expect.stringMatching(/not_running|tmux_unavailable/) });
    expect(await panes.listSessions()).toEqual([]);
  });

  test('is refused when the session has a pane already, which is left alone', async () => {
    const fifo = await sandbox.fifo();
    const spec = sandbox.spec('exec sleep 100', fifo);
    const pane = await panes.newSessionPiped(spec);
    const again = panes.newSessionPiped({ ...spec, fifo: (await sandbox.fifo()).path });
    await expect(again).rejects.toMatchObject({ code: 'already_running', message: expect.stringContaining(spec.sessionId) });
    expect(await panes.listSessions()).toMatchObject([{ ...pane, dead: false, piped: true }]);
  });

  test('moves a session of that name which somebody made by hand out of the way, and keeps it', async () => {
    const fifo = await sandbox.fifo();
    const spec = sandbox.spec('exec sleep 100', fifo);
    await sandbox.tmux('new-session', '-d', '-s', spec.sessionId, 'sleep', '100');
    await sandbox.tmux('new-session', '-d', '-s', `${spec.sessionId}-unmanaged`, 'sleep', '100');
    const pane = await panes.newSessionPiped(spec);
    const listed = (await panes.listSessions()).map(({ sessionId, marked, dead }) => ({ sessionId, marked, dead }));
    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual({ sessionId: `${spec.sessionId}-unmanaged`, marked: false, dead: false });
    expect(listed).toContainEqual({ sessionId: `${spec.sessionId}-unmanaged-2`, marked: false, dead: false });
    expect(await panes.paneInfo(spec.sessionId)).toMatchObject({ ...pane, marked: true });
  });

  test('moves what people left of a session whose own pane was killed out of the way', async () => {
    const spec = sandbox.spec('exec sleep 100', await sandbox.fifo());
    const former = await panes.newSessionPiped(spec);
    await sandbox.tmux('split-window', '-d', '-t', former.paneId, 'sleep', '100');
    await sandbox.tmux('kill-pane', '-t', former.paneId);
    expect(await panes.paneInfo(spec.sessionId)).toBeUndefined();
    const pane = await panes.newSessionPiped({ ...spec, run: 2, fifo: (await sandbox.fifo()).path });
    expect(await panes.paneInfo(spec.sessionId)).toMatchObject({ ...pane, run: 2 });
    expect(await panes.listSessions()).toContainEqual(expect.objectContaining({ sessionId: `${spec.sessionId}-unmanaged`, marked: false }));
  });
});

test('many sessions at once each get their own pane', async () => {
  await open();
  const specs = await Promise.all(Array.from({ length: 40 }, async () => sandbox.spec('exec sleep 100', await sandbox.fifo())));
  const made = await Promise.all(specs.map((spec) => panes.newSessionPiped(spec)));
  expect(new Set(made.map(({ pid }) => pid)).size).toBe(40);
  expect(made.map(({ sessionId }) => sessionId)).toEqual(specs.map(({ sessionId }) => sessionId));
  await Promise.all(made.map((pane) => panes.killSession(pane)));
  expect(await panes.listSessions()).toEqual([]);
});
