import { expect, test } from 'vitest';
import { reported } from '../../../src/daemon/session/agent-record.js';
import {
  adopted,
  created,
  ended,
  endedInReboot,
  lost,
  lostInReboot,
  patched,
  resumeConfirmed,
  resumeUndone,
  resuming,
  spawned,
  stopping,
} from '../../../src/daemon/session/session-record.js';
import { SIDECAR_VERSION, type Sidecar } from '../../../src/daemon/store/sidecar.js';

const T0 = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

function record(fields: Partial<Sidecar> = {}): Sidecar {
  return {
    version: SIDECAR_VERSION,
    id: '11111111-1111-4111-8111-111111111111',
    status: 'running',
    created_at: iso(T0),
    updated_at: iso(T0),
    cwd: '/tmp',
    command: 'sh',
    env: {},
    metadata: {},
    size: { cols: 120, rows: 40 },
    run: 1,
    epoch: 1,
    ...fields,
  };
}

const dormant = (fields: Partial<Sidecar> = {}) =>
  record({ status: 'dormant', exit: { reason: 'lost', at: iso(T0) }, agent_session: 'c1', ...fields });
const context = (now: number) => ({ now, confirmMs: 5_000 });

test('a create is told only without its intent', () => {
  const next = created(record({ intent: { kind: 'create', at: iso(T0) } }), T0 + 1);
  expect(next).not.toHaveProperty('intent');
  expect(next.updated_at).toBe(iso(T0 + 1));
});

test('R9: the intent of a resume keeps what the session was, and a run and an epoch are never used twice', () => {
  const next = resuming(dormant({ activity: { state: 'idle', since: iso(T0) } }), T0 + 1);
  expect(next).toMatchObject({
    status: 'running',
    run: 2,
    epoch: 2,
    agent_session: 'c1',
    intent: { kind: 'resume', attempt: 1, former: { status: 'dormant', run: 1, agent_session: 'c1', exit: { reason: 'lost' } } },
  });
  expect(next).not.toHaveProperty('exit');
  expect(next).not.toHaveProperty('activity');
  const undone = resumeUndone(next, T0 + 2);
  expect(undone).toMatchObject({ status: 'dormant', exit: { reason: 'lost' }, activity: { state: 'idle' }, run: 2, epoch: 2 });
  expect(undone).not.toHaveProperty('intent');
});

test.each([
  ['a signal', { signal: 15 }],
  ['a status that is not 0', { code: 1 }],
  ['an end that tmux could not tell', {}],
])('R9: %s within resume_confirm makes the session dormant again with its former conversation', (_what, exit) => {
  const running = reported(spawned(resuming(dormant(), T0), T0), { state: 'working', agent_session: 'c2', run: 2 }, T0 + 10);
  expect(running.agent_session).toBe('c2');
  const next = ended(running, { ...exit, at: T0 + 4_999 }, context(T0 + 5_000));
  expect(next).toMatchObject({ status: 'dormant', agent_session: 'c1', exit: { ...exit, reason: 'resume_failed' } });
  expect(next).not.toHaveProperty('activity');
});

test('R9: a failed first resume of a session without a conversation leaves it without one', () => {
  const { agent_session: _none, ...plain } = dormant();
  const running = reported(spawned(resuming(plain, T0), T0), { state: 'idle', agent_session: 'c9' }, T0 + 1);
  expect(ended(running, { code: 1, at: T0 + 2 }, context(T0 + 3))).not.toHaveProperty('agent_session');
});

test('R9: an end with 0, or after resume_confirm, is an exit like any other', () => {
  const running = spawned(resuming(dormant(), T0), T0);
  expect(ended(running, { code: 0, at: T0 + 10 }, context(T0 + 20))).toMatchObject({ status: 'dead', exit: { code: 0, reason: 'exited' } });
  expect(ended(running, { code: 2, at: T0 + 5_001 }, context(T0 + 5_002))).toMatchObject({
    status: 'dead',
    exit: { code: 2, reason: 'exited' },
  });
  expect(ended(resumeConfirmed(running), { code: 2, at: T0 + 10 }, context(T0 + 20)).status).toBe('dead');
});

test('R9: a stop within resume_confirm is a stop, not a failed resume', () => {
  const next = ended(stopping(spawned(resuming(dormant(), T0), T0), T0 + 1), { signal: 1, at: T0 + 2 }, context(T0 + 3));
  expect(next).toMatchObject({ status: 'dead', exit: { signal: 1, reason: 'stopped' } });
});

test('R3: what an older run reports never replaces what a newer one did', () => {
  const running = spawned(resuming(dormant(), T0), T0);
  expect(reported(running, { state: 'working', agent_session: 'old', run: '1' }, T0 + 1)).toBe(running);
  expect(reported(running, { state: 'working', agent_session: 'new', run: '2' }, T0 + 1).agent_session).toBe('new');
});

test('R3: a report of the former run that lands while a resume has no program yet survives the resume and its undoing', () => {
  const next = reported(resuming(dormant(), T0), { state: 'idle', agent_session: 'late', run: 1 }, T0 + 1);
  expect(next.agent_session).toBe('late');
  expect(resumeUndone(next, T0 + 2).agent_session).toBe('late');
  expect(ended(spawned(next, T0 + 2), { code: 1, at: T0 + 3 }, context(T0 + 4)).agent_session).toBe('late');
});

