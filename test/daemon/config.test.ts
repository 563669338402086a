import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONFIG_FLAGS } from '../../src/daemon/config/config-source.js';
import { type Config, loadConfig } from '../../src/daemon/config.js';
import { MaestroError } from '../../src/protocol/index.js';

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'm-'));
  file = join(home, '.config', 'maestro', 'config.toml');
});
afterEach(() => rm(home, { recursive: true }));

async function write(text: string | Uint8Array, path = file): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}

interface Given {
  readonly file?: string;
  readonly env?: Record<string, string>;
  readonly flags?: Record<string, string>;
}

async function load(given: Given = {}): Promise<Config> {
  if (given.file !== undefined) await write(given.file);
  return loadConfig({ env: given.env ?? {}, home, flags: given.flags ?? {} });
}

/** The message of the refusal, its lines apart, with the file's path shortened. */
async function refusal(given: Given): Promise<string[]> {
  const error: unknown = await load(given).then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  if (!(error instanceof MaestroError)) throw error;
  expect(error.code).toBe('invalid_request');
  return error.message.replaceAll(file, 'FILE').split('\n');
}

describe('sources', () => {
  test('without a file, variables and flags every key has its documented default', async () => {
    expect(await load()).toEqual({
      file: undefined,
      hostName: hostname(),
      listen: { host: '127.0.0.1', port: 7433, explicit: false },
      allowedHosts: [],
      leader: 'C-b',
      ptyReplayBytes: 1_048_576,
      scrollbackFlushIntervalMs: 10_000,
      livenessIntervalMs: 500,
      deadRetentionMs: 604_800_000,
      resumeConfirmMs: 5000,
      resumeOnStart: 'never',
      worktreesDir: undefined,
      worktreePorts: { first: 20_000, last: 29_999 },
      salvageRetentionMs: 2_592_000_000,
      projectRoots: [],
      projectDepth: 4,
      projectIgnore: [],
      presets: [],
    });
  });

  test('a file sets every key', async () => {
    const config = await load({
      file: [
        'host_name = "büro"',
        'listen = "[::1]:0"',
        'allowed_hosts = ["Dev.Example", "[FE80:0::1]", "10.0.0.1"]',
        'leader = "C-A"',
        'pty_replay_bytes = "4 MiB"',
        'scrollback_flush_interval = 2.5',
        'liveness_interval = "250ms"',
        'dead_retention = "24h"',
        'resume_confirm = "1m"',
        'resume_on_start = "agents"',
        'worktrees_dir = "~/trees/"',
        'worktree_ports = "3000-3999"',
        'salvage_retention = 0',
        '[projects]',
        'roots = ["~", "/srv//code"]',
        'depth = 8',
        'ignore = ["archive", "a: b"]',
        '[[presets]]',
        'id = "claude"',
        'command = "claude --verbose"',
      ].join('\n'),
    });
    expect(config).toEqual({
      file,
      hostName: 'büro',
      listen: { host: '::1', port: 0, explicit: true },
      allowedHosts: ['dev.example', '[fe80::1]', '10.0.0.1'],
      leader: 'C-a',
      ptyReplayBytes: 4_194_304,
      scrollbackFlushIntervalMs: 2500,
      livenessIntervalMs: 250,
      deadRetentionMs: 86_400_000,
      resumeConfirmMs: 60_000,
      resumeOnStart: 'agents',
      worktreesDir: join(home, 'trees'),
      worktreePorts: { first: 3000, last: 3999 },
      salvageRetentionMs: 0,
      projectRoots: [home, '/srv/code'],
      projectDepth: 8,
      projectIgnore: ['archive', 'a: b'],
      presets: [{ id: 'claude', command: 'claude --verbose' }],
    });
  });

  test('flags win over variables, variables over the file, the file over the defaults', async () => {
    const config = await load({
      file: 'leader = "C-x"\nliveness_interval = 1\nresume_confirm = 1\n',
      env: { MAESTRO_LIVENESS_INTERVAL: '2', MAESTRO_RESUME_CONFIRM: '2s' },
      flags: { 'resume-confirm': '3s' },
    });
    expect([config.leader, config.livenessIntervalMs, config.resumeConfirmMs, config.resumeOnStart]).toEqual(['C-x', 2000, 3000, 'never']);
  });

  test('every key but the presets has a variable and a flag', async () => {
    const texts: Record<string, string> = {
      'host-name': 'box',
      listen: 'localhost:1',
      'allowed-hosts': 'a, b.example',
      tls: 'proxy',
      leader: 'F12',
      'pty-replay-bytes': '256',
      'scrollback-flush-interval': '1h',
      'liveness-interval': '50ms',
      'dead-retention': '0',
      'resume-confirm': '0',
      'resume-on-start': 'all',
      'worktrees-dir': '/w',
      'worktree-ports': '1024 - 65535',
      'salvage-retention': '90d',
      'projects-roots': '~/a:/b',
      'projects-depth': '1',
      'projects-ignore': 'old:new',
    };
    expect(CONFIG_FLAGS).toEqual(Object.keys(texts));
    const variables = Object.fromEntries(
      Object.entries(texts).map(([flag, text]) => [`MAESTRO_${flag.toUpperCase().replaceAll('-', '_')}`, text]),
    );
    const byFlags = await load({ flags: texts });
    expect(byFlags).toMatchObject({ allowedHosts: ['a', 'b.example'], ptyReplayBytes: 256, projectRoots: [join(home, 'a'), '/b'] });
    expect(byFlags).toMatchObject({ worktreePorts: { first: 1024, last: 65_535 }, projectDepth: 1, projectIgnore: ['old', 'new'] });
    expect(await load({ env: variables })).toEqual(byFlags);
  });

  test('each key of the projects is set by itself', async () => {
    const file = '[projects]\nroots = ["/a"]\ndepth = 2\nignore = ["x"]\n';
    const config = await load({ file, env: { MAESTRO_PROJECTS_DEPTH: '3' }, flags: { 'projects-ignore': 'y' } });
    expect([config.projectRoots, config.projectDepth, config.projectIgnore]).toEqual([['/a'], 3, ['y']]);
  });

  test('an empty variable counts as not set, and variables that are no key are left alone', async () => {
    const env = {
      MAESTRO_LEADER: '',
      MAESTRO_SESSION_ID: 'x',
      MAESTRO_RUN: '1',
      MAESTRO_SOCKET: '/s',
      MAESTRO_PRESETS: 'x',
      MAESTRO_NOVELTY: 'y',
    };
    expect(await load({ env })).toEqual(await load());
  });

  test('what was loaded cannot be changed', async () => {
    const config = await load({ file: '[[presets]]\nid = "claude"\n' });
    expect(() => (config.presets as unknown[]).push(1)).toThrow(TypeError);
    expect(() => Object.assign(config.listen, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.presets[0] ?? {}, { label: 'x' })).toThrow(TypeError);
  });
});

