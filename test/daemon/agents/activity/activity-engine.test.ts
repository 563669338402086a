import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentSignal } from '../../../../src/daemon/agents/activity/agent-signal.js';
import { claudeSignals } from '../../../../src/daemon/agents/activity/claude-signals.js';
import { claudeStatusFileSignals } from '../../../../src/daemon/agents/activity/claude-status-file.js';
import { codexSignals } from '../../../../src/daemon/agents/activity/codex-signals.js';
import { geminiSignals } from '../../../../src/daemon/agents/activity/gemini-signals.js';
import { opencodeSignals } from '../../../../src/daemon/agents/activity/opencode-signals.js';
import { programStatusSignals } from '../../../../src/daemon/agents/activity/program-status.js';
import { titleSignals } from '../../../../src/daemon/agents/activity/title-signals.js';
import { Course, captured, type Fields, T0 } from './fixtures.js';

const ONE = '11111111-2222-4333-8444-555555555555';
const TURN = { session_id: ONE, prompt_id: 'turn-1' };

/** A report of Claude's, of the turn that is given if it is of any. */
function hook(ms: number, name: string, fields: Fields = TURN): readonly AgentSignal[] {
  const { prompt_id, ...payload } = captured('claude', name);
  const turn = prompt_id === undefined ? {} : { prompt_id };
  const { prompt_id: given = prompt_id, ...others } = fields;
  return claudeSignals(
    { ...payload, ...turn, ...others, ...(prompt_id === undefined ? {} : { prompt_id: given }) },
    { at: T0 + ms, run: 1 },
  );
}
const file = (ms: number, status: string, fields: Fields = {}) =>
  claudeStatusFileSignals({ sessionId: ONE, status, statusUpdatedAt: T0 + ms, ...fields }, { at: T0 + ms + 200 });
const osc =
  (state: string, fields: Fields = {}) =>
  (ms: number) =>
    programStatusSignals({ state, ...fields }, { at: T0 + ms });
const codex = (ms: number, name: string, fields: Fields = {}) => codexSignals({ ...captured('codex', name), ...fields }, { at: T0 + ms });
const gemini = (ms: number, name: string) =>
  geminiSignals({ ...captured('gemini', name), timestamp: new Date(T0 + ms).toISOString() }, { at: T0 + ms + 300 });
const geminiTitle = (ms: number, title: string) => titleSignals('gemini', title, { at: T0 + ms });
const opencode = (ms: number, name: string) => opencodeSignals(captured('opencode', name), { at: T0 + ms });
const prompt = (ms: number, sessionID?: string) =>
  opencodeSignals(
    { type: 'chat.message', properties: { ...captured('opencode', 'chat.message'), ...(sessionID && { sessionID }) } },
    { at: T0 + ms },
  );

/** A Claude that has started with the conversation chosen for it. */
const claude = () => new Course('claude', { startedAt: T0, run: 1, agent_session: ONE }).say(500, hook(500, 'SessionStart:startup'));
const working = () => claude().say(1000, hook(1000, 'UserPromptSubmit'));

