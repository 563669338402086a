import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { fakeAgent, fakeConversation, fakeExplanation, fakeTransition } from '../support/agent-answers.js';
import { type Answer, FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import { type Ran, runMaestro } from '../support/run-maestro.js';

let fake: FakeDaemon;
beforeEach(async () => {
  fake = await FakeDaemon.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

function maestro(...words: string[]): Promise<Ran> {
  return runMaestro(words, { env: { MAESTRO_STATE_DIR: fake.state, HOME: '/home/ada', TZ: 'UTC' } });
}

const HOSTILE = 'x\x1b[2J\u202e\n';
const ESCAPED = 'x\\x1b[2J\\u{202e}\\n';

/** Lists `sessions`, and answers paths that end as one of `answers`. */
function serve(sessions: readonly Session[], answers: Readonly<Record<string, Answer>> = {}): void {
  fake.routes = ({ path }) => {
    if (path === '/api/sessions') return { json: sessions };
    return Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
  };
}

const requests = () => fake.asked.map(({ method, path }) => `${method} ${path}`);

describe('agents', () => {
  const known = fakeAgent({ warnings: [`2.1.400 was not seen ${HOSTILE}`] });
  const missing = fakeAgent({
    id: 'aider',
    label: 'Aider',
    installed: false,
    install: 'pipx install aider-chat',
    verified: { how: 'docs', versions: [] },
    conversation: 'none',
    activity: [],
    injects: [],
  });
  const { path: _path, version: _version, ...rest } = missing;
  const agents = [known, rest];

  test('has a line for each, and names those with warnings', async () => {
    fake.routes = () => ({ json: agents });
    expect(await maestro('agents')).toEqual({
      code: 0,
      stdout: [
        'AGENT   LABEL        INSTALLED  VERIFIED      CONVERSATION  ADDS',
        'claude  Claude Code  2.1.332 !  live 2.1.332  chosen        Hooks, by --settings.',
        'aider   Aider        no         docs          none          -',
        '',
      ].join('\n'),
      stderr: 'warning: claude: maestro agents claude tells what is not sure to work\n',
    });
    expect(JSON.parse((await maestro('agents', '--json')).stdout)).toEqual(agents);
    expect(requests()[0]).toBe('GET /api/agents');
  });

  test('tells all of one, by its id or its label', async () => {
    fake.routes = () => ({ json: [fakeAgent({ ...known, path: '/home/ada/.local/bin/claude' }), rest] });
    expect((await maestro('agents', 'Claude Code')).stdout).toBe(
      [
        'claude: Claude Code',
        '  installed     2.1.332, ~/.local/bin/claude',
        '  verified      with the real program: 2.1.332',
        '  conversation  Maestro gives it its id before the start; a resume goes on with it',
        '  activity      hooks, status file',
        '  Maestro adds, to each process alone:',
        '    Hooks, by --settings.',
        '  warnings:',
        `    2.1.400 was not seen ${ESCAPED}`,
        '',
      ].join('\n'),
    );
    expect((await maestro('agents', 'aider')).stdout).toMatch(/installed +no; to install it: pipx install aider-chat\n.*documentation/);
    expect(JSON.parse((await maestro('agents', 'aider', '--json')).stdout)).toEqual(rest);
  });

  test('knows no other', async () => {
    fake.routes = () => ({ json: agents });
    expect(await maestro('agents', 'eliza')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'maestro: no agent is called eliza; maestro agents shows all\n',
    });
  });
});

describe('explain', () => {
  const session = fakeSession({
    metadata: { name: 'api' },
    activity: { state: 'waiting', kind: 'permission', since: '2026-01-02T03:04:07.000Z' },
  });
  const explanation = fakeExplanation({
    id: session.id,
    state: 'waiting',
    kind: 'permission',
    message: `Bash: rm ${HOSTILE}`,
    agent_session: 'abc',
    heard: ['hook', 'program_status'],
    refused: [{ at: '2026-01-02T03:04:05.000Z', what: `report of gemini ${HOSTILE}`, why: 'it was no process of this session' }],
    transitions: [
      fakeTransition({ from: 'unknown', to: 'idle', reason: 'SessionStart startup', agent_session: 'abc' }),
      fakeTransition({ seq: 2, at: '2026-01-02T03:04:06.000Z' }),
      fakeTransition({
        seq: 3,
        at: '2026-01-02T03:04:07.000Z',
        from: 'working',
        to: 'waiting',
        kind: 'permission',
        source: 'program_status',
        reason: `blocked ${HOSTILE}`,
        message: 'may I?',
      }),
      fakeTransition({
        seq: 4,
        at: '2026-01-02T03:04:08.000Z',
        from: 'idle',
        to: 'idle',
        reason: 'SessionStart clear',
        agent_session: 'def',
      }),
    ],
  });

  test('tells what it is, why, what was heard, refused, and done', async () => {
    serve([session], { '/explanation': { json: explanation } });
    const { code, stdout, stderr } = await maestro('explain', 'api');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const at = (second: number) => `2026-01-02 03:04:0${second}`;
    expect(stdout.replace(/for \d+d/, 'for DAYS')).toBe(
      [
        `api (${session.id.slice(0, 8)}) is waiting (permission), for DAYS`,
        `  it says       Bash: rm ${ESCAPED}`,
        `  because       OSC 7501: blocked ${ESCAPED}`,
        '  agent         claude',
        '  conversation  abc',
        '  heard         hook, OSC 7501',
        '',
        'TIME                 NOT BELIEVED                         WHY',
        `${at(5)}  report of gemini ${ESCAPED}  it was no process of this session`,
        '',
        'TIME                 BECAME                SOURCE    REASON',
        `${at(5)}  idle                  hook      SessionStart startup`,
        `${at(5)}  conversation          hook      is abc from here on`,
        `${at(6)}  working               hook      UserPromptSubmit`,
        `${at(7)}  waiting (permission)  OSC 7501  blocked ${ESCAPED}: may I?`,
        `${at(8)}  conversation          hook      is def from here on`,
        '',
      ].join('\n'),
    );
  });

  test('shows the last 20 transitions, or all; as JSON always all', async () => {
    const transitions = Array.from({ length: 50 }, (_, at) => fakeTransition({ seq: at + 1, reason: `number-${at + 1}` }));
    serve([session], { '/explanation': { json: { ...explanation, transitions } } });
    const [some, all, json] = await Promise.all([
      maestro('explain', 'api'),
      maestro('explain', 'api', '--all'),
      maestro('explain', 'api', '--json'),
    ]);
    expect(some.stdout).not.toContain('number-30');
    expect(some.stdout).toMatch(/number-31\n.*number-50\n30 earlier ones are kept: --all shows them too\n$/s);
    expect(all.stdout).toMatch(/number-1\n.*number-50\n$/s);
    expect(JSON.parse(json.stdout)).toEqual({ ...explanation, transitions });
  });

  test('says what is not known of a program that is no agent, and of an agent that has said nothing', async () => {
    const plain = fakeSession({ metadata: { name: 'plain' } });
    const { agent: _agent, since: _since, ...nothing } = fakeExplanation({ id: plain.id, state: 'unknown', heard: [] });
    serve([plain], { '/explanation': { json: nothing } });
    const called = `plain (${plain.id.slice(0, 8)})`;
    expect((await maestro('explain', 'plain')).stdout).toBe(
      `${called} is running\n  agent         none that Maestro knows\n  conversation  not known\n  heard         nothing in this run\n`,
    );
    serve([plain], { '/explanation': { json: { ...nothing, agent: 'codex' } } });
    expect((await maestro('explain', 'plain')).stdout).toContain(`${called} is running; what its agent does is not known\n`);
  });
});

describe('conversations', () => {
  const own = fakeConversation({ agent_session: 'own', updated_at: '2026-01-01T00:00:00.000Z', first_prompt: HOSTILE });
  const free = fakeConversation({ agent_session: 'free' });
  const session = fakeSession({ status: 'dormant', metadata: { name: 'my api' } });
  const other = fakeSession({ metadata: { name: 'other' } });

  test('lists them, the newest first, with the session that owns each, and how to go on with one', async () => {
    const gone = fakeConversation({
      agent_session: 'gone',
      owner: 'ffffffff-0000-4000-8000-000000000000',
      updated_at: '2026-01-01T01:00:00.000Z',
    });
    const theirs = fakeConversation({ agent_session: 'theirs', owner: other.id, updated_at: '2026-01-01T02:00:00.000Z' });
    serve([session, other], { '/conversations': { json: [{ ...own, owner: session.id }, gone, free, theirs] } });
    const { stdout, stderr, code } = await maestro('conversations', 'my api');
    expect(code).toBe(0);
    expect(stdout.replace(/\d+d/g, 'AGE')).toBe(
      [
        'CONVERSATION  AGE   SESSION   FIRST PROMPT',
        'free          AGE  -         mend the login',
        'theirs        AGE  other     mend the login',
        'gone          AGE  ffffffff  mend the login',
        `own           AGE  this one  ${ESCAPED}`,
        '',
      ].join('\n'),
    );
    expect(stderr).toBe("to go on with one that is no session's: maestro resume 'my api' --conversation ID\n");
  });

  test('of a session that runs are to be had once it is stopped', async () => {
    serve([other], { '/conversations': { json: [free] } });
    expect((await maestro('conversations', 'other')).stderr).toContain('maestro stop other && maestro resume other --conversation ID');
  });

  test('of which there are none are told so', async () => {
    serve([session], { '/conversations': { json: [] } });
    expect(await maestro('conversations', 'my api')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no conversation that my api could go on with is stored for /srv\n',
    });
    expect((await maestro('conversations', 'my api', '--json')).stdout).toBe('[]\n');
  });
});

describe('resume of one', () => {
  const session = fakeSession({ status: 'dormant', metadata: { name: 'api' } });

  test('sends the conversation that was chosen, and no body without one', async () => {
    serve([session], { '/resume': { json: session } });
    expect((await maestro('resume', 'api', '--conversation', 'abc')).stdout).toBe('resumed api\n');
    await maestro('resume', 'api', '--json');
    expect(fake.asked.flatMap(({ method, body }) => (method === 'POST' ? [body] : []))).toEqual([{ agent_session: 'abc' }, undefined]);
  });

  test('is told of earlier conversations where it knows none of its own', async () => {
    const conversations = [
      fakeConversation(),
      fakeConversation({ agent_session: 'b' }),
      fakeConversation({ agent_session: 'c', owner: session.id }),
    ];
    serve([session], { '/resume': { json: session }, '/conversations': { json: conversations } });
    expect(await maestro('resume', 'api')).toEqual({
      code: 0,
      stdout: 'resumed api\n',
      stderr: 'api: its agent has 2 earlier conversations here: maestro conversations api\n',
    });
    serve([session], { '/resume': { json: { ...session, agent_session: 'd' } }, '/conversations': { json: conversations } });
    expect((await maestro('resume', 'api')).stderr).toBe('');
    serve([{ ...session, agent_session: 'd' }], { '/resume': { json: { ...session, agent_session: 'd' } } });
    fake.asked.length = 0;
    await maestro('resume', 'api');
    expect(requests().some((line) => line.endsWith('/conversations'))).toBe(false);
  });
});

test('hook is silent and no failure, whatever it is given', async () => {
  const nothing = { code: 0, stdout: '', stderr: '' };
  const given = [['hook'], ['hook', 'eliza', '--loud'], ['hook', '--help'], ['hook', 'claude', 'one', 'two']];
  expect(await Promise.all(given.map((words) => maestro(...words)))).toEqual(given.map(() => nothing));
  expect((await maestro('--help')).stdout).not.toContain('hook');
});

test('a prompt that is refused while the agent waits is told in the words of the daemon', async () => {
  const session = fakeSession({ metadata: { name: 'api' } });
  const error = { code: 'waiting', message: 'api waits for a permission: answer it first, or send keys' };
  serve([session], { '/input': { status: 409, json: { error } } });
  expect(await maestro('send', 'api', 'go', '--enter')).toEqual({ code: 1, stdout: '', stderr: `maestro: ${error.message}\n` });
});
