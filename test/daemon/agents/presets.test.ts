import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../src/daemon/agents/executable.js';
import { hostPresets, presetsOf, requireInstalled, resumeCommand } from '../../../src/daemon/agents/presets.js';
import { AgentSessionSchema, HostPresetSchema, type SpawnPreset, SpawnPresetSchema } from '../../../src/protocol/index.js';

const presets = presetsOf([]);
const LIVE = ['claude', 'codex', 'gemini', 'opencode'];
const DOCUMENTED = ['aider', 'copilot', 'qwen', 'cursor', 'amp', 'goose', 'crush'];

describe('the presets', () => {
  test('that are built in are valid, and one at least needs no agent', () => {
    expect(presets.map(({ id }) => id)).toEqual([...LIVE, ...DOCUMENTED, 'shell']);
    for (const preset of presets) expect(SpawnPresetSchema.parse(preset)).toEqual(preset);
    expect(presets.find(({ id }) => id === 'shell')).toEqual({ id: 'shell', label: 'Shell', command: `exec "\${SHELL:-/bin/sh}" -l` });
  });

  test('of the config change the fields that they give and no others', () => {
    const claude = presetsOf([{ id: 'claude', command: 'claude --verbose' }])[0];
    expect(claude).toEqual({ ...presets[0], command: 'claude --verbose' });
  });

  test('of the config take optional fields away with an empty text', () => {
    const claude = presetsOf([{ id: 'claude', executable: '', install: '', resume_command: '' }])[0];
    expect(claude).toEqual({ id: 'claude', label: 'Claude Code', command: 'claude' });
  });

  test('of the config stand behind the built-in ones, labelled by their id if by nothing else', () => {
    const all = presetsOf([
      { id: 'mine', command: 'my agent' },
      { id: 'yours', command: 'x', label: 'Yours', executable: 'x' },
      { id: 'shell', label: 'Sh' },
    ]);
    expect(all.map(({ id, label }) => `${id}=${label}`).slice(-3)).toEqual(['shell=Sh', 'mine=mine', 'yours=Yours']);
    for (const preset of all) SpawnPresetSchema.parse(preset);
  });
});

describe('R3: a resume runs', () => {
  const id = '0199-abc.D:e_f';

  test.each([
    ['claude', 'claude --resume 0199-abc.D:e_f'],
    ['codex', 'codex resume --no-daemon 0199-abc.D:e_f'],
    ['gemini', 'gemini --resume 0199-abc.D:e_f'],
    ['opencode', 'opencode -s 0199-abc.D:e_f'],
  ])('the resume command of the preset %s with the conversation in its place', (preset, command) => {
    expect(resumeCommand({ command: 'whatever ran', preset, agent_session: id }, presets)).toBe(command);
  });

  test('the resume command of the preset whose command the session has', () => {
    expect(resumeCommand({ command: 'claude', agent_session: id }, presets)).toBe(`claude --resume ${id}`);
    expect(resumeCommand({ command: 'claude', preset: 'removed', agent_session: id }, presets)).toBe(`claude --resume ${id}`);
    expect(resumeCommand({ command: 'claude ', agent_session: id }, presets)).toBe('claude ');
  });

  test('what the preset that the session names says, also where another one has its command', () => {
    expect(resumeCommand({ command: 'claude', preset: 'gemini', agent_session: id }, presets)).toBe(`gemini --resume ${id}`);
    expect(resumeCommand({ command: 'claude', preset: 'aider', agent_session: id }, presets)).toBe('claude');
  });

  test('the original command without a preset, without a resume command, and without a conversation', () => {
    expect(resumeCommand({ command: 'vim', agent_session: id }, presets)).toBe('vim');
    expect(resumeCommand({ command: 'aider --model x', preset: 'aider', agent_session: id }, presets)).toBe('aider --model x');
    expect(resumeCommand({ command: 'claude', preset: 'claude' }, presets)).toBe('claude');
  });

  test('a resume command without a placeholder as it is, with or without a conversation', () => {
    const own = presetsOf([{ id: 'mine', command: 'a', resume_command: 'a --again $& $1' }]);
    expect(resumeCommand({ command: 'x', preset: 'mine' }, own)).toBe('a --again $& $1');
    expect(resumeCommand({ command: 'a', agent_session: id }, own)).toBe('a --again $& $1');
  });

  test('the conversation in every place, with nothing else of the command changed', () => {
    const own = presetsOf([{ id: 'mine', command: 'a', resume_command: 'a \'{agent_session}\' "{agent_session}" {session} $&' }]);
    expect(resumeCommand({ command: 'a', agent_session: id }, own)).toBe(`a '${id}' "${id}" {session} $&`);
  });

  test('R4: the original command when the stored conversation is none that could have been accepted', () => {
    fc.assert(
      fc.property(fc.string(), (agent_session) => {
        const command = resumeCommand({ command: 'claude', agent_session }, presets);
        expect(command).toBe(AgentSessionSchema.safeParse(agent_session).success ? `claude --resume ${agent_session}` : 'claude');
      }),
    );
    for (const bad of ['x;reboot', '-x', '$(x)', 'a b', "'", `a${'b'.repeat(200)}`]) {
      expect(resumeCommand({ command: 'claude', agent_session: bad }, presets)).toBe('claude');
    }
  });
});