describe('a turn of Claude', () => {
  test('goes from idle over working to idle, which is done until it is seen', () => {
    const course = working().say(3000, hook(3000, 'Stop'));
    expect(course.path).toBe('idle working idle');
    expect(course.shown).toEqual({ state: 'idle', done: true, message: "pong: Today's date is 2026-11-30." });
    const seen = course.engine.seen(course.state);
    expect(seen.done).toBe(false);
    expect(course.engine.seen(seen)).toBe(seen);
  });

  test('is told in numbered transitions with source and reason', () => {
    const { transitions } = working().say(3000, hook(3000, 'StopFailure'));
    expect(transitions).toEqual([
      { seq: 1, at: T0 + 500, from: 'unknown', to: 'idle', source: 'hook', reason: 'SessionStart startup' },
      { seq: 2, at: T0 + 1000, from: 'idle', to: 'working', source: 'hook', reason: 'UserPromptSubmit' },
      {
        seq: 3,
        at: T0 + 3000,
        from: 'working',
        to: 'idle',
        source: 'hook',
        reason: 'StopFailure',
        message: 'API Error: 400 mock failure',
        failed: true,
      },
    ]);
  });

  test('a start is not the end of work', () => {
    expect(claude().shown).toEqual({ state: 'idle' });
  });

  test('a permission is waited for until the status file tells that it was given, though the tool runs on for long', () => {
    const course = working()
      .say(2000, hook(2000, 'PermissionRequest:Bash'))
      .say(2200, file(1990, 'waiting', { waitingFor: 'permission prompt' }));
    expect(course.shown).toMatchObject({
      state: 'waiting',
      waiting: 'permission',
      message: 'Bash: touch /home/dev/project/made.txt && sleep 1',
    });
    course.say(8000, hook(8000, 'Notification:permission_prompt'));
    expect(course.shown).toMatchObject({ message: 'Bash: touch /home/dev/project/made.txt && sleep 1' });
    course.say(9200, file(9000, 'busy')).until(3_600_000);
    expect(course.path).toBe('idle working waiting:permission working');
  });

  test('without the status file the use of the tool tells that it was permitted', () => {
    const course = working().say(2000, hook(2000, 'PermissionRequest:Bash')).say(5000, hook(5000, 'PostToolUse'));
    expect(course.path).toBe('idle working waiting:permission working');
  });

  test('another tool that ends meanwhile leaves the permission asked for', () => {
    const other = { ...TURN, tool_input: { command: 'sleep 1' } };
    const course = working()
      .say(2000, hook(2000, 'PermissionRequest:Bash'))
      .say(3000, hook(3000, 'PostToolUse', other))
      .say(3100, hook(3100, 'PreToolUse:Agent'));
    expect(course.shown).toMatchObject({ state: 'waiting', waiting: 'permission' });
  });

  test('of two permissions asked for, one given leaves the other', () => {
    const other = { ...TURN, tool_input: { command: 'make' } };
    const course = working()
      .say(2000, hook(2000, 'PermissionRequest:Bash'))
      .say(2100, hook(2100, 'PermissionRequest:Bash', other));
    course.say(3000, hook(3000, 'PostToolUse', other));
    expect(course.shown).toMatchObject({ state: 'waiting', message: 'Bash: touch /home/dev/project/made.txt && sleep 1' });
    expect(course.say(4000, hook(4000, 'PostToolUse')).shown).toEqual({ state: 'working' });
  });

  test('a permission that is denied by rules goes on', () => {
    const course = working()
      .say(2000, hook(2000, 'PermissionRequest:Bash'))
      .say(2010, hook(2010, 'PostToolUse', { ...TURN, hook_event_name: 'PermissionDenied' }));
    expect(course.shown).toEqual({ state: 'working' });
  });

  test('a question is told as one, and answered', () => {
    const course = working().say(2000, hook(2000, 'PreToolUse:AskUserQuestion')).say(2100, hook(2100, 'PermissionRequest:AskUserQuestion'));
    course.say(2300, file(2090, 'waiting', { waitingFor: 'input needed' }));
    expect(course.shown).toEqual({ state: 'waiting', waiting: 'question', message: 'Which colour?' });
    const answered = { ...TURN, tool_name: 'AskUserQuestion', tool_input: { answers: { 'Which colour?': 'Red' } } };
    expect(course.say(4000, hook(4000, 'PostToolUse', answered)).path).toBe('idle working waiting:question working');
  });

  test('a question that is answered at once is not asked again by the request that comes behind the answer', () => {
    const answered = { ...TURN, tool_name: 'AskUserQuestion', tool_input: { answers: { 'Which colour?': 'Red' } } };
    const course = working()
      .say(2000, hook(2000, 'PreToolUse:AskUserQuestion'))
      .say(2200, hook(2200, 'PostToolUse', answered))
      .say(2400, hook(2380, 'PermissionRequest:AskUserQuestion'));
    expect(course.shown).toEqual({ state: 'working' });
  });

  test('the status file ahead of the hook makes no difference', () => {
    const course = working()
      .say(2000, file(1980, 'waiting', { waitingFor: 'permission prompt' }))
      .say(2010, hook(2010, 'PermissionRequest:Bash'));
    expect(course.shown).toMatchObject({
      state: 'waiting',
      waiting: 'permission',
      message: 'Bash: touch /home/dev/project/made.txt && sleep 1',
    });
    expect(course.say(4000, hook(4000, 'PostToolUse')).shown).toEqual({ state: 'working' });
  });

  test('a status that was read late takes nothing back', () => {
    const course = working().say(3000, hook(3000, 'Stop')).say(3100, file(990, 'busy'));
    expect(
      course
        .say(4000, hook(4000, 'UserPromptSubmit', { ...TURN, prompt_id: 'turn-2' }))
        .say(4050, file(2990, 'idle'))
        .until(9000).path,
    ).toBe('idle working idle working');
  });

  test('an error keeps its message while the status file says idle and the reminder comes', () => {
    const course = working()
      .say(3000, hook(3000, 'StopFailure'))
      .say(3100, file(2980, 'idle'))
      .say(63_000, hook(63_000, 'Notification:idle_prompt'));
    expect(course.shown).toEqual({ state: 'idle', done: true, failed: true, message: 'API Error: 400 mock failure' });
  });
});

