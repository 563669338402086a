import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AgentInfo, Conversation, Explanation, InputResult, ResumeProgress, Session } from '../../src/protocol/index.js';
import type { TestHost } from '../support/daemon-process.js';
import { AgentTerminal, activityOf, explanationOf, hostWithAgents } from '../support/fake-agents.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await hostWithAgents();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  for (const session of await host.sessions()) await host.kill(session.id);
});

async function claude(command = 'claude'): Promise<{ session: Session; terminal: AgentTerminal; args: readonly string[] }> {
  const session = await host.create({ preset: 'claude', command });
  const terminal = new AgentTerminal(host, session.id);
  return { session, terminal, args: await terminal.ready() };
}

const start = (session_id: string, source = 'startup') => ({ hook_event_name: 'SessionStart', session_id, source });
const prompt = (session_id: string, prompt_id = 'p1') => ({ hook_event_name: 'UserPromptSubmit', session_id, prompt_id, prompt: 'go' });
const stopped = (session_id: string, prompt_id = 'p1') => ({
  ...{ hook_event_name: 'Stop', session_id, prompt_id },
  ...{ last_assistant_message: 'all done', background_tasks: [] },
});
const request = (session_id: string, prompt_id = 'p1') => ({
  ...{ hook_event_name: 'PermissionRequest', session_id, prompt_id },
  ...{ tool_name: 'Bash', tool_input: { command: 'rm -rf build' } },
});

test('an agent whose conversation can be named gets its id before it starts, and it is on disk by then', async () => {
  const { session, args } = await claude('claude --model \'opus 4\' "fix $HOME"');
  expect(session.agent_session).toMatch(/^[0-9a-f-]{36}$/);
  expect((await host.sidecar(session.id)).agent_session).toBe(session.agent_session);
  expect(args).toEqual(expect.arrayContaining(['--session-id', session.agent_session, '--settings', '--model', 'opus 4']));
  expect(session.command).toBe('claude --model \'opus 4\' "fix $HOME"');
});