describe('the file', () => {
  test('is MAESTRO_CONFIG, else under XDG_CONFIG_HOME unless that is relative, else under ~/.config', async () => {
    await write('leader = "C-x"');
    await write('leader = "C-y"', join(home, 'xdg', 'maestro', 'config.toml'));
    await write('leader = "C-z"', join(home, 'named.toml'));
    const leader = async (env: Record<string, string>) => (await load({ env })).leader;
    expect(await leader({ XDG_CONFIG_HOME: 'relative' })).toBe('C-x');
    expect(await leader({ XDG_CONFIG_HOME: join(home, 'xdg') })).toBe('C-y');
    expect(await leader({ XDG_CONFIG_HOME: join(home, 'xdg'), MAESTRO_CONFIG: '~/named.toml' })).toBe('C-z');
    expect(await leader({ MAESTRO_CONFIG: '/dev/null' })).toBe('C-b');
  });

  test('must exist when MAESTRO_CONFIG names it', async () => {
    expect(await refusal({ env: { MAESTRO_CONFIG: `${home}/none` } })).toEqual([
      `${home}/none: there is no such file; make it, or unset MAESTRO_CONFIG`,
    ]);
    expect(await refusal({ env: { MAESTRO_CONFIG: './none' } })).toEqual(['MAESTRO_CONFIG: expected an absolute path, found "./none"']);
  });

  test('that cannot be read is refused with the reason', async () => {
    await mkdir(file, { recursive: true });
    expect(await refusal({})).toEqual(['FILE: it cannot be read (EISDIR)']);
  });

  test('that is not UTF-8 is refused with the line', async () => {
    await write(Buffer.from('# \u00e9\nhost_name = "\u00ff"\n', 'latin1'));
    expect(await refusal({})).toEqual(['FILE:1: expected UTF-8 text']);
    await write(Buffer.concat([Buffer.from('# \u00e9\n'), Buffer.from('host_name = "\u00ff"\n', 'latin1')]));
    expect(await refusal({})).toEqual(['FILE:2: expected UTF-8 text']);
  });

  test('may begin with a byte order mark', async () => {
    expect((await load({ file: '\uFEFFleader = "C-x"\n' })).leader).toBe('C-x');
  });

  test('that is not TOML is refused with line and column', async () => {
    expect(await refusal({ file: 'leader = "C-x"\n[projects]\nroots = [ "/a", nope ]\n' })).toEqual([
      'FILE:3:17: not valid TOML: invalid value',
    ]);
    expect(await refusal({ file: 'leader = "C-x"\nleader = "C-y"\n' })).toEqual([
      'FILE:2:1: not valid TOML: trying to redefine an already defined table or value',
    ]);
  });
});