describe('Esc', () => {
  test('Claude: leaves working within 2 s, by the status file alone', () => {
    const course = working().say(1200, file(995, 'busy')).say(20_250, file(20_000, 'idle'));
    expect(course.state.state).toBe('working');
    course.say(20_500, file(20_000, 'idle'));
    expect(course.until(22_000).shown).toEqual({ state: 'idle', done: true });
    expect(course.transitions.at(-1)).toMatchObject({ at: T0 + 20_000, source: 'status_file', reason: 'status idle' });
  });

  test('Claude: leaves a permission dialog too', () => {
    const course = working().say(2000, hook(2000, 'PermissionRequest:Bash')).say(9_250, file(9000, 'idle'));
    expect(course.until(11_000).shown).toMatchObject({ state: 'idle' });
  });

  test('Claude: a late report of what was broken off does not bring it back', () => {
    const course = working().say(9_000, file(8_900, 'idle')).until(10_500).say(9_400, hook(9_400, 'PostToolUse'), 10_600);
    expect(course.shown).toMatchObject({ state: 'idle' });
  });

  test('Codex: leaves working by OSC 7501', () => {
    const course = new Course('codex')
      .say(3000, osc('idle')(3000))
      .say(5000, osc('working')(5000))
      .say(6000, codex(6000, 'UserPromptSubmit'));
    expect(course.say(7000, osc('idle')(7000)).path).toBe('idle working idle');
  });

  test('Gemini: leaves working, and a permission dialog, by the title', () => {
    const course = new Course('gemini').say(2000, gemini(2000, 'SessionStart:startup')).say(3000, geminiTitle(3000, '◇  Ready (d)'));
    course
      .say(5000, geminiTitle(5000, '✦  Working… (d)'))
      .say(6000, geminiTitle(6000, '✋  Action Required (d)'))
      .say(7000, geminiTitle(7000, '◇  Ready (d)'));
    expect(course.path).toBe('idle working waiting:permission idle');
  });

  test('OpenCode: leaves working, and is no failure', () => {
    const course = new Course('opencode').say(1000, opencode(1000, 'session.created')).say(1010, opencode(1010, 'session.status:busy'));
    course.say(3000, opencode(3000, 'session.error')).say(3005, opencode(3005, 'session.idle'));
    expect(course.shown).toEqual({ state: 'idle', done: true });
  });
});

