import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeConversations } from '../../../../src/daemon/agents/adapters/claude-conversations.js';
import { codexConversations } from '../../../../src/daemon/agents/adapters/codex-conversations.js';
import { type ConversationPlace, conversationPlace } from '../../../../src/daemon/agents/adapters/conversation-store.js';
import { geminiConversations } from '../../../../src/daemon/agents/adapters/gemini-conversations.js';
import { opencodeConversations } from '../../../../src/daemon/agents/adapters/opencode-conversations.js';
import { ID, OTHER_ID, SES } from './plans.js';

const THIRD_ID = '99999999-2222-4333-8444-555555555555';
let root: string;
let place: ConversationPlace;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'm-')));
  const cwd = join(root, 'src', 'a.b_é c');
  await mkdir(cwd, { recursive: true });
  place = { cwd, env: {}, home: join(root, 'home') };
});
afterEach(() => rm(root, { recursive: true }));

/** Writes lines, each as JSON unless it is a text, as of so many seconds after 2026. */
async function store(path: string, lines: readonly unknown[], seconds = 0): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  await utimes(path, timeOf(seconds), timeOf(seconds));
}

const timeOf = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * seconds);
const listed = (agent_session: string, seconds: number, first_prompt?: string) => ({
  agent_session,
  updated_at: timeOf(seconds).toISOString(),
  ...(first_prompt === undefined ? {} : { first_prompt }),
});

test.each([claudeConversations, codexConversations, geminiConversations, opencodeConversations])(
  'a store that is not there, or is no directory, is empty (%#)',
  async (conversations) => {
    expect(await conversations.list(place)).toEqual([]);
    await mkdir(place.home, { recursive: true });
    for (const name of ['.claude', '.codex', '.gemini']) await writeFile(join(place.home, name), 'x');
    expect(await conversations.list(place)).toEqual([]);
    expect(await conversations.list({ ...place, cwd: join(root, 'gone') })).toEqual([]);
  },
);

test("a session's own command decides where its agent keeps them", () => {
  const command = 'CODEX_HOME=/c HOME="$X" codex';
  expect(conversationPlace({ ...place, env: { HOME: '/h', CODEX_HOME: '/d' }, command })).toEqual({
    ...place,
    env: { HOME: undefined, CODEX_HOME: '/c' },
  });
});

