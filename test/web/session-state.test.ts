import { describe, expect, test } from 'vitest';
import type { Activity } from '../../src/protocol/index.js';
import { endedWell, stateLabel, viewLabel, viewSession, waitText } from '../../src/web/session/session-state.js';
import { aSession, at, aView, minute } from './sessions.js';

const activity = (state: Activity['state'], since = 5, more: Partial<Activity> = {}) => ({
  activity: { state, since: at(since), ...more },
});
const done = (since = 5) => activity('idle', since, { done: true });
const dead = { status: 'dead' as const, exit: { code: 1, reason: 'exited' as const, at: at(5) } };

describe('the state that a glyph shows', () => {
  test.each([
    ['a program that reports nothing', {}, 'idle'],
    ['an agent that works', activity('working'), 'working'],
    ['an agent that waits for the user', activity('waiting'), 'waiting'],
    ['an agent that has nothing to do', activity('idle'), 'idle'],
    ['an agent that has finished, unseen', done(), 'done'],
    ['an agent whose work ended by an error, unseen', activity('idle', 5, { done: true, failed: true }), 'failed'],
    ['an agent whose work ended by an error that somebody saw', activity('idle', 5, { failed: true }), 'idle'],
    ['a program that has ended', dead, 'dead'],
    ['a session without a program, which was not asked to end', { status: 'dormant' as const }, 'dormant'],
  ])('%s', (_, part, state) => {
    expect(aView('x', part).state).toBe(state);
  });

  test('what an agent has finished is idle once it was seen, until it finishes again', () => {
    expect(aView('x', done(5), { at: minute(6) }).state).toBe('idle');
    expect(aView('x', done(7), { at: minute(6) }).state).toBe('done');
  });

  test('a session that was asked to start is starting, whatever it was', () => {
    expect(aView('x', { status: 'dormant' }, { starting: true }).state).toBe('starting');
  });

  test('an activity of a former life does not count without a program', () => {
    expect(aView('x', { ...dead, ...activity('waiting') }).state).toBe('dead');
  });
});

test('a state counts from the activity, the end, or the beginning', () => {
  expect(aView('x').since).toBe(minute(0));
  expect(aView('x', activity('working', 3)).since).toBe(minute(3));
  expect(aView('x', dead).since).toBe(minute(5));
  expect(viewSession(aSession('x', { status: 'dormant', updated_at: at(9) })).since).toBe(minute(9));
});

test('a stop and an exit with 0 are good ends, nothing else is', () => {
  const ended = (exit: object) => endedWell(aSession('x', { status: 'dead', exit: { reason: 'exited', at: at(1), ...exit } }));
  expect([ended({ code: 0 }), ended({ reason: 'stopped', signal: 15 })]).toEqual([true, true]);
  expect([ended({ code: 1 }), ended({ signal: 9 }), ended({}), ended({ code: 0, signal: 9 })]).toEqual([false, false, false, false]);
});

test('every state has a name', () => {
  const states = ['waiting', 'dead', 'failed', 'done', 'working', 'starting', 'idle', 'dormant'] as const;
  expect(new Set(states.map(stateLabel)).size).toBe(states.length);
});

describe('one that waits', () => {
  const waiting = (more: Partial<Activity> = {}) => aView('x', activity('waiting', 5, more));

  test('says what for, as far as that is known', () => {
    const kinds = ['permission', 'question', 'dialog', 'error'] as const;
    expect(new Set(kinds.map((kind) => viewLabel(waiting({ kind })))).size).toBe(4);
    expect(viewLabel(waiting({ kind: 'permission' }))).toBe('Waiting for permission');
    expect(viewLabel(waiting())).toBe('Waiting');
  });

  test('says it before the words of the agent', () => {
    expect(waitText(waiting({ kind: 'permission', message: 'run make' }).session)).toBe('Permission: run make');
    expect(waitText(waiting({ message: 'May I?' }).session)).toBe('May I?');
    expect(waitText(waiting({ kind: 'question', message: '' }).session)).toBe('Waiting for an answer');
    expect(waitText(waiting().session)).toBe('Waiting for an answer');
  });
});

test('a failure that was seen is still told in words', () => {
  expect(viewLabel(aView('x', activity('idle', 5, { failed: true })))).toBe('Failed');
});