describe('background tasks and sub-agents', () => {
  const listed = { ...TURN, prompt_id: 'turn-1' };

  test('a running sub-agent keeps the parent working after its Stop, until it has taken in the result', () => {
    const course = working()
      .say(1500, hook(1500, 'SubagentStart'))
      .say(3000, hook(3000, 'Stop:background_tasks', listed))
      .say(3200, file(2990, 'idle'));
    expect(course.until(600_000).path).toBe('idle working');
    course
      .say(700_000, hook(700_000, 'SubagentStop'))
      .say(700_100, hook(700_100, 'UserPromptSubmit:task-notification', { ...TURN, prompt_id: 'turn-2' }));
    course.say(702_000, hook(702_000, 'Stop', { ...TURN, prompt_id: 'turn-2' }));
    expect(course.until(900_000).path).toBe('idle working idle');
    expect(course.shown).toMatchObject({ done: true });
  });

  test('a status file that is faster than the Stop makes no idle in between', () => {
    const course = working()
      .say(3100, file(3000, 'idle'))
      .say(3400, hook(3050, 'Stop:background_tasks', listed), 3400);
    expect(course.until(60_000).path).toBe('idle working');
  });

  test('a sub-agent that ends ahead of the Stop, or works on after it, is none of the parent', () => {
    const course = working()
      .say(2000, hook(2000, 'SubagentStop'))
      .say(2010, hook(2010, 'PostToolUse', { ...TURN, agent_id: 'a1' }));
    expect(course.shown).toEqual({ state: 'working' });
    course.say(3000, hook(3000, 'Stop')).say(5000, hook(5000, 'PostToolUse', { ...TURN, agent_id: 'a1' }));
    expect(course.shown).toMatchObject({ state: 'idle' });
  });

  test('the last sub-agent that ends without waking the parent leaves it idle after a while', () => {
    const course = working()
      .say(3000, hook(3000, 'Stop:background_tasks', listed))
      .say(9000, hook(9000, 'SubagentStop'));
    expect(course.until(18_000).shown).toEqual({ state: 'working' });
    expect(course.until(19_000).shown).toMatchObject({ state: 'idle', done: true, message: 'tool finished' });
  });

  test('a permission that a sub-agent asks for waits for the user, and then the parent works on', () => {
    const own = { ...TURN, agent_id: 'a1' };
    const course = working()
      .say(3000, hook(3000, 'Stop:background_tasks', listed))
      .say(4000, hook(4000, 'PermissionRequest:Bash', own));
    expect(course.shown).toMatchObject({ state: 'waiting', waiting: 'permission' });
    expect(course.say(6000, hook(6000, 'PostToolUse', own)).path).toBe('idle working waiting:permission working');
  });

  test('a shell in the background counts until Claude says itself that it is idle', () => {
    const background_tasks = [{ id: 'b1', type: 'shell', status: 'running', command: 'npm run dev' }];
    const course = working().say(3000, hook(3000, 'Stop', { ...TURN, background_tasks }));
    expect(course.shown).toEqual({ state: 'working' });
    expect(course.say(63_000, hook(63_000, 'Notification:idle_prompt')).shown).toMatchObject({ state: 'idle', done: true });
  });

  test("OpenCode's sub-agents have their own sessions, and their own idle", () => {
    const child = 'ses_dd38d070fffe4SNheGjiWbdyMR';
    const of = (ms: number, name: string) =>
      opencodeSignals(
        { ...captured('opencode', name), properties: { ...(captured('opencode', name).properties as Fields), sessionID: child } },
        { at: T0 + ms },
      );
    const course = new Course('opencode')
      .say(1000, opencode(1000, 'session.created'))
      .say(1010, prompt(1010))
      .say(1020, opencode(1020, 'session.status:busy'));
    course.say(2000, opencode(2000, 'session.created:child')).say(2001, prompt(2001, child)).say(2010, of(2010, 'session.status:busy'));
    course.say(3000, of(3000, 'session.idle'));
    expect(course.shown).toEqual({ state: 'working' });
    course.say(3500, of(3500, 'permission.asked'));
    expect(course.shown).toMatchObject({ state: 'waiting', waiting: 'permission' });
    course.say(4000, of(4000, 'permission.replied')).say(5000, opencode(5000, 'session.idle'));
    expect(course.path).toBe('working waiting:permission working idle');
    expect(course.state.agent_session).toBe('ses_dd38de01cffe7M59iLwXFczZ4W');
  });
});

