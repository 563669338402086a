import { appendFile, chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENT_ADAPTERS } from '../../../src/daemon/agents/adapters/agents.js';
import { AgentCatalogue } from '../../../src/daemon/agents/agent-catalogue.js';
import { AgentVersions } from '../../../src/daemon/agents/agent-version.js';
import { presetsOf } from '../../../src/daemon/agents/presets.js';
import { AgentInfoSchema } from '../../../src/protocol/index.js';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'm-')));
});
afterEach(() => rm(root, { recursive: true }));

/** A program that counts how often it is asked. */
async function program(path: string, script: string): Promise<string> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho asked >> '${root}/asked'\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const timesAsked = async () => (await readFile(join(root, 'asked'), 'utf8').catch(() => '')).split('\n').length - 1;
const AGENT = { packageName: '@scope/agent' };

describe('the version of an agent', () => {
  test('is that of the package its executable leads to, without running it', async () => {
    const file = await program('lib/node_modules/@scope/agent/bin/agent.js', 'echo 9.9.9');
    await writeFile(join(dirname(file), 'package.json'), '{"type":"module"}');
    await writeFile(join(root, 'lib/node_modules/@scope/agent/package.json'), '{"name":"@scope/agent","version":"2.1.332"}');
    await symlink(file, join(root, 'agent'));
    expect(await new AgentVersions().versionOf(AGENT, join(root, 'agent'))).toBe('2.1.332');
    expect(await timesAsked()).toBe(0);
  });

  test('is the name of its file where an installer keeps several', async () => {
    const file = await program('versions/2.1.197', 'echo 9.9.9');
    await symlink(file, join(root, 'agent'));
    expect(await new AgentVersions().versionOf(AGENT, join(root, 'agent'))).toBe('2.1.197');
    expect(await timesAsked()).toBe(0);
  });

  test('is asked for once, and again when the program is another one', async () => {
    await writeFile(join(root, 'package.json'), '{"name":"other","version":"7.7.7"}');
    const file = await program('agent', 'test "$*" = --version && test -z "$MAESTRO_RUN" && echo "agent-cli v1.2.3-beta.4 (build 5.6)"');
    const versions = new AgentVersions({ env: { PATH: process.env.PATH, MAESTRO_RUN: '1' } });
    expect(await Promise.all([1, 2, 3].map(() => versions.versionOf(AGENT, file)))).toEqual(Array(3).fill('1.2.3-beta.4'));
    expect(await timesAsked()).toBe(1);
    await appendFile(file, '# newer\n');
    await utimes(file, 1, 1);
    expect(await versions.versionOf(AGENT, file)).toBe('1.2.3-beta.4');
    expect(await timesAsked()).toBe(2);
  });

  test.each([['echo none'], ['echo 1.2.3; exit 1'], ['sleep 60 & wait']])('is not known when it says `%s`', async (script) => {
    const versions = new AgentVersions({ env: process.env, timeoutMs: 300 });
    expect(await versions.versionOf(AGENT, await program('agent', script))).toBeUndefined();
  });

  test('is not known of what is not there', async () => {
    expect(await new AgentVersions().versionOf(AGENT, join(root, 'none'))).toBeUndefined();
  });
});

describe('the catalogue', () => {
  const catalogue = (overrides: Parameters<typeof presetsOf>[0] = []) =>
    new AgentCatalogue({
      presets: presetsOf(overrides),
      path: join(root, 'bin'),
      versions: new AgentVersions({ env: process.env }),
    }).list();

  test('tells of every agent whether it is there, how well it is known and what is put into it', async () => {
    const claude = await program('bin/claude', 'echo 2.1.100');
    await program('bin/amp', 'exit 1');
    const infos = await catalogue();
    for (const info of infos) expect(AgentInfoSchema.parse(info)).toEqual(info);
    expect(new Set(infos.map(({ id }) => id))).toEqual(new Set(AGENT_ADAPTERS.map(({ id }) => id)));
    expect(infos[0]).toMatchObject({
      id: 'claude',
      installed: true,
      path: claude,
      version: '2.1.100',
      verified: { how: 'live', versions: ['2.1.332', '2.1.197'] },
      conversation: 'chosen',
      warnings: ['2.1.100 is older than 2.1.197, the oldest version that was tried'],
    });
    expect(infos.find(({ id }) => id === 'codex')).toMatchObject({ installed: false, conversation: 'learnt', warnings: [] });
    expect(infos.find(({ id }) => id === 'amp')?.warnings).toEqual([
      'Maestro was not tried with it; what it does for it comes from its help',
    ]);
  });

  test("has the config's own agents", async () => {
    const infos = await catalogue([
      { id: 'fast', command: 'claude --model haiku', executable: 'claude' },
      { id: 'mine', command: 'mine', resume_command: 'mine -r {agent_session}' },
      { id: 'vim', command: 'vim' },
    ]);
    expect(infos.find(({ id }) => id === 'fast')).toMatchObject({ installed: false, verified: { how: 'config' }, conversation: 'chosen' });
    expect(infos.find(({ id }) => id === 'mine')).toMatchObject({
      installed: true,
      verified: { how: 'config', versions: [] },
      conversation: 'learnt',
    });
    expect(infos.some(({ id }) => id === 'vim' || id === 'shell')).toBe(false);
  });
});

test('every adapter has a built-in preset with its name and program', () => {
  for (const { id, label, executable } of AGENT_ADAPTERS) {
    expect(presetsOf([]).find((preset) => preset.id === id)).toMatchObject({ label, executable });
  }
});