test('an activity that stays the same keeps the time since when it is so', () => {
  const first = reported(record(), { state: 'working' }, T0 + 1);
  const second = reported(first, { state: 'working', message: 'still' }, T0 + 5);
  expect(second.activity).toEqual({ state: 'working', message: 'still', since: iso(T0 + 1) });
  expect(reported(second, { state: 'idle' }, T0 + 9).activity).toEqual({ state: 'idle', since: iso(T0 + 9) });
});

test('metadata is changed by a merge patch in which null removes', () => {
  const next = patched(
    record({ metadata: { name: 'a', deep: { x: 1, y: 2 }, list: [1] } }),
    { name: null, deep: { x: null, z: { w: null } }, list: [2] },
    T0,
  );
  expect(next.metadata).toEqual({ deep: { y: 2, z: {} }, list: [2] });
});

test('a merge patch cannot reach the prototype of anything', () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, never>;
  expect(patched(record(), patch, T0)).not.toHaveProperty('polluted');
  expect({}).not.toHaveProperty('polluted');
});

test('L5: an unasked end within 10 s before the last sign of life belongs to the reboot, whatever its status', () => {
  const dead = (exit: Sidecar['exit']) => record({ status: 'dead', ...(exit ? { exit } : {}) });
  const at = iso(T0);
  expect(endedInReboot(dead({ reason: 'exited', signal: 15, at }), T0 + 50)).toBe(true);
  expect(endedInReboot(dead({ reason: 'exited', code: 0, at }), T0 + 10_000)).toBe(true);
  expect(endedInReboot(dead({ reason: 'exited', code: 0, at }), T0 + 10_001)).toBe(false);
  expect(endedInReboot(dead({ reason: 'stopped', signal: 15, at }), T0 + 50)).toBe(false);
  expect(lostInReboot(dead({ reason: 'exited', signal: 15, at }), T0 + 60)).toMatchObject({
    status: 'dormant',
    exit: { reason: 'lost', signal: 15, at },
  });
});

test('adoption begins a new epoch; a rested session is running again and its old end is forgotten', () => {
  expect(adopted(record(), 1, T0)).toMatchObject({ status: 'running', run: 1, epoch: 2 });
  const back = adopted(record({ status: 'dead', exit: { reason: 'exited', code: 0, at: iso(T0) } }), 3, T0);
  expect(back).toMatchObject({ status: 'running', run: 3, epoch: 2 });
  expect(back).not.toHaveProperty('exit');
});

test('a lost session knows when it was found lost and nothing of its end', () => {
  expect(lost(record({ activity: { state: 'working', since: iso(T0) } }), T0 + 5)).toMatchObject({
    status: 'dormant',
    exit: { reason: 'lost', at: iso(T0 + 5) },
  });
});

test('fields of another version survive every transition', () => {
  const strange = { ...dormant(), future: { deep: [1] } } as Sidecar;
  const chain = [
    (r: Sidecar) => resuming(r, T0),
    (r: Sidecar) => spawned(r, T0),
    (r: Sidecar) => reported(r, { state: 'idle' }, T0),
    (r: Sidecar) => ended(r, { code: 1, at: T0 }, context(T0)),
    (r: Sidecar) => adopted(r, 1, T0),
    (r: Sidecar) => lost(r, T0),
  ];
  expect(chain.reduce((r, step) => step(r), strange)).toMatchObject({ future: { deep: [1] } });
});

test('R9: a conversation that a resumed program reports before its spawn is written down is not kept when the program fails', () => {
  const early = reported(resuming(dormant(), T0), { state: 'working', agent_session: 'c2', run: 2 }, T0 + 1);
  expect(early).toMatchObject({ agent_session: 'c2', activity: { state: 'working' } });
  expect(ended(spawned(early, T0 + 2), { code: 1, at: T0 + 3 }, context(T0 + 3))).toMatchObject({ status: 'dormant', agent_session: 'c1' });
});

test('R3: once the new run has spoken, the run before is not heard any more, whether or not the spawn is written down', () => {
  const spoken = reported(resuming(dormant(), T0), { state: 'working', agent_session: 'c2', run: 2 }, T0 + 1);
  expect(reported(spoken, { state: 'idle', agent_session: 'old', run: 1 }, T0 + 2)).toBe(spoken);
  const adoptedInTheMiddle = adopted(resuming(dormant(), T0), 2, T0 + 1);
  expect(reported(adoptedInTheMiddle, { state: 'idle', agent_session: 'old', run: 1 }, T0 + 2)).toBe(adoptedInTheMiddle);
});

test('R3: what the former life says of its activity while a resume is under way is not taken for that of the new program', () => {
  const late = reported(resuming(dormant(), T0), { state: 'waiting', agent_session: 'late', run: 1 }, T0 + 1);
  expect(late).toMatchObject({ agent_session: 'late' });
  expect(spawned(late, T0 + 2)).not.toHaveProperty('activity');
  expect(resumeUndone(late, T0 + 2)).toMatchObject({ status: 'dormant', activity: { state: 'waiting' }, agent_session: 'late' });
});

test('R9: a program that is adopted in the midst of its resume is judged from when it was asked for', () => {
  const cutOff = adopted(resuming(dormant(), T0), 2, T0 + 60_000);
  expect(ended(cutOff, { code: 1, at: T0 + 60_001 }, context(T0 + 60_001))).toMatchObject({ status: 'dead', exit: { reason: 'exited' } });
});