describe('the conversation', () => {
  const CLEARED = '8904bede-ffa0-4495-8420-ca4770d35fad';
  const end = (ms: number) => hook(ms, 'SessionEnd:clear', { session_id: ONE });
  const start = (ms: number) => hook(ms, 'SessionStart:clear', {});

  test.each([
    ['in order', [end, start]],
    ['the other way round', [start, end]],
  ] as const)('is followed over /clear, reports %s', (_, reports) => {
    const course = working().say(3000, hook(3000, 'Stop'));
    for (const report of reports) course.say(9000, report(9000));
    expect(course.state.agent_session).toBe(CLEARED);
    expect(course.shown).toMatchObject({ state: 'idle' });
    expect(course.transitions.at(-1)).toMatchObject({ reason: 'SessionStart clear', agent_session: CLEARED, from: 'idle', to: 'idle' });
  });

  test('late reports of the one before say nothing any more', () => {
    const course = working()
      .say(3000, hook(3000, 'Stop'))
      .say(9000, start(9000))
      .say(9400, hook(9400, 'PostToolUse'))
      .say(9500, hook(9500, 'SessionEnd:other', { session_id: ONE }));
    expect(course.shown).toMatchObject({ state: 'idle' });
    expect(course.state.agent_session).toBe(CLEARED);
  });

  test('an older start that comes late does not bring back an older one', () => {
    const course = claude()
      .say(9000, start(9000))
      .say(8000, hook(8000, 'SessionStart:resume', {}), 9_500);
    expect(course.state.agent_session).toBe(CLEARED);
  });

  test('Codex: is known from the first prompt, follows /new, and is never that of the hidden title thread', () => {
    const first = '01a22c67-4ac4-7993-befd-e993c98843ae';
    const course = new Course('codex')
      .say(3000, osc('idle')(3000))
      .say(5000, codex(5000, 'UserPromptSubmit'))
      .say(5010, codex(5010, 'SessionStart:startup'));
    expect(course.state.agent_session).toBe(first);
    const hidden = codexSignals(captured('codex', 'notify(argv):title-thread'), {
      at: T0 + 6000,
      agent_session: course.state.agent_session,
    });
    course.say(5020, osc('working')(5020)).say(6000, hidden);
    expect(course.state).toMatchObject({ agent_session: first, state: 'working' });
    course.say(7000, osc('done')(7000)).say(8000, codex(8000, 'SessionStart:startup', { session_id: 'thread-2' }));
    expect(course.state.agent_session).toBe('thread-2');
  });

  test('OpenCode: is another one after /new, and after another was chosen in its list while idle', () => {
    const course = new Course('opencode').say(1000, opencode(1000, 'session.created')).say(3000, opencode(3000, 'session.idle'));
    course
      .say(5000, prompt(5000, 'ses_other'))
      .say(5001, opencodeSignals({ type: 'session.idle', properties: { sessionID: 'ses_other' } }, { at: T0 + 5001 }));
    expect(course.state).toMatchObject({ agent_session: 'ses_other', state: 'idle' });
  });

  test('Claude: a compaction in the middle of a turn keeps it working', () => {
    expect(working().say(2000, hook(2000, 'SessionStart:clear', { ...TURN, source: 'compact' })).shown).toEqual({ state: 'working' });
  });
});

