import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentSignalSchema, type Translator } from '../../../../src/daemon/agents/activity/agent-signal.js';
import { claudeSignals } from '../../../../src/daemon/agents/activity/claude-signals.js';
import { claudeStatusFileSignals } from '../../../../src/daemon/agents/activity/claude-status-file.js';
import { codexSignals } from '../../../../src/daemon/agents/activity/codex-signals.js';
import { geminiSignals } from '../../../../src/daemon/agents/activity/gemini-signals.js';
import { opencodeSignals } from '../../../../src/daemon/agents/activity/opencode-signals.js';
import { plainMessage } from '../../../../src/daemon/agents/activity/plain-message.js';
import { programStatusSignals } from '../../../../src/daemon/agents/activity/program-status.js';
import { titleSignals } from '../../../../src/daemon/agents/activity/title-signals.js';
import { allCaptured, captured, only, T0 } from './fixtures.js';

const ANSWER = "pong: Today's date is 2026-11-30.";
const ONE = '11111111-2222-4333-8444-555555555555';

describe('Claude hooks', () => {
  test.each([
    ['SessionStart:startup', { state: 'idle', begins: 'startup', agent_session: ONE, scope: 'root' }],
    ['SessionStart:resume', { state: 'idle', begins: 'resume', agent_session: '22222222-2222-4333-8444-555555555555' }],
    ['SessionStart:clear', { state: 'idle', begins: 'clear', agent_session: '8904bede-ffa0-4495-8420-ca4770d35fad' }],
    ['UserPromptSubmit', { state: 'working', opens: true, turn: 'a2268d83-865b-4fca-b953-30938cef309a' }],
    ['UserPromptSubmit:task-notification', { state: 'working', opens: true, event: 'UserPromptSubmit of a task' }],
    ['PreToolUse:Bash', { state: 'working', event: 'PreToolUse Bash' }],
    ['PreToolUse:AskUserQuestion', { state: 'waiting', waiting: 'question', message: 'Which colour?' }],
    ['PostToolUse', { state: 'working', event: 'PostToolUse Bash' }],
    ['PermissionRequest:Bash', { state: 'waiting', waiting: 'permission', message: 'Bash: touch /home/dev/project/made.txt && sleep 1' }],
    ['PermissionRequest:AskUserQuestion', { event: 'PermissionRequest AskUserQuestion' }],
    ['Notification:permission_prompt', { state: 'waiting', waiting: 'permission', message: 'Claude needs your permission' }],
    ['Notification:idle_prompt', { state: 'idle' }],
    ['Stop', { state: 'idle', message: ANSWER, background: 0, background_agents: 0 }],
    ['Stop:background_tasks', { state: 'idle', background: 1, background_agents: 1 }],
    ['StopFailure', { state: 'idle', failed: true, message: 'API Error: 400 mock failure' }],
    ['SubagentStart', { state: 'working', scope: 'sub_agent' }],
    ['SubagentStop', { state: 'idle', scope: 'sub_agent', background: 0 }],
    ['SessionEnd:other', { state: 'ended', event: 'SessionEnd other' }],
    ['SessionEnd:prompt_input_exit', { state: 'ended' }],
  ])('%s', (name, told) => {
    expect(only(claudeSignals, captured('claude', name), { run: 3 })).toMatchObject({ source: 'hook', at: T0, run: 3, ...told });
  });

  test('the end of a conversation by /clear is not the end of the agent', () => {
    expect(only(claudeSignals, captured('claude', 'SessionEnd:clear'))).not.toHaveProperty('state');
  });

  test('a compaction, which comes in the middle of turns, says nothing about activity', () => {
    const signal = only(claudeSignals, { ...captured('claude', 'SessionStart:clear'), source: 'compact' });
    expect(signal).toMatchObject({ begins: 'compact' });
    expect(signal).not.toHaveProperty('state');
  });

  test('a tool that was denied, and one that failed, answer the request for it', () => {
    const { subject } = only(claudeSignals, captured('claude', 'PermissionRequest:Bash'));
    expect(subject).toBeDefined();
    for (const hook_event_name of ['PermissionDenied', 'PostToolUseFailure', 'PostToolUse']) {
      expect(only(claudeSignals, { ...captured('claude', 'PreToolUse:Bash'), hook_event_name })).toMatchObject({
        state: 'working',
        subject,
      });
    }
  });

  test('a request of a sub-agent is marked as one', () => {
    const request = { ...captured('claude', 'PermissionRequest:Bash'), agent_id: 'ae7aefff76b0f6bf7' };
    expect(only(claudeSignals, request)).toMatchObject({ state: 'waiting', scope: 'sub_agent' });
  });

  test('a shell in the background is no agent', () => {
    const background_tasks = [{ id: 'b1', type: 'shell', status: 'running', command: 'npm run dev' }, { status: 'completed' }];
    expect(only(claudeSignals, { ...captured('claude', 'Stop'), background_tasks })).toMatchObject({ background: 1, background_agents: 0 });
  });

  test.each(['MessageDisplay', 'PostToolBatch'])('%s says nothing', (name) => {
    expect(claudeSignals(captured('claude', name), { at: T0 })).toEqual([]);
  });
});