describe('a wrong value', () => {
  test('is refused with file, line, key, what was expected and what was found', async () => {
    expect(await refusal({ file: '# mine\n\nleader = "b"\n' })).toEqual([
      'FILE:3: leader: expected a key such as "C-b", "M-a" or "F12", and not one that is Tab, Enter or Escape, found "b"',
    ]);
  });

  test('is refused with the name of its variable or flag', async () => {
    expect(await refusal({ env: { MAESTRO_PTY_REPLAY_BYTES: '255' }, flags: { 'resume-on-start': 'yes' } })).toEqual([
      'MAESTRO_PTY_REPLAY_BYTES: expected a size from 256 to 256MiB, such as 1048576 or "1MiB", found "255"',
      '--resume-on-start: expected "never", "agents" or "all", found "yes"',
    ]);
    expect(await refusal({ env: { MAESTRO_PROJECTS_ROOTS: '/a:b' } })).toEqual([
      'MAESTRO_PROJECTS_ROOTS: expected an absolute path, or one that begins with ~/, found "b"',
    ]);
  });

  test('is found on its line in tables, lists, inline tables and presets, all of them at once', async () => {
    const text = [
      'allowed_hosts = [',
      '  "good",',
      '  "http://bad",',
      ']',
      'projects.roots = 1',
      'liveness_interval = "1 fortnight"',
      'pty_replay_bytes = 1e3',
      'worktrees_dir = 1979-05-27T07:32:00Z',
      '[[presets]]',
      'id = "claude"',
      '[[presets]]',
      'id = "mine"',
      'label = 5',
      'command = " "',
    ];
    expect(await refusal({ file: text.join('\n') })).toEqual([
      'FILE:3: allowed_hosts[1]: expected a host name or an address, without a scheme and without a port, found "http://bad"',
      'FILE:6: liveness_interval: expected a duration from 50ms to 1m, such as "500ms", "10s", "7d" or a number of seconds, found "1 fortnight"',
      'FILE:8: worktrees_dir: expected an absolute path, or one that begins with ~/, found 1979-05-27T07:32:00.000Z',
      'FILE:5: projects.roots: expected a list, found 1',
      'FILE:13: presets[1].label: expected text in quotes, found 5',
      'FILE:14: presets[1].command: must not be empty, found " "',
    ]);
  });

  test('of the wrong kind is refused', async () => {
    expect(await refusal({ file: '[[projects]]\n' })).toEqual(['FILE:1: projects: expected a table, found a list']);
    expect(await refusal({ file: '\npresets = "claude"\n' })).toEqual(['FILE:2: presets: expected a list, found "claude"']);
    expect(await refusal({ file: '\n[presets.claude]\n' })).toEqual(['FILE:2: presets: expected a list, found a table']);
    expect(await refusal({ file: 'resume_confirm = nan\n' })).toEqual([expect.stringMatching(/expected a duration .* found NaN$/)]);
  });

  test.each([
    ['lisen = "x"', 'FILE:1: lisen: unknown key; did you mean listen?'],
    ['pty-replay-byte = 1', 'FILE:1: pty-replay-byte: unknown key; did you mean pty_replay_bytes?'],
    ['resumeOnStart = "all"', 'FILE:1: resumeOnStart: unknown key; did you mean resume_on_start?'],
    ['\nroots = []', 'FILE:2: roots: unknown key; did you mean projects.roots?'],
    ['[projects]\nroot = []', 'FILE:2: projects.root: unknown key; did you mean projects.roots?'],
    ['[projects]\nleader = "C-x"', 'FILE:2: projects.leader: unknown key; leader belongs above the first [table] of the file'],
    ['[[presets]]\nid = "claude"\nresume = "x"', 'FILE:3: presets[0].resume: unknown key; did you mean resume_command?'],
    ['[presset]\n', 'FILE:1: presset: unknown key; did you mean presets?'],
    ['__proto__ = 1', 'FILE:1: __proto__: unknown key; the keys are host_name, listen, '],
    ['"a b" = 1', 'FILE:1: "a b": unknown key; the keys are host_name, listen, '],
  ])('an unknown key is refused with a hint: %j', async (text, message) => {
    const [line] = await refusal({ file: text });
    expect(line?.slice(0, message.length)).toBe(message);
  });
});