describe('an executable', () => {
  let root: string;
  let path: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'm-'));
    path = ['a', 'b with space', 'c'].map((name) => join(root, name)).join(':');
    for (const directory of path.split(':')) await mkdir(directory);
  });
  afterEach(() => rm(root, { recursive: true }));

  async function program(...names: string[]): Promise<string> {
    const file = join(root, ...names);
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, 0o755);
    return file;
  }

  test('is the first one of the PATH', async () => {
    await program('c', 'agent');
    const first = await program('b with space', 'agent');
    expect(await findExecutable('agent', path)).toBe(first);
  });

  test('is no directory and no file that cannot be run; a link to one is fine', async () => {
    await mkdir(join(root, 'a', 'agent'));
    await writeFile(join(root, 'b with space', 'agent'), '');
    await symlink('nowhere', join(root, 'c', 'agent'));
    expect(await findExecutable('agent', path)).toBeUndefined();
    await program('real');
    await rm(join(root, 'c', 'agent'));
    await symlink('../real', join(root, 'c', 'agent'));
    expect(await findExecutable('agent', path)).toBe(join(root, 'c', 'agent'));
  });

  test('may be named by an absolute path, which is not searched for', async () => {
    const file = await program('elsewhere');
    expect(await findExecutable(file, path)).toBe(file);
    expect(await findExecutable(join(root, 'none'), path)).toBeUndefined();
  });

  test('is never looked for in the working directory', async () => {
    expect(await findExecutable('package.json', ':.:')).toBeUndefined();
    expect(await findExecutable('node_modules/.bin/vitest', `${process.cwd()}`)).toBeUndefined();
    expect(await findExecutable('vitest', 'node_modules/.bin:::')).toBeUndefined();
    expect(await findExecutable('', path)).toBeUndefined();
  });

  test('tells which presets this host has, and where', async () => {
    const file = await program('a', 'claude');
    const known = await hostPresets(presets, path);
    for (const preset of known) expect(HostPresetSchema.parse(preset)).toEqual(preset);
    expect(known.map((preset) => ({ id: preset.id, installed: preset.installed, path: preset.path }))).toEqual([
      { id: 'claude', installed: true, path: file },
      ...[...LIVE.slice(1), ...DOCUMENTED].map((id) => ({ id, installed: false, path: undefined })),
      { id: 'shell', installed: true, path: undefined },
    ]);
  });

  test('that is missing is refused with the preset, the PATH and how to get it', async () => {
    const [claude] = presets as [SpawnPreset];
    await expect(requireInstalled(claude, path)).rejects.toMatchObject({
      code: 'agent_not_found',
      message:
        `Claude Code (preset claude) needs the program claude, which is not in PATH=${path}; install it ` +
        '(`npm install -g @anthropic-ai/claude-code`), or set executable and command of [[presets]] claude in the config; ' +
        'a PATH that changed is seen after a restart of the daemon',
      details: { preset: 'claude', executable: 'claude', path, install: 'npm install -g @anthropic-ai/claude-code' },
    });
    const own: SpawnPreset = { id: 'mine', label: 'Mine', command: 'x', executable: join(root, 'none') };
    await expect(requireInstalled(own, path)).rejects.toThrow(
      `needs the program ${join(root, 'none')}, which cannot be run; install it, or`,
    );
    await program('a', 'claude');
    await requireInstalled(claude, path);
    await requireInstalled({ id: 'shell', label: 'Shell', command: 'sh' }, '');
  });
});