describe("Claude's status file", () => {
  const file = { pid: 42, sessionId: ONE, cwd: '/p', version: '2.1.332', name: 'x', statusUpdatedAt: T0 - 150 };

  test.each([
    [{ status: 'busy' }, { state: 'working' }],
    [{ status: 'idle' }, { state: 'idle' }],
    [
      { status: 'waiting', waitingFor: 'permission prompt' },
      { state: 'waiting', waiting: 'permission' },
    ],
    [
      { status: 'waiting', waitingFor: 'input needed' },
      { state: 'waiting', waiting: 'question' },
    ],
    [
      { status: 'waiting', waitingFor: 'something new' },
      { state: 'waiting', waiting: 'dialog' },
    ],
  ])('%j is dated by itself', (status, told) => {
    const signal = only(claudeStatusFileSignals, { ...file, ...status });
    expect(signal).toMatchObject({ source: 'status_file', at: T0 - 150, agent_session: ONE, ...told });
  });

  test.each([T0 + 5000, -1, 'soon', null, Number.NaN])('a date of %j is not believed', (statusUpdatedAt) => {
    expect(only(claudeStatusFileSignals, { ...file, status: 'idle', statusUpdatedAt }).at).toBe(T0);
  });

  test('a date in text is read', () => {
    const statusUpdatedAt = new Date(T0 - 300).toISOString();
    expect(only(claudeStatusFileSignals, { ...file, status: 'idle', statusUpdatedAt }).at).toBe(T0 - 300);
  });

  test.each([{}, { status: 'dreaming' }, { status: 3 }, 'idle', null])('%j gives nothing', (content) => {
    expect(claudeStatusFileSignals(content, { at: T0 })).toEqual([]);
  });
});

describe('Codex hooks', () => {
  test.each([
    ['SessionStart:startup', { begins: 'startup', agent_session: '01a22c67-4ac4-7993-befd-e993c98843ae' }],
    ['SessionStart:resume', { begins: 'resume', agent_session: '01a22c68-eac2-7760-9e67-3549386264e0' }],
    ['UserPromptSubmit', { state: 'working', opens: true, turn: '01a22c67-7ae6-7552-81d5-4d0c0bb75745' }],
    ['PreToolUse:Bash', { state: 'working' }],
    ['PostToolUse', { state: 'working' }],
    ['PermissionRequest:Bash', { state: 'waiting', waiting: 'permission', message: 'Bash: touch /home/dev/project/esc.txt' }],
    ['Stop', { state: 'idle', message: 'codex hello' }],
  ])('%s', (name, told) => {
    expect(only(codexSignals, captured('codex', name))).toMatchObject({ source: 'hook', at: T0, scope: 'root', ...told });
  });

  test('SessionStart comes with the first prompt, so it is not idle', () => {
    expect(only(codexSignals, captured('codex', 'SessionStart:startup'))).not.toHaveProperty('state');
  });

  test('the request and the use of a tool have the same subject, though only one has a description', () => {
    const request = captured('codex', 'PermissionRequest:Bash');
    const use = { ...captured('codex', 'PostToolUse'), tool_input: { command: 'touch /home/dev/project/esc.txt' } };
    expect(only(codexSignals, use).subject).toBe(only(codexSignals, request).subject);
  });

  test('notify counts for the own thread, never for the hidden one that makes up titles, nor while none is known', () => {
    const agent_session = '01a22c67-4ac4-7993-befd-e993c98843ae';
    const turn = captured('codex', 'notify(argv):turn');
    expect(only(codexSignals, turn, { agent_session })).toMatchObject({ state: 'idle', message: 'codex hello', agent_session });
    expect(codexSignals(captured('codex', 'notify(argv):title-thread'), { at: T0, agent_session })).toEqual([]);
    expect(codexSignals(turn, { at: T0 })).toEqual([]);
  });

  test.each(['PreCompact', 'PostCompact'])('%s says nothing', (name) => {
    expect(codexSignals(captured('codex', name), { at: T0 })).toEqual([]);
  });
});