describe('Claude Code', () => {
  const project = (cwd: string) => join(place.home, '.claude', 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
  const user = (content: unknown, more = {}) => ({
    type: 'user',
    cwd: place.cwd,
    isSidechain: false,
    message: { role: 'user', content },
    ...more,
  });
  const META = [{ type: 'queue-operation', content: 'x' }, { type: 'mode' }];

  test('lists the transcripts of the directory, the newest first, with what the user wrote first', async () => {
    await store(
      join(project(place.cwd), `${ID}.jsonl`),
      [...META, user('<command-name>/clear</command-name>'), user('fix\n the  parser')],
      1,
    );
    const parts = [{ type: 'text', text: 'second one' }];
    await store(join(project(place.cwd), `${OTHER_ID}.jsonl`), [user('Caveat', { isMeta: true }), user(parts), { type: 'assistant' }], 2);
    await store(join(project(join(root, 'other')), `${THIRD_ID}.jsonl`), [user('elsewhere', { cwd: join(root, 'other') })], 3);
    expect(await claudeConversations.list(place)).toEqual([listed(OTHER_ID, 2, 'second one'), listed(ID, 1, 'fix the parser')]);
  });

  test('offers neither what never had a prompt, nor a sub-agent, nor one of a directory with the same name in the store', async () => {
    await store(join(project(place.cwd), `${ID}.jsonl`), META);
    await store(join(project(place.cwd), `${OTHER_ID}.jsonl`), [user('x', { isSidechain: true })]);
    await store(join(project(place.cwd), `${THIRD_ID}.jsonl`), [user('x', { cwd: join(root, 'src', 'a-b-é c') })]);
    await store(join(project(place.cwd), 'agent-1.jsonl'), [user('x')]);
    expect(await claudeConversations.list(place)).toEqual([]);
    expect(await claudeConversations.exists(ID, place)).toBe(false);
    expect(await claudeConversations.exists(OTHER_ID, place)).toBe(false);
  });

  test('does not offer what a script has begun, though it can be resumed', async () => {
    await store(join(project(place.cwd), `${ID}.jsonl`), [user('x', { entrypoint: 'sdk-cli' })]);
    expect(await claudeConversations.list(place)).toEqual([]);
    expect(await claudeConversations.exists(ID, place)).toBe(true);
  });

  test('finds a conversation in whichever project it began', async () => {
    await store(join(project('/elsewhere'), `${ID}.jsonl`), [user('x', { cwd: '/elsewhere' })]);
    expect(await claudeConversations.exists(ID, place)).toBe(true);
    expect(await claudeConversations.exists(OTHER_ID, place)).toBe(false);
    expect(await claudeConversations.exists(`../${ID}`, place)).toBe(true);
  });

  test('keeps them in CLAUDE_CONFIG_DIR, by the real path of the directory', async () => {
    const env = { CLAUDE_CONFIG_DIR: join(root, 'config'), HOME: '/nowhere' };
    await symlink(place.cwd, join(root, 'link'));
    await store(join(root, 'config', 'projects', place.cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${ID}.jsonl`), [user('x')], 1);
    expect(await claudeConversations.list({ cwd: join(root, 'link'), env, home: place.home })).toEqual([listed(ID, 1, 'x')]);
    expect(await claudeConversations.list(place)).toEqual([]);
  });

  test('cuts off the name of a deep directory', async () => {
    const cwd = join(root, 'd'.repeat(120), 'e'.repeat(120));
    const name = `${cwd.replace(/[^a-zA-Z0-9]/g, '-').slice(0, 200)}-1x2y3z`;
    await store(join(place.home, '.claude', 'projects', name, `${ID}.jsonl`), [user('deep', { cwd })], 1);
    expect(await claudeConversations.list({ ...place, cwd })).toEqual([listed(ID, 1, 'deep')]);
  });

  test('is not led astray by what others may have put there', async () => {
    const directory = project(place.cwd);
    const hostile = [
      '{',
      'null',
      '[]',
      '"x"',
      { type: 'user', message: null },
      { type: 'user', cwd: place.cwd, message: { content: [null, { text: 7 }] } },
    ];
    await store(join(directory, `${ID}.jsonl`), [...hostile, user(`\u001b]0;x\u0007 ${'long '.repeat(200)}`)], 1);
    await mkdir(join(directory, `${OTHER_ID}.jsonl`));
    execFileSync('mkfifo', [join(directory, `${THIRD_ID}.jsonl`)]);
    const [only, ...more] = await claudeConversations.list(place);
    expect(more).toEqual([]);
    expect(only?.first_prompt).toMatch(/^\]0;x (?:long )+/);
    expect(only?.first_prompt?.length).toBeLessThanOrEqual(200);
  });

  test('has begun where more is stored than is read', async () => {
    await store(join(project(place.cwd), `${ID}.jsonl`), [{ type: 'attachment', text: 'x'.repeat(300 * 1024) }, user('late')], 1);
    expect(await claudeConversations.list(place)).toEqual([listed(ID, 1)]);
  });
});

describe('Codex', () => {
  const rollout = (day: string, id: string) => `sessions/2026/${day}/rollout-2026-01-01T00-00-00-${id}.jsonl`;
  const meta = (more = {}) => ({ type: 'session_meta', payload: { cwd: place.cwd, source: 'cli', thread_source: 'user', ...more } });
  const message = (text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  const at = (path: string) => join(place.home, '.codex', path);

  test('lists the rollouts of the directory over the days, without what it added to the prompt', async () => {
    await store(at(rollout('01/02', ID)), [meta(), message('<environment_context>\n x</environment_context>'), message('do it')], 1);
    await store(at(rollout('02/01', OTHER_ID)), [meta(), message('later')], 2);
    await store(at(rollout('02/01', THIRD_ID)), [meta({ cwd: '/elsewhere' }), message('x')], 3);
    expect(await codexConversations.list(place)).toEqual([listed(OTHER_ID, 2, 'later'), listed(ID, 1, 'do it')]);
  });

  test('offers no thread that is not a user’s', async () => {
    await store(at(rollout('01/02', ID)), [meta({ thread_source: 'subagent' }), message('x')]);
    await store(at(rollout('01/02', OTHER_ID)), [meta({ source: { subagent: 'review' } }), message('x')]);
    await store(at(rollout('01/02', THIRD_ID)), ['not json', message('x')]);
    await store(at('sessions/2026/01/02/other.jsonl'), [meta()]);
    await store(at(rollout('01/03', ID)), [meta({ source: 'exec' }), message('x')]);
    expect(await codexConversations.list(place)).toEqual([]);
  });

  test('tells one that never began from a store that is not there', async () => {
    expect(await codexConversations.exists(ID, place)).toBe(true);
    const env = { CODEX_HOME: join(root, 'codex') };
    await store(join(root, 'codex', rollout('01/02', ID)), [meta()]);
    expect(await codexConversations.exists(ID, { ...place, env })).toBe(true);
    expect(await codexConversations.exists(OTHER_ID, { ...place, env })).toBe(false);
  });
});

describe('Gemini CLI', () => {
  const chat = (project: string, name: string) => join(place.home, '.gemini', 'tmp', project, 'chats', `session-${name}.jsonl`);
  const head = (sessionId: string, kind = 'main') => ({ sessionId, projectHash: 'x', kind });
  const CONTEXT_MESSAGE = { $set: { messages: [{ type: 'user', content: [{ text: '<session_context>\nThis is …' }] }] } };
  const user = (text: string) => ({ type: 'user', content: [{ text }] });
  const register = (project: unknown) => store(join(place.home, '.gemini', 'projects.json'), [{ projects: { [place.cwd]: project } }]);

  test('lists the chats of the project that the directory is, each once though a resume adds files', async () => {
    await register('a-b');
    await store(chat('a-b', `2026-01-01T00-00-${ID.slice(0, 8)}`), [head(ID), CONTEXT_MESSAGE, user('hello')], 1);
    await store(chat('a-b', `2026-01-02T00-00-${ID.slice(0, 8)}`), [head(ID), CONTEXT_MESSAGE], 2);
    await store(chat('a-b', `2026-01-02T00-00-${OTHER_ID.slice(0, 8)}`), [head(OTHER_ID), { type: 'gemini', content: 'x' }], 3);
    await store(chat('other', `2026-01-02T00-00-${THIRD_ID.slice(0, 8)}`), [head(THIRD_ID), user('x')], 4);
    expect(await geminiConversations.list(place)).toEqual([listed(OTHER_ID, 3), listed(ID, 1, 'hello')]);
  });

  test('knows the name that older versions gave a project', async () => {
    const hash = createHash('sha256').update(place.cwd).digest('hex');
    await store(chat(hash, `1-${ID.slice(0, 8)}`), [head(ID), user('old')], 1);
    expect(await geminiConversations.list(place)).toEqual([listed(ID, 1, 'old')]);
  });

  test('offers neither what never had a prompt nor a sub-agent, and follows no name out of its directory', async () => {
    await register('a-b');
    await store(chat('a-b', `1-${ID.slice(0, 8)}`), [head(ID), CONTEXT_MESSAGE]);
    await store(chat('a-b', `1-${OTHER_ID.slice(0, 8)}`), [head(OTHER_ID, 'subagent'), user('x')]);
    expect(await geminiConversations.list(place)).toEqual([]);
    expect(await geminiConversations.exists(ID, place)).toBe(false);
    await store(join(root, 'chats', `session-1-${ID.slice(0, 8)}.jsonl`), [head(ID), user('x')]);
    await register('../../../..');
    expect(await geminiConversations.list(place)).toEqual([]);
  });

  test('tells of an id that is spoilt by a file which a killed program left before anything was said', async () => {
    expect(await geminiConversations.isSpoilt?.(ID, place)).toBe(false);
    await store(chat('a-b', `1-${ID.slice(0, 8)}`), [head(ID), CONTEXT_MESSAGE]);
    expect(await geminiConversations.isSpoilt?.(ID, place)).toBe(true);
    await store(chat('a-b', `2-${ID.slice(0, 8)}`), [head(ID), user('hello')]);
    expect(await geminiConversations.isSpoilt?.(ID, place)).toBe(false);
  });

  test('finds a conversation in any project of GEMINI_CLI_HOME, by its whole id', async () => {
    const env = { GEMINI_CLI_HOME: place.home, HOME: '/nowhere' };
    await store(chat('z', `1-${ID.slice(0, 8)}`), [head(ID), user('x')]);
    expect(await geminiConversations.exists(ID, { ...place, env })).toBe(true);
    expect(await geminiConversations.exists(`${ID.slice(0, 8)}-other`, { ...place, env })).toBe(false);
  });
});

describe('OpenCode', () => {
  async function answering(script: string): Promise<ConversationPlace> {
    const file = join(root, 'bin', 'opencode');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return { ...place, env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, MAESTRO_SESSION_ID: 'x' } };
  }
  const entry = (id: unknown, more = {}) => ({ id, title: 'Fix it', updated: timeOf(1).getTime(), directory: place.cwd, ...more });

  test('is asked itself, and those of other directories are left out', async () => {
    const entries = [
      entry('ses_1'),
      entry('ses_2', { title: 'New session - 2026-11-30T20:57:34.165Z', updated: timeOf(2).getTime() }),
      entry('ses_3', { directory: root }),
    ];
    const there = await answering(
      `test "$*" = 'session list --pure --format json --max-count 500' && test -z "$MAESTRO_SESSION_ID" && cat <<'E'\n${JSON.stringify(entries)}\nE`,
    );
    expect(await opencodeConversations.list(there)).toEqual([listed('ses_2', 2), listed('ses_1', 1, 'Fix it')]);
  });

  test('gives none when it fails, or says what cannot be right', async () => {
    expect(await opencodeConversations.list(await answering('echo "[]"; exit 1'))).toEqual([]);
    expect(await opencodeConversations.list(await answering('echo nothing'))).toEqual([]);
    const bad = [null, 7, entry('$(x)'), entry(7), entry('ses_1', { updated: 1e300 }), entry('ses_1', { updated: 'x' })];
    expect(await opencodeConversations.list(await answering(`echo '${JSON.stringify(bad)}'`))).toEqual([]);
  });

  test('tells an id only once there is a conversation', async () => {
    expect(await opencodeConversations.exists(SES, place)).toBe(true);
  });
});
