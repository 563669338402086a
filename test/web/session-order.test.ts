import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../src/protocol/index.js';
import { compareViews, frozenOrder, groupSessions, type SessionGroup } from '../../src/web/session/session-order.js';
import { tally } from '../../src/web/session/tally.js';
import { at, aView, minute } from './sessions.js';

const activity = (state: Activity['state'], since: number, more: Partial<Activity> = {}) => ({
  activity: { state, since: at(since), ...more },
});
const dead = (since: number) => ({ status: 'dead' as const, exit: { code: 1, reason: 'exited' as const, at: at(since) } });
const ids = (groups: readonly SessionGroup[]) => groups.map(({ key, views }) => [key, ...views.map(({ session }) => session.id)]);

test('the most urgent comes first; a dead one that was seen comes behind the idle ones', () => {
  const views = [
    aView('dormant', { status: 'dormant' }),
    aView('dead seen', dead(1), { at: minute(2) }),
    aView('idle'),
    aView('working', activity('working', 1)),
    aView('starting', { status: 'dormant' }, { starting: true }),
    aView('done', activity('idle', 1, { done: true })),
    aView('failed', activity('idle', 1, { done: true, failed: true })),
    aView('dead', dead(1)),
    aView('waiting', activity('waiting', 1)),
  ];
  const order = [...views].sort(compareViews).map(({ session }) => session.id);
  expect(order).toEqual(['waiting', 'dead', 'failed', 'done', 'working', 'starting', 'idle', 'dead seen', 'dormant']);
});

test('of those that wait the longest waiting comes first, of others the newest', () => {
  const views = [
    aView('waits since 2', activity('waiting', 2)),
    aView('waits since 1', activity('waiting', 1)),
    aView('works since 1', activity('working', 1)),
    aView('works since 2', activity('working', 2)),
  ];
  const order = [...views].sort(compareViews).map(({ session }) => session.id);
  expect(order).toEqual(['waits since 1', 'waits since 2', 'works since 2', 'works since 1']);
});

describe('the list', () => {
  test('puts a session under its repository, where that is known, whichever directory of it the session is in', () => {
    const groups = groupSessions([
      aView('deep', { cwd: '/src/beta/web/page' }, { repository: '/src/beta' }),
      aView('top', { cwd: '/src/beta' }, { repository: '/src/beta' }),
      aView('none', { cwd: '/src/beta/elsewhere' }),
    ]);
    expect(ids(groups)).toEqual([
      ['/src/beta', 'deep', 'top'],
      ['/src/beta/elsewhere', 'none'],
    ]);
  });

  test('lifts those that wait to the top; their project still counts and shows them', () => {
    const groups = groupSessions([
      aView('b', { cwd: '/src/beta' }),
      aView('w', { cwd: '/src/alpha', ...activity('waiting', 1) }),
      aView('a', { cwd: '/src/alpha/' }),
      aView('t', {
        cwd: '/elsewhere',
        worktree: { path: '/wt/t', base_repo: '/src/beta', branch: 't', created_branch: true, base_commit: '1' },
      }),
    ]);
    expect(ids(groups)).toEqual([
      ['waiting', 'w'],
      ['/src/alpha', 'a'],
      ['/src/beta', 'b', 't'],
    ]);
    expect(groups[1]).toMatchObject({ project: { name: 'alpha' }, total: 2, first: { state: 'waiting' } });
  });

  test('holds every session exactly once', () => {
    const view = fc
      .record({
        id: fc.uuid(),
        cwd: fc.constantFrom('/a', '/b', '/c/a'),
        state: fc.constantFrom('working' as const, 'waiting' as const, 'idle' as const),
        since: fc.nat(99),
      })
      .map(({ id, cwd, state, since }) => aView(id, { cwd, ...activity(state, since) }));
    fc.assert(
      fc.property(fc.uniqueArray(view, { selector: ({ session }) => session.id }), (views) => {
        const listed = groupSessions(views).flatMap((group) => group.views.map(({ session }) => session.id));
        expect(listed).toHaveLength(views.length);
        expect(new Set(listed)).toEqual(new Set(views.map(({ session }) => session.id)));
      }),
    );
  });
});

describe('while the pointer is in the list', () => {
  const before = groupSessions([aView('a', { cwd: '/p' }), aView('b', { cwd: '/p', created_at: at(-1) }), aView('c', { cwd: '/q' })]);

  test('no row moves, and each shows its new state', () => {
    const now = groupSessions([
      aView('a', { cwd: '/p' }),
      aView('b', { cwd: '/p', ...activity('waiting', 9) }),
      aView('c', { cwd: '/q', ...activity('working', 9) }),
    ]);
    const frozen = frozenOrder(before, now);
    expect(ids(frozen)).toEqual([
      ['/p', 'a', 'b'],
      ['/q', 'c'],
    ]);
    expect(frozen[0]?.views[1]?.state).toBe('waiting');
    expect(frozen[0]?.first.state).toBe('waiting');
  });

  test('gone ones leave and new ones come behind those of their group', () => {
    const now = groupSessions([
      aView('n', { cwd: '/p', created_at: at(9) }),
      aView('a', { cwd: '/p' }),
      aView('o', { cwd: '/other' }),
      aView('w', { cwd: '/p', ...activity('waiting', 1) }),
    ]);
    expect(ids(frozenOrder(before, now))).toEqual([
      ['/p', 'a', 'n'],
      ['waiting', 'w'],
      ['/other', 'o'],
    ]);
  });
});

test('the tally counts each state that there is; one that starts counts as idle', () => {
  const views = [aView('a'), aView('b', { status: 'dormant' }, { starting: true }), aView('c', { status: 'dormant' })];
  expect(tally(views)).toEqual([
    { state: 'idle', count: 2 },
    { state: 'dormant', count: 1 },
  ]);
});