describe('the start', () => {
  test.each([
    ['claude', 20_000],
    ['codex', 20_000],
    ['gemini', 30_000],
    ['opencode', 90_000],
  ])('%s that says nothing for %d ms, and whose screen rests, shows a dialog', (agent, ms) => {
    const course = new Course(agent).output(1000).until(ms - 1);
    expect(course.shown).toEqual({ state: 'unknown' });
    expect(course.until(ms).shown).toMatchObject({ state: 'waiting', waiting: 'dialog' });
    expect(course.transitions.at(-1)).toMatchObject({
      source: 'time',
      reason: `nothing said for ${ms / 1000} s after the start, and the screen rests`,
    });
    expect(course.engine.dueAt(course.state)).toBeUndefined();
  });

  test('is longer as long as the screen changes', () => {
    const course = new Course('claude').output(19_000).until(21_999);
    expect(course.shown).toEqual({ state: 'unknown' });
    expect(course.output(21_500).until(24_499).shown).toEqual({ state: 'unknown' });
    expect(course.until(24_500).shown).toMatchObject({ waiting: 'dialog' });
  });

  test('is over when the dialog is answered, and that was no work', () => {
    const course = new Course('claude').until(60_000).say(70_000, hook(70_000, 'SessionStart:startup'));
    expect(course.shown).toEqual({ state: 'idle' });
  });

  test("Gemini's title says ready over a trust dialog, and is not believed", () => {
    const course = new Course('gemini').say(5000, geminiTitle(5000, '◇  Ready (d)')).until(40_000);
    expect(course.shown).toMatchObject({ state: 'waiting', waiting: 'dialog' });
    expect(course.say(50_000, gemini(50_000, 'SessionStart:startup')).shown).toEqual({ state: 'idle' });
  });

  test('OpenCode has started when its plugin has, and its screen rests', () => {
    const course = new Course('opencode')
      .say(9000, opencodeSignals({ type: 'init' }, { at: T0 + 9000 }))
      .output(12_000)
      .until(14_999);
    expect(course.shown).toEqual({ state: 'unknown' });
    expect(course.until(15_000).shown).toEqual({ state: 'idle' });
  });

  test('of an OpenCode that took longer than a dialog is waited for is over all the same', () => {
    const course = new Course('opencode').until(95_000);
    expect(course.shown).toMatchObject({ state: 'waiting', waiting: 'dialog' });
    course.say(100_000, opencodeSignals({ type: 'init' }, { at: T0 + 100_000 })).until(102_999);
    expect(course.shown).toMatchObject({ state: 'waiting', waiting: 'dialog' });
    expect(course.until(103_000).shown).toEqual({ state: 'idle' });
  });

  test('of a program that ran before the daemon is not waited for, and what was known stays', () => {
    const former = { state: 'waiting', waiting: 'question', since: T0 - 9, done: false, failed: false } as const;
    const course = new Course('claude', { agent_session: ONE, former, seq: 41 }).until(3_600_000);
    expect(course.state).toMatchObject({ ...former, seq: 41 });
    expect(course.say(10, file(-5_000_000, 'idle')).transitions).toMatchObject([{ seq: 42, to: 'idle' }]);
  });

  test('with a prompt is work, in whichever order its reports come', () => {
    for (const reversed of [false, true]) {
      const reports = [hook(500, 'SessionStart:startup'), hook(510, 'UserPromptSubmit')];
      const course = new Course('claude', { startedAt: T0, agent_session: ONE });
      for (const report of reversed ? reports.reverse() : reports) course.say(520, report);
      expect(course.shown).toEqual({ state: 'working' });
    }
  });

  test('reports of an older run are ignored', () => {
    const course = new Course('claude', { startedAt: T0, run: 2, agent_session: ONE }).say(500, hook(500, 'UserPromptSubmit'));
    expect(course.shown).toEqual({ state: 'unknown' });
  });
});