describe('Gemini hooks', () => {
  test.each([
    ['SessionStart:startup', { state: 'idle', begins: 'startup', agent_session: '77777777-2222-4333-8444-555555555555' }],
    ['SessionStart:resume', { state: 'idle', begins: 'resume' }],
    ['BeforeAgent', { state: 'working', opens: true }],
    ['BeforeTool:run_shell_command', { state: 'working' }],
    ['AfterTool', { state: 'working' }],
    ['Notification:ToolPermission', { state: 'waiting', waiting: 'permission', message: 'touch /home/dev/project/made' }],
    ['AfterAgent', { state: 'idle', message: 'hello gemini text mini tex t' }],
    ['BeforeTool:ask_user', { state: 'working' }],
    ['Notification:ToolPermission:ask_user', { state: 'waiting', waiting: 'question', message: 'Ask User' }],
    ['AfterTool:ask_user', { state: 'working' }],
    ['SessionEnd:clear', { event: 'SessionEnd clear' }],
    ['SessionStart:clear', { state: 'idle', begins: 'clear', agent_session: '16971d10-bf62-4b86-b0ac-4c9546849fee' }],
    ['SessionEnd:exit', { state: 'ended' }],
  ])('%s, dated by Gemini', (name, told) => {
    const payload = captured('gemini', name);
    const dated = Date.parse(String(payload.timestamp));
    expect(only(geminiSignals, payload, { at: dated + 400 })).toMatchObject({ source: 'hook', at: dated, ...told });
  });

  test('a date far off is not believed', () => {
    expect(only(geminiSignals, { ...captured('gemini', 'BeforeAgent'), timestamp: '1999-01-01T00:00:00Z' }).at).toBe(T0);
  });

  test('PreCompress, which comes with every turn, says nothing', () => {
    expect(geminiSignals(captured('gemini', 'PreCompress'), { at: T0 })).toEqual([]);
  });
});

describe('OpenCode events', () => {
  const root = 'ses_dd38de01cffe7M59iLwXFczZ4W';

  test.each([
    ['session.created', { begins: 'startup', agent_session: root, scope: 'root' }],
    ['session.created:child', { scope: 'sub_agent', agent_session: 'ses_dd38d070fffe4SNheGjiWbdyMR' }],
    ['session.status:busy', { state: 'working', agent_session: root }],
    ['session.status:retry', { state: 'working', message: 'mock failure' }],
    ['session.status:idle', { state: 'idle' }],
    ['session.idle', { state: 'idle' }],
    [
      'permission.asked',
      { state: 'waiting', waiting: 'permission', message: 'bash: touch /home/dev/project/made', subject: 'per_22c7248ef001XOL7KiEbA68x6h' },
    ],
    ['permission.replied', { state: 'working', subject: 'per_22c7248ef001XOL7KiEbA68x6h' }],
    ['question.asked', { state: 'waiting', waiting: 'question', message: 'Which colour?' }],
    ['question.rejected', { state: 'working' }],
    ['session.error', { state: 'idle', event: 'session.error MessageAbortedError' }],
  ])('%s', (name, told) => {
    expect(only(opencodeSignals, captured('opencode', name))).toMatchObject({ source: 'hook', at: T0, ...told });
  });

  test('an Esc is no failure, any other error is', () => {
    const event = captured('opencode', 'session.error');
    const error = { name: 'ProviderAuthError', data: { message: 'No key' } };
    expect(only(opencodeSignals, event)).not.toHaveProperty('failed');
    expect(only(opencodeSignals, { ...event, properties: { sessionID: root, error } })).toMatchObject({ failed: true, message: 'No key' });
  });

  test('what is retried again and again waits for the user', () => {
    const event = captured('opencode', 'session.status:retry');
    const properties = { sessionID: root, status: { type: 'retry', attempt: 4, message: 'bad key' } };
    expect(only(opencodeSignals, { ...event, properties })).toMatchObject({ state: 'waiting', waiting: 'error', message: 'bad key' });
  });

  test('the hooks of the plugin come in the form of events', () => {
    const properties = captured('opencode', 'chat.message');
    expect(only(opencodeSignals, { type: 'chat.message', properties })).toMatchObject({
      state: 'working',
      begins: 'switch',
      agent_session: root,
    });
    expect(only(opencodeSignals, { type: 'init' })).toEqual({ source: 'hook', at: T0, scope: 'root', event: 'init' });
  });

  test.each(['message.updated', 'message.part.delta', 'session.updated', 'session.diff', 'plugin.added', 'catalog.updated'])(
    '%s says nothing',
    (name) => {
      expect(opencodeSignals(captured('opencode', name), { at: T0 })).toEqual([]);
    },
  );
});