test('the activity follows what the agent reports, and every transition is explained by its source and reason', async () => {
  const { session, terminal } = await claude();
  const { id } = session;
  const conversation = session.agent_session ?? '';
  await terminal.hook(start(conversation));
  await activityOf(host, id, { state: 'idle' });
  await terminal.hook(prompt(conversation));
  await activityOf(host, id, { state: 'working' });
  await terminal.hook(request(conversation));
  const waiting = await activityOf(host, id, { state: 'waiting', kind: 'permission' });
  expect(waiting.activity?.message).toContain('rm -rf build');
  await terminal.hook({ ...request(conversation), hook_event_name: 'PostToolUse', tool_response: {} });
  await activityOf(host, id, { state: 'working' });
  await terminal.hook(stopped(conversation));
  await activityOf(host, id, { state: 'idle', done: true, message: 'all done' });
  const explanation = await explanationOf(host, id);
  expect(explanation).toMatchObject({ agent: 'claude', state: 'idle', heard: ['hook'], agent_session: conversation, refused: [] });
  expect(explanation.transitions.map(({ to }) => to)).toEqual(['idle', 'working', 'waiting', 'working', 'idle']);
  expect(explanation.transitions.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(explanation.transitions[2]).toMatchObject({ source: 'hook', reason: expect.stringContaining('PermissionRequest'), run: 1 });
  const seen = await host.call<Session>('POST', `/api/sessions/${id}/seen`);
  expect(seen.body.activity).toMatchObject({ state: 'idle' });
  expect(seen.body.activity).not.toHaveProperty('done');
});

test('no text is sent to an agent that waits, and nothing is submitted to one that has not said that it is ready', async () => {
  const { session, terminal } = await claude();
  const send = (body: object) => host.call<{ error?: { code: string } }>('POST', `/api/sessions/${session.id}/input`, body);
  expect(await send({ text: 'go', submit: true })).toMatchObject({ status: 409, body: { error: { code: 'waiting' } } });
  await terminal.hook(start(session.agent_session ?? ''));
  await activityOf(host, session.id, { state: 'idle' });
  await terminal.hook(prompt(session.agent_session ?? ''));
  await terminal.hook(request(session.agent_session ?? ''));
  await activityOf(host, session.id, { state: 'waiting' });
  expect(await send({ text: 'y' })).toMatchObject({ status: 409, body: { error: { code: 'waiting' } } });
});

test('a prompt that the agent does not begin with is submitted once more, a command of the agent is not, and both are told', async () => {
  const { session, terminal } = await claude();
  await terminal.hook(start(session.agent_session ?? ''));
  await activityOf(host, session.id, { state: 'idle' });
  const send = (text: string) => host.call<InputResult>('POST', `/api/sessions/${session.id}/input`, { text, submit: true });
  expect((await send('/model')).body).toEqual({ delivered: true, begun: false });
  expect(await host.shows(session.id, 'PROMPT /model')).not.toContain('EMPTY');
  expect((await send('go')).body).toEqual({ delivered: true, begun: false });
  expect(await host.shows(session.id, 'PROMPT go')).toContain('EMPTY');
});

test('an Esc, which no hook tells, is seen in the status file of the very process', async () => {
  const { session, terminal } = await claude();
  const sessionId = session.agent_session ?? '';
  await terminal.hook(start(sessionId));
  await terminal.hook(prompt(sessionId));
  await activityOf(host, session.id, { state: 'working' });
  await writeFile(join(host.home, '.claude', 'sessions', '1.json'), JSON.stringify({ sessionId, status: 'waiting' })).catch(
    () => undefined,
  );
  await terminal.does({ status: { sessionId, status: 'busy', statusUpdatedAt: Date.now() } });
  await terminal.does({ status: { sessionId, status: 'idle', statusUpdatedAt: Date.now() } });
  await activityOf(host, session.id, { state: 'idle' });
});

test('a conversation that is begun anew inside the session is the one that a resume comes back to', async () => {
  const { session, terminal } = await claude();
  const next = '22222222-2222-4222-8222-222222222222';
  await terminal.hook(start(session.agent_session ?? ''));
  await terminal.hook({ ...start(session.agent_session ?? ''), hook_event_name: 'SessionEnd', reason: 'clear' });
  await terminal.hook(start(next, 'clear'));
  await until('the new conversation to be known', async () => (await host.session(session.id)).agent_session === next);
  const directory = join(host.home, '.claude', 'projects', session.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, `${next}.jsonl`),
    `${JSON.stringify({ type: 'user', sessionId: next, message: { content: 'hello' } })}\n`,
  );
  await host.killTmux();
  await host.reaches(session.id, 'dormant');
  expect((await host.resume(session.id)).status).toBe(200);
  expect(await terminal.ready()).toEqual(expect.arrayContaining(['--resume', next]));
});

test('an id that was never used is not resumed but started with again, with the arguments and without the prompt', async () => {
  const { session, terminal } = await claude("claude --model opus 'fix it'");
  await host.killTmux();
  await host.reaches(session.id, 'dormant');
  expect((await host.resume(session.id)).body.agent_session).toBe(session.agent_session);
  const args = await terminal.ready();
  expect(args).toEqual(expect.arrayContaining(['--session-id', session.agent_session, '--model', 'opus']));
  expect(args).not.toContain('--resume');
  expect(args).not.toContain('fix it');
});

test('a report with another session’s token, of an older run, or from a process outside of the pane is not believed', async () => {
  const [first, second] = [await claude(), await claude()];
  const environ = async (id: string) => {
    const pid = host.processes(id).at(-1);
    const text = await readFile(`/proc/${pid}/environ`, 'latin1');
    return Object.fromEntries(text.split('\0').map((line) => line.split(/=(.*)/s) as [string, string]));
  };
  const own = await environ(first.session.id);
  const other = await environ(second.session.id);
  const report = { agent: 'claude', run: 1, at: Date.now(), payload: prompt('x'), pid: process.pid, ancestors: [{ pid: 1, name: 'init' }] };
  const post = (token: string | undefined, body: object) => reportTo(first.session.id, { token, body });
  expect(await post(other.MAESTRO_REPORT_TOKEN, report)).toMatchObject({ status: 401 });
  expect(await post(undefined, report)).toMatchObject({ status: 401 });
  expect(await post(own.MAESTRO_REPORT_TOKEN, report)).toMatchObject({ status: 200, body: { believed: false } });
  expect((await host.session(first.session.id)).activity).toBeUndefined();
  const { refused } = await explanationOf(host, first.session.id);
  expect(refused).toEqual([expect.objectContaining({ why: expect.stringContaining('not below the session') })]);
  const overTcp = await host.call('POST', `/api/sessions/${first.session.id}/report`, report);
  expect(overTcp.status).toBe(404);
});

