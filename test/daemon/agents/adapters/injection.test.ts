import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LaunchContext } from '../../../../src/daemon/agents/adapters/agent-adapter.js';
import { geminiSystemSettings, readLaunchInputs } from '../../../../src/daemon/agents/adapters/launch-inputs.js';
import { type LaunchPlan, planStart } from '../../../../src/daemon/agents/adapters/launch-plan.js';
import { agent, CONTEXT, ID, shown } from './plans.js';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'm-'));
});
afterEach(() => rm(cwd, { recursive: true }));

async function plan(command: string, more: Partial<LaunchContext> = {}): Promise<LaunchPlan> {
  const running = agent(command);
  const context = { ...CONTEXT, ...more };
  const inputs = await readLaunchInputs(running, { command, env: context.env, cwd });
  return planStart({ agent: running, command, agent_session: ID, context: { ...context, inputs } });
}

function contentOf({ files }: LaunchPlan): unknown {
  expect(files).toHaveLength(1);
  return JSON.parse(files[0]?.content ?? '');
}

const HOOK = `'/usr/bin/node' '/opt/it'\\''s here/hook.js' claude`;
const hooked = (more = {}) => [{ hooks: [{ type: 'command', command: HOOK, timeout: 5, ...more }] }];

describe("Claude Code's settings", () => {
  test('hold one hook for every event that both measured versions know', async () => {
    const { hooks } = contentOf(await plan('claude')) as { hooks: Record<string, unknown> };
    expect(Object.keys(hooks)).toEqual([
      ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PermissionDenied', 'PostToolUse'],
      ...['PostToolUseFailure', 'Elicitation', 'ElicitationResult', 'Notification', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop'],
    ]);
    expect(hooks.Stop).toEqual(hooked());
    expect(hooks.PostToolUse).toEqual(hooked({ async: true }));
    expect(hooks.PreToolUse).toEqual([{ matcher: 'AskUserQuestion', ...hooked()[0] }]);
  });

  test('hold no event that the installed version does not know, as that would stop it with a dialog', async () => {
    const events = async (version: string) => Object.keys((contentOf(await plan('claude', { version })) as { hooks: object }).hooks);
    expect(await events('2.1.332')).toHaveLength(15);
    expect(await events('3.0.0-beta.1')).toHaveLength(15);
    expect(await events('2.1.77')).not.toContain('StopFailure');
    expect(await events('2.0.44')).not.toContain('PermissionRequest');
    expect(await events('2.0.44')).toContain('SubagentStart');
    expect(await events('no version')).toEqual([]);
  });

  test('are one file for the same content, and another one for another', async () => {
    const [one, same, other] = [await plan('claude'), await plan('claude --verbose'), await plan('claude', { nodePath: '/node' })];
    expect(one.files).toEqual(same.files);
    expect(one.files[0]?.name).toMatch(/^claude-[0-9a-f]{16}\.json$/);
    expect(other.files[0]?.name).not.toBe(one.files[0]?.name);
  });

  test("hold the user's own --settings, as Claude reads only one: from JSON", async () => {
    const made = await plan(`claude --model x --settings '{"model":"y","hooks":{"Stop":[1],"Own":[2]}}' go`);
    expect(shown(made.command)).toBe(`claude --session-id ${ID} --settings FILE --model x go`);
    expect(contentOf(made)).toMatchObject({ model: 'y', hooks: { Own: [2], Stop: [1, ...hooked()] } });
  });

  test.each(['--settings own.json', '--settings=./own.json', "--settings '$FILE'"])('or from a file, named by %s', async (words) => {
    await writeFile(join(cwd, 'own.json'), '{ "env": { "A": "1" } } // mine');
    const made = await plan(`claude ${words.replace('$FILE', join(cwd, 'own.json'))}`);
    expect(shown(made.command)).toBe(`claude --session-id ${ID} --settings FILE`);
    expect(contentOf(made)).toMatchObject({ env: { A: '1' }, hooks: { Stop: hooked() } });
  });

  test('or from a file in the home directory', async () => {
    await writeFile(join(cwd, 'own.json'), '{"model":"z"}');
    expect(contentOf(await plan('claude --settings ~/own.json', { env: { HOME: cwd } }))).toMatchObject({ model: 'z' });
  });

  test.each(['missing.json', "'{not json'", '"$SETTINGS"', `'{"hooks":[]}'`, `'{"hooks":{"Stop":{}}}'`, '/dev/zero', '.'])(
    'are not given where the own ones, %s, cannot be taken over',
    async (settings) => {
      const command = `claude --settings ${settings}`;
      const made = await plan(command);
      expect(made.command).toBe(`claude --session-id ${ID} --settings ${settings}`);
      expect(made.files).toEqual([]);
      expect(made.warnings).toEqual([
        "the command's --settings could not be read, so they are left alone and Claude's hooks do not report",
      ]);
    },
  );
});

describe("Gemini's settings", () => {
  const path = () => join(cwd, 'system.json');
  const env = () => ({ ...CONTEXT.env, GEMINI_CLI_SYSTEM_SETTINGS_PATH: path() });

  test("are the system's own with ours: its hooks first, and no clean-up of conversations", async () => {
    const own = {
      general: { vimMode: true, sessionRetention: { maxAge: '1d' } },
      hooks: { AfterAgent: ['own'] },
      hooksConfig: { enabled: true },
    };
    await writeFile(path(), JSON.stringify(own));
    const made = await plan('gemini', { env: env() });
    const hook = { type: 'command', name: 'maestro', command: HOOK.replace(/claude$/, 'gemini'), timeout: 5000 };
    const ours = [{ hooks: [hook] }];
    expect(contentOf(made)).toEqual({
      general: { vimMode: true, sessionRetention: { maxAge: '1d', enabled: false } },
      hooksConfig: { enabled: true },
      hooks: { AfterAgent: ['own', ...ours], SessionStart: ours, BeforeAgent: ours, Notification: ours, SessionEnd: ours },
    });
    expect(made.command).toBe(`gemini --session-id ${ID}`);
    expect(made.env).toEqual({
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: `/state/agents/${made.files[0]?.name}`,
      GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(cwd, 'system-defaults.json'),
    });
  });

  test("are ours alone without a file of the system's, whose defaults are still named where they would be", async () => {
    const made = await plan('gemini', { env: { ...env(), GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/own/defaults.json' } });
    expect(contentOf(made)).toMatchObject({ general: { sessionRetention: { enabled: false } } });
    expect(Object.keys(made.env)).toEqual(['GEMINI_CLI_SYSTEM_SETTINGS_PATH']);
  });

  test('are left alone when they cannot be read, or when the command sets them itself', async () => {
    await writeFile(path(), '{ no');
    expect(await plan('gemini', { env: env() })).toMatchObject({
      env: {},
      files: [],
      warnings: [`${path()} could not be read, so Gemini's hooks do not report`],
    });
    const own = 'GEMINI_CLI_SYSTEM_SETTINGS_PATH=/x gemini';
    expect(await plan(own)).toMatchObject({ env: {}, command: `${own} --session-id ${ID}` });
  });

  test('lie where the platform has them', () => {
    expect(geminiSystemSettings({ env: {}, platform: 'linux' })).toBe('/etc/gemini-cli/settings.json');
    expect(geminiSystemSettings({ env: {}, platform: 'darwin' })).toBe('/Library/Application Support/GeminiCli/settings.json');
  });
});

describe("OpenCode's config", () => {
  const OPENCODE_CONFIG_CONTENT = '{"model":"a/b","plugin":["own"]} // mine';

  test("is the session's own with the plugin", async () => {
    const made = await plan('opencode', { env: { OPENCODE_CONFIG_CONTENT } });
    expect(JSON.parse(made.env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({ model: 'a/b', plugin: ['own', 'file:///opt/a%20b/plugin.js'] });
    expect(made.warnings).toEqual([]);
  });

  test.each(['{ no', '[]', '{"plugin":{}}'])('is left alone when it is %s', async (content) => {
    const made = await plan('opencode', { env: { OPENCODE_CONFIG_CONTENT: content } });
    expect(made.env).toEqual({});
    expect(made.warnings).toEqual([
      'OPENCODE_CONFIG_CONTENT of the session is not JSON with a list of plugins; it is left alone, so nothing reports',
    ]);
  });

  test('is left alone when the command sets it, and does nothing with --pure', async () => {
    expect(await plan("OPENCODE_CONFIG_CONTENT='{}' opencode")).toMatchObject({ env: {} });
    expect((await plan('opencode --pure')).warnings).toEqual(['with --pure OpenCode loads no plugin, so nothing reports']);
  });
});

test('Codex before the option was known is kept in its session by an override that means nothing to it', async () => {
  expect((await plan('codex', { version: '0.150.0' })).command).toBe('codex -c maestro_embedded=true');
  expect((await plan('codex', { version: '0.171.0' })).command).toBe('codex --no-daemon');
});