describe('listen', () => {
  test.each([
    ['127.0.0.1:7433', { host: '127.0.0.1', port: 7433 }],
    ['127.9.9.9:0', { host: '127.9.9.9', port: 0 }],
    ['LOCALHOST:65535', { host: 'localhost', port: 65_535 }],
    ['[::1]:80', { host: '::1', port: 80 }],
  ])('takes the loopback address %s and counts as chosen', async (text, address) => {
    expect((await load({ flags: { listen: text } })).listen).toEqual({ ...address, explicit: true });
  });

  test.each(['0.0.0.0:7433', '[::]:7433', '192.168.1.2:7433', 'example.org:7433', 'localhost.example:7433', '[fe80::1]:7433'])(
    'refuses %s, which others can reach, and names the way that is safe',
    async (text) => {
      expect(await refusal({ flags: { listen: text } })).toEqual([
        '--listen: expected a loopback address such as 127.0.0.1, as what is sent is not encrypted; to reach Maestro from elsewhere ' +
          `run \`ssh -L 7433:127.0.0.1:7433 THIS_HOST\` there, or set tls, found "${text}"`,
      ]);
    },
  );

  test.each([
    '',
    '127.0.0.1',
    ':7433',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '::1:7433',
    '[127.0.0.1]:1',
    '127.1:7433',
    'a b:1',
    'x/y:1',
    '[::1%lo]:1',
  ])('refuses %j, which is no address', async (text) => {
    expect(await refusal({ flags: { listen: text } })).toEqual([expect.stringMatching(/^--listen: expected host:port/)]);
  });

  test('refuses a bare port, which TOML reads as a number', async () => {
    expect(await refusal({ file: 'listen = 7433' })).toEqual([expect.stringMatching(/^FILE:1: listen: expected host:port.* found 7433$/)]);
  });
});