describe('who is believed', () => {
  test('Codex: OSC 7501 decides, hooks add the message', () => {
    const course = new Course('codex').say(3000, osc('idle')(3000)).say(5000, osc('working')(5000));
    course.say(6100, codex(6100, 'PermissionRequest:Bash'));
    expect(course.shown).toEqual({ state: 'working' });
    course.say(6150, osc('blocked', { kind: 'permission' })(6150));
    expect(course.shown).toEqual({ state: 'waiting', waiting: 'permission', message: 'Bash: touch /home/dev/project/esc.txt' });
    course.say(8000, osc('working')(8000)).say(9000, osc('done')(9000)).say(9040, codex(9040, 'Stop'));
    expect(course.shown).toEqual({ state: 'idle', done: true, message: 'codex hello' });
    expect(course.path).toBe('idle working waiting:permission working idle');
  });

  test('Codex: an error is idle and failed, and stays so at the next input', () => {
    const course = new Course('codex')
      .say(1, osc('idle')(1))
      .say(2, osc('working')(2))
      .say(3, osc('error', { msg: 'no quota' })(3))
      .say(4, osc('idle')(4));
    expect(course.shown).toEqual({ state: 'idle', done: true, failed: true, message: 'no quota' });
    expect(course.say(5, osc('clear')(5)).shown).toEqual({ state: 'ended' });
  });

  test('Codex: the moment of work in which it starts leaves nothing to be looked at', () => {
    const course = new Course('codex').say(1000, osc('idle')(1000)).say(1010, osc('working')(1010)).say(1025, osc('idle')(1025));
    expect(course.shown).toEqual({ state: 'idle' });
    course.say(5000, osc('working')(5000)).say(9000, osc('done')(9000));
    expect(course.shown).toEqual({ state: 'idle', done: true });
  });

  test('Codex: hooks decide where OSC 7501 never came', () => {
    const course = new Course('codex');
    for (const [ms, name] of [
      [100, 'UserPromptSubmit'],
      [900, 'Stop'],
    ] as const)
      course.say(ms, codex(ms, name));
    expect(course.path).toBe('working idle');
  });

  test('Gemini: the title decides, hooks add the message, also when they come behind', () => {
    const course = new Course('gemini').say(2000, gemini(2000, 'SessionStart:startup')).say(4000, geminiTitle(4000, '✦  Working… (d)'));
    course.say(5000, geminiTitle(5000, '✋  Action Required (d)')).say(5050, gemini(5050, 'Notification:ToolPermission'), 5400);
    expect(course.shown).toEqual({ state: 'waiting', waiting: 'permission', message: 'touch /home/dev/project/made' });
    course.say(6000, gemini(6000, 'AfterAgent'), 6400);
    expect(course.shown).toMatchObject({ state: 'waiting' });
    expect(course.say(6500, geminiTitle(6500, '◇  Ready (d)')).shown).toEqual({
      state: 'idle',
      done: true,
      message: 'hello gemini text mini tex t',
    });
  });

  test('Gemini: hooks decide while there is no title, and its end may be told three times', () => {
    const course = new Course('gemini')
      .say(2000, gemini(2000, 'SessionStart:startup'))
      .say(3000, gemini(3000, 'BeforeAgent'))
      .say(3500, gemini(3500, 'Notification:ToolPermission'));
    course.say(4000, gemini(4000, 'AfterTool')).say(5000, gemini(5000, 'AfterAgent'));
    for (const ms of [7000, 7001, 7002]) course.say(ms, gemini(ms, 'SessionEnd:exit'));
    expect(course.path).toBe('idle working waiting:permission working idle ended');
  });

  test('OpenCode: work beside an open permission leaves it open; the reply may come ahead of the request', () => {
    const course = new Course('opencode').say(1000, opencode(1000, 'session.created')).say(1010, opencode(1010, 'session.status:busy'));
    course.say(2000, opencode(2000, 'permission.asked')).say(2001, opencode(2001, 'session.status:busy'));
    expect(course.shown).toMatchObject({ state: 'waiting' });
    expect(course.say(3000, opencode(3000, 'permission.replied')).say(3001, opencode(2000, 'permission.asked')).shown).toEqual({
      state: 'working',
    });
    expect(course.say(3100, opencode(2999, 'session.idle'), 3100).say(3200, opencode(3200, 'session.status:retry')).shown).toEqual({
      state: 'working',
      message: 'mock failure',
    });
  });

  test('a clock that was set back makes nothing look old', () => {
    const course = working();
    const back = -3_600_000;
    course.say(back, hook(back, 'Stop'));
    expect(course.shown).toMatchObject({ state: 'idle' });
  });

  test('a time to come is none', () => {
    const course = working().say(9_000_000, hook(9_000_000, 'Stop'), 3000);
    expect(course.transitions.at(-1)).toMatchObject({ at: T0 + 3000 });
  });

  test('long silent work stays working', () => {
    expect(working().output(1100).until(86_400_000).shown).toEqual({ state: 'working' });
  });
});

describe('programs that say nothing', () => {
  test('work while bytes come and are idle after 10 s of silence, if that is asked for', () => {
    const course = new Course('htop', { startedAt: T0 }, true).output(1000).output(5000).until(14_999);
    expect(course.shown).toEqual({ state: 'working' });
    expect(course.until(15_000).shown).toEqual({ state: 'idle', done: true });
    expect(course.output(20_000).until(60_000).path).toBe('working idle working idle');
  });

  test('have no activity otherwise', () => {
    const course = new Course(undefined).output(1000).until(60_000);
    expect(course.shown).toEqual({ state: 'unknown' });
    expect(course.engine.dueAt(course.state)).toBeUndefined();
  });

  test('are believed as soon as they say something', () => {
    const course = new Course('crush', { startedAt: T0 }, true).output(1000).say(2000, osc('working')(2000)).until(600_000);
    expect(course.shown).toEqual({ state: 'working' });
    expect(course.say(700_000, osc('done')(700_000)).output(700_001).until(900_000).path).toBe('working idle');
  });
});