describe('program statuses', () => {
  test.each([
    [{ state: 'idle' }, { state: 'idle' }],
    [
      { state: 'working', title: 'Fix it' },
      { state: 'working', message: 'Fix it' },
    ],
    [
      { state: 'blocked', kind: 'permission', msg: 'rm?' },
      { state: 'waiting', waiting: 'permission', message: 'rm?' },
    ],
    [
      { state: 'blocked', kind: 'question' },
      { state: 'waiting', waiting: 'question' },
    ],
    [
      { state: 'blocked', kind: 'auth' },
      { state: 'waiting', waiting: 'dialog' },
    ],
    [{ state: 'blocked' }, { state: 'waiting' }],
    [{ state: 'done' }, { state: 'idle' }],
    [
      { state: 'error', msg: 'no quota' },
      { state: 'idle', failed: true, message: 'no quota' },
    ],
    [{ state: 'clear' }, { state: 'ended' }],
  ])('%j', (status, told) => {
    expect(only(programStatusSignals, status)).toMatchObject({ source: 'program_status', at: T0, ...told });
  });
});

describe('titles', () => {
  test.each([
    ['gemini', '◇  Ready (dir)', 'idle'],
    ['gemini', '✦  Working… (dir)', 'working'],
    ['gemini', '✋  Action Required (dir)', 'waiting'],
    ['codex', '⠋ Fix it | dir', 'working'],
    ['codex', '[ . ] Action Required | dir', 'waiting'],
    ['codex', '[ ! ] Action Required | dir', 'waiting'],
  ])('%s: %s', (agent, title, state) => {
    const translate: Translator = (payload, context) => titleSignals(agent, payload, context);
    expect(only(translate, title)).toMatchObject({ source: 'title', state });
  });

  test.each([
    ['claude', '✳ Claude Code'],
    ['claude', '⠂ Claude Code'],
    ['opencode', 'OC | Fix it'],
    ['gemini', 'Gi=31;OK'],
    ['codex', 'Gi=31,s=1'],
    ['codex', 'host'],
    ['gemini', ''],
    ['__proto__', '✦'],
    ['gemini', undefined],
  ])('%s: %s tells nothing', (agent, title) => {
    expect(titleSignals(agent, title, { at: T0 })).toEqual([]);
  });
});

describe('what agents send', () => {
  const translators: readonly (readonly [string, Translator])[] = [
    ['claude', claudeSignals],
    ['claude status file', claudeStatusFileSignals],
    ['codex', codexSignals],
    ['gemini', geminiSignals],
    ['opencode', opencodeSignals],
    ['program status', programStatusSignals],
    ['title', (payload, context) => titleSignals('gemini', payload, context)],
  ];
  const captures = (['claude', 'codex', 'gemini', 'opencode'] as const).flatMap((agent) => allCaptured(agent));
  const keys = ['type', 'hook_event_name', 'state', 'status', 'session_id', 'sessionID', 'properties', 'tool_input', 'background_tasks'];
  const values = fc.oneof(
    fc.anything({ withBigInt: true, withNullPrototype: true }),
    fc.string({ unit: 'binary' }),
    fc.constant('x'.repeat(100_000)),
  );
  const payloads = fc.oneof(
    values,
    fc.dictionary(fc.constantFrom(...keys, '__proto__', 'toString'), values),
    fc
      .tuple(fc.constantFrom(...captures), fc.dictionary(fc.constantFrom(...captures.flatMap((one) => Object.keys(one))), values))
      .map(([one, wrong]) => ({ ...one, ...wrong })),
    fc
      .tuple(fc.constantFrom(...captures), fc.constantFrom(...captures))
      .map(([one, other]) => ({ ...one, properties: other.properties, ...other })),
  );

  test.each(translators)('of whatever shape: %s gives valid signals or none, and never throws', (_, translate) => {
    fc.assert(
      fc.property(payloads, (payload) => {
        for (const signal of translate(payload, { at: T0, run: 1 }))
          expect(AgentSignalSchema.safeParse(signal)).toMatchObject({ success: true });
      }),
      { numRuns: 300 },
    );
  });

  test('is plain, bounded text in messages', () => {
    expect(plainMessage('\x1b[31mred\x1b[0m \x1b]0;title\x07\x00a\u202eb\r\nc\ud800\t')).toBe('red ab\nc');
    expect(plainMessage('é'.repeat(9999))).toHaveLength(4096);
    expect(plainMessage(`${'a'.repeat(4094)}😀😀`)).toBe(`${'a'.repeat(4094)}…`);
    expect(plainMessage(' \x07 ')).toBeUndefined();
    expect(plainMessage(7)).toBeUndefined();
  });

  test('an id that no shell could be trusted with is no conversation', () => {
    const payload = { ...captured('claude', 'SessionStart:startup'), session_id: "a'; rm -rf ~" };
    expect(only(claudeSignals, payload)).not.toHaveProperty('agent_session');
  });
});