async function reportTo(id: string, { token, body }: { token: string | undefined; body: object }) {
  const { Agent, request: send } = await import('undici');
  const dispatcher = new Agent({ connect: { socketPath: host.ready.socket } });
  try {
    const answer = await send(`http://localhost/api/sessions/${id}/report`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  } finally {
    await dispatcher.close();
  }
}

test('an agent that the session’s agent starts is not heard, and takes its conversation from nobody', async () => {
  const { session, terminal } = await claude();
  const own = session.agent_session ?? '';
  await terminal.hook(start(own));
  await terminal.hook(prompt(own));
  await activityOf(host, session.id, { state: 'working' });
  await terminal.does({ nested: start('55555555-5555-4555-8555-555555555555') });
  await terminal.does({ nested: stopped('55555555-5555-4555-8555-555555555555') });
  expect(await host.session(session.id)).toMatchObject({ agent_session: own, activity: { state: 'working' } });
  const { refused } = await explanationOf(host, session.id);
  expect(refused.map(({ why }) => why)).toEqual([expect.stringContaining('started'), expect.stringContaining('started')]);
});

test('what an agent reports while no daemon is there is known to the next one', async () => {
  const { session, terminal } = await claude();
  const conversation = session.agent_session ?? '';
  await terminal.hook(start(conversation));
  await activityOf(host, session.id, { state: 'idle' });
  await host.end('SIGKILL');
  const pane = (await host.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_id}'))
    .split('\n')
    .find((line) => line.includes(session.id));
  const target = pane?.split(' ')[1] ?? '';
  const type = async (order: object) => {
    await host.tmux('send-keys', '-t', target, '-l', JSON.stringify(order));
    await host.tmux('send-keys', '-t', target, 'Enter');
  };
  await type({ hook: prompt(conversation) });
  await type({ hook: request(conversation) });
  await until('the agent to be done', async () => (await host.tmux('capture-pane', '-p', '-t', target)).includes('DONE 3'));
  expect(await readdir(join(host.state, 'run', 'spool'))).toHaveLength(1);
  await host.start({ env: { PATH: `${join(host.dir, 'bin')}:${process.env.PATH}` } });
  expect((await activityOf(host, session.id, { state: 'waiting', kind: 'permission' })).agent_session).toBe(conversation);
  expect(await readdir(join(host.state, 'run', 'spool'))).toEqual([]);
  const { transitions } = await explanationOf(host, session.id);
  expect(transitions.map(({ seq }) => seq)).toEqual(transitions.map((_, index) => index + 1));
});

test('a title and a program status in the output are heard, and an agent that says nothing at its start shows a dialog', async () => {
  const session = await host.create({ preset: 'codex' });
  const terminal = new AgentTerminal(host, session.id);
  expect(await terminal.ready()).toContain('--no-daemon');
  await terminal.does({ print: '\u001b]7501;state=working\u001b\\' });
  await activityOf(host, session.id, { state: 'working' });
  await terminal.does({ print: '\u001b]7501;state=blocked:kind=permission\u0007' });
  await activityOf(host, session.id, { state: 'waiting', kind: 'permission' });
  await terminal.does({ print: '\u001b]7501;state=idle\u001b\\' });
  await activityOf(host, session.id, { state: 'idle' });
  expect((await explanationOf(host, session.id)).heard).toEqual(['program_status']);
});

test('the conversations that an agent keeps for a directory are offered, with who owns them, and one of them can be resumed', async () => {
  const { session, terminal } = await claude();
  const found = '33333333-3333-4333-8333-333333333333';
  const directory = join(host.home, '.claude', 'projects', session.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  await mkdir(directory, { recursive: true });
  for (const id of [found, session.agent_session ?? '']) {
    const line = { type: 'user', sessionId: id, cwd: session.cwd, message: { role: 'user', content: `hello ${id.slice(0, 4)}` } };
    await appendFile(join(directory, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
  }
  const { body } = await host.call<Conversation[]>('GET', `/api/sessions/${session.id}/conversations`);
  expect(body).toContainEqual(expect.objectContaining({ agent_session: found, first_prompt: 'hello 3333' }));
  expect(body).toContainEqual(expect.objectContaining({ agent_session: session.agent_session, owner: session.id }));
  await host.call('POST', `/api/sessions/${session.id}/stop`);
  const resume = (agent_session: string) => host.call<Session>('POST', `/api/sessions/${session.id}/resume`, { agent_session });
  expect((await resume('44444444-4444-4444-8444-444444444444')).status).toBe(400);
  expect((await resume(found)).body.agent_session).toBe(found);
  expect(await terminal.ready()).toEqual(expect.arrayContaining(['--resume', found]));
});

test('two sessions never own one conversation', async () => {
  const { session } = await claude();
  const second = await host.call<{ error: { message: string } }>('POST', '/api/sessions', {
    cwd: host.dir,
    preset: 'claude',
    command: `claude --resume ${session.agent_session}`,
  });
  expect(second).toMatchObject({ status: 409, body: { error: { code: 'already_running' } } });
  expect(second.body.error.message).toContain(session.id.slice(0, 8));
});

test('many are resumed at a pace, with progress, and the user’s own settings are as they were', async () => {
  const settings = join(host.home, '.claude', 'settings.json');
  await mkdir(join(host.home, '.claude'), { recursive: true });
  await writeFile(settings, '{"theme":"dark"}');
  const before = await stat(settings, { bigint: true });
  const sessions = await Promise.all([1, 2, 3].map(() => host.create({ command: 'sleep 1000' })));
  await host.killTmux();
  for (const { id } of sessions) await host.reaches(id, 'dormant');
  const { body } = await host.call<ResumeProgress>('POST', '/api/resumes', {});
  expect(body.total).toBe(3);
  await until('all to be back', async () => (await host.call<ResumeProgress>('GET', '/api/resumes')).body.resumed.length === 3);
  for (const { id } of sessions) expect((await host.session(id)).status).toBe('running');
  expect((await stat(settings, { bigint: true })).mtimeNs).toBe(before.mtimeNs);
});

test('the agents of the host are listed with their version and what is added to them', async () => {
  const { body } = await host.call<AgentInfo[]>('GET', '/api/agents');
  const claudeInfo = body.find(({ id }) => id === 'claude');
  expect(claudeInfo).toMatchObject({ installed: true, conversation: 'chosen', verified: { how: 'live' } });
  expect(claudeInfo?.injects.length).toBeGreaterThan(0);
  expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini', 'opencode', 'aider', 'amp']));
});

test('a session that is killed leaves nothing of what its agent did', async () => {
  const { session, terminal } = await claude();
  await terminal.hook(start(session.agent_session ?? ''));
  await activityOf(host, session.id, { state: 'idle' });
  const explained: Explanation = await explanationOf(host, session.id);
  expect(explained.transitions).not.toEqual([]);
  await host.kill(session.id);
  expect(await readdir(join(host.state, 'transitions'))).toEqual([]);
});

test('a first prompt is on the command line of the first start and of no later one; what cannot take one is refused', async () => {
  const words = "it's 5 o'clock:\n- fix $HOME";
  const session = await host.create({ preset: 'claude', prompt: words });
  expect(session.command).toBe("claude 'it'\\''s 5 o'\\''clock:\n- fix $HOME'");
  const terminal = new AgentTerminal(host, session.id);
  expect(await terminal.ready()).toEqual(['--session-id', session.agent_session, '--settings', expect.any(String), words]);
  await host.call('POST', `/api/sessions/${session.id}/stop`);
  await host.call('POST', `/api/sessions/${session.id}/resume`);
  await until('the agent to be back without it', async () => {
    const screen = (await host.screen(session.id)).replaceAll('\n', '');
    return /READY \["--session-id","[^"]*","--settings","[^"]*"\]/.test(screen);
  });
  for (const request of [{ command: 'sh' }, { preset: 'shell' }, { command: 'claude -p hi' }, { preset: 'claude', prompt: ' ' }]) {
    const { status, body } = await host.call('POST', '/api/sessions', { cwd: host.dir, prompt: 'go', ...request });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { field: 'prompt' } } } });
  }
});