describe('reports within 20 ms of each other', () => {
  const names = [
    'UserPromptSubmit',
    'PreToolUse:Bash',
    'PermissionRequest:Bash',
    'PostToolUse',
    'SubagentStart',
    'SubagentStop',
    'PostToolBatch',
    'Stop',
    'StopFailure',
  ] as const;
  const report = fc.record({ name: fc.constantFrom(...names), at: fc.integer({ min: 2000, max: 2020 }) });
  const reports = fc.uniqueArray(report, { selector: ({ name }) => name, minLength: 1 });
  const shuffled = reports.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );

  test.each([
    ['a first turn', claude],
    ['a turn after another', () => working().say(1500, hook(1500, 'Stop'))],
  ])('lead to one state, whatever their order: %s', (_, before) => {
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const [first, second] = [one, other].map((order) => {
          const course = before();
          for (const { name, at } of order) course.say(at, hook(at, name, { ...TURN, prompt_id: 'turn-2' }), 2025);
          return course.until(60_000).shown;
        });
        expect(second?.state).toBe(first?.state);
        expect(second?.waiting).toBe(first?.waiting);
      }),
      { numRuns: 300 },
    );
  });

  test('whole turns end as they must', () => {
    const turn = ['UserPromptSubmit', 'PreToolUse:Bash', 'PermissionRequest:Bash', 'PostToolUse', 'Stop'] as const;
    const ends = { 5: 'idle', 4: 'working', 3: 'waiting', 2: 'working', 1: 'working' } as const;
    for (const [length, state] of Object.entries(ends)) {
      const part = turn.slice(0, Number(length));
      fc.assert(
        fc.property(fc.shuffledSubarray([...part], { minLength: part.length, maxLength: part.length }), (order) => {
          const course = claude();
          for (const [index, name] of order.entries()) course.say(2000 + index * 4, hook(2000 + index * 4, name));
          expect(course.shown.state).toBe(state);
        }),
        { numRuns: 100 },
      );
    }
  });
});

test('whatever is said, states are plain data of bounded size, numbers count up, and no timer is asked for again and again', () => {
  const text = fc.constantFrom('a', 'b', 'c', ONE);
  const signal: fc.Arbitrary<AgentSignal> = fc.record(
    {
      source: fc.constantFrom('hook', 'program_status', 'status_file', 'title', 'output'),
      at: fc.integer({ min: T0 - 5000, max: T0 + 100_000 }),
      state: fc.constantFrom('working', 'waiting', 'idle', 'ended'),
      waiting: fc.constantFrom('permission', 'question', 'dialog', 'error'),
      agent_session: text,
      begins: fc.constantFrom('startup', 'clear', 'compact', 'switch'),
      scope: fc.constantFrom('root', 'sub_agent'),
      background: fc.nat({ max: 2 }),
      turn: text,
      opens: fc.boolean(),
      subject: text,
    },
    { requiredKeys: ['source', 'at'] },
  );
  fc.assert(
    fc.property(
      fc.constantFrom('claude', 'codex', 'gemini', 'opencode', 'other'),
      fc.array(signal, { maxLength: 40 }),
      (agent, signals) => {
        const course = new Course(agent, { startedAt: T0 }, true);
        for (const [index, one] of signals.entries()) course.say(one.at - T0, [one], index * 2000).until(index * 2000 + 500);
        course.until(10_000_000);
        expect(course.transitions.map(({ seq }) => seq)).toEqual(course.transitions.map((_, index) => index + 1));
        expect(JSON.stringify(course.state).length).toBeLessThan(10_000);
        const { state, waiting, done, failed } = course.state;
        expect(waiting === undefined).toBe(state !== 'waiting');
        if (done || failed) expect(state).toBe('idle');
      },
    ),
    { numRuns: 500 },
  );
});