describe('values', () => {
  test.each(['C-a', 'C-]', 'C-Space', 'C-\\', 'M-x', 'M-C-b', 'F1', 'C-F12', 'S-F5'])('leader takes %s', async (key) => {
    expect((await load({ flags: { leader: key } })).leader).toBe(key);
  });

  test.each(['b', 'C-i', 'C-m', 'C-M', 'C-[', 'C-', 'M-[', 'M-O', 'Enter', 'F13', 'F0', 'ctrl-b', 'C-b ', 'C-b;kill-server'])(
    'leader refuses %j',
    async (key) => {
      expect(await refusal({ flags: { leader: key } })).toHaveLength(1);
    },
  );

  test.each([
    ['256', 256],
    ['1KiB', 1024],
    ['0.5 MiB', 524_288],
    ['256mib', 268_435_456],
  ])('pty_replay_bytes takes %j', async (text, bytes) => {
    expect((await load({ flags: { 'pty-replay-bytes': text } })).ptyReplayBytes).toBe(bytes);
  });

  test.each(['255', '257MiB', '1MB', '1M', '300.5', '-1', '1e4', '0x400', '1constructor', ''])(
    'pty_replay_bytes refuses %j',
    async (text) => {
      expect(await refusal({ flags: { 'pty-replay-bytes': text } })).toHaveLength(1);
    },
  );

  test.each([
    ['1500ms', 1500],
    ['1.5s', 1500],
    ['0.1', 100],
    ['5m', 300_000],
  ])('a duration may be %j', async (text, ms) => {
    expect((await load({ flags: { 'scrollback-flush-interval': text } })).scrollbackFlushIntervalMs).toBe(ms);
  });

  test.each(['49ms', '2h', '-1s', '1h30m', 'soon', '', '5 m s'])('a duration may not be %j', async (text) => {
    expect(await refusal({ flags: { 'scrollback-flush-interval': text } })).toHaveLength(1);
  });

  test.each(['0', '9', '-1', '2.5', '4 levels', '0x4', ''])('projects.depth refuses %j', async (text) => {
    expect(await refusal({ flags: { 'projects-depth': text } })).toEqual([
      `--projects-depth: expected a whole number from 1 to 8, found "${text}"`,
    ]);
  });

  test.each(['20000', '1023-2000', '2000-1999', '2000-65536', '20000:30000', '-', ''])('worktree_ports refuses %j', async (text) => {
    expect(await refusal({ flags: { 'worktree-ports': text } })).toEqual([
      `--worktree-ports: expected a range of ports from 1024 to 65535, such as "20000-29999", found "${text}"`,
    ]);
  });

  test.each(['a/b', '.', '..', ''])('projects.ignore refuses %j, which is no name', async (name) => {
    expect(await refusal({ file: `[projects]\nignore = ["ok", "${name}"]\n` })).toEqual([
      `FILE:2: projects.ignore[1]: expected the name of a directory, without a slash, found "${name}"`,
    ]);
  });

  test.each(['relative', '~other/x', './x', ''])('a path may not be %j', async (text) => {
    expect(await refusal({ flags: { 'worktrees-dir': text } })).toHaveLength(1);
  });
});

describe('presets', () => {
  test('with an id of their own need a command and nothing else', async () => {
    expect((await load({ file: '[[presets]]\nid = "mine"\ncommand = "my agent"\n' })).presets).toEqual([
      { id: 'mine', command: 'my agent' },
    ]);
    expect(await refusal({ file: '\n[[presets]]\nid = "mine"\n' })).toEqual([
      'FILE:2: presets[0].command: expected a command, as mine is none of the built-in presets (claude, codex, gemini, opencode, aider, copilot, qwen, cursor, amp, goose, crush, shell)',
    ]);
  });

  test('need an id, and each its own', async () => {
    expect(await refusal({ file: '[[presets]]\n' })).toEqual(['FILE:1: presets[0].id: expected text in quotes']);
    expect(await refusal({ file: '[[presets]]\nid = "Mine"\ncommand = "x"' })).toEqual([
      'FILE:2: presets[0].id: must match [a-z0-9][a-z0-9_-]{0,63}, found "Mine"',
    ]);
    expect(await refusal({ file: '[[presets]]\nid = "claude"\n[[presets]]\nid = "claude"\n' })).toEqual([
      'FILE:4: presets[1].id: expected another id, as an earlier preset has this one, found "claude"',
    ]);
  });

  test('take an optional field away with an empty text, and find their executable below the home directory', async () => {
    const file =
      '[[presets]]\nid = "claude"\nexecutable = ""\nresume_command = ""\n[[presets]]\nid = "codex"\nexecutable = "~/bin/codex"\n';
    expect((await load({ file })).presets).toEqual([
      { id: 'claude', executable: '', resume_command: '' },
      { id: 'codex', executable: join(home, 'bin/codex') },
    ]);
    expect(await refusal({ file: '[[presets]]\nid = "claude"\nresume_command = "\\u0000"\nlabel = ""\n' })).toEqual([
      'FILE:4: presets[0].label: must not be empty, found ""',
      'FILE:3: presets[0].resume_command: must be valid Unicode without NUL, found "\\u0000"',
    ]);
  });
});
