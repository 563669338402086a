import { describe, expect, test } from 'vitest';
import { isOver, resumeOutcome, resumeTally } from '../../src/web/session/resume-outcome.js';
import { fakeProgress } from '../support/agent-answers.js';

describe('of a resume of several, one', () => {
  const progress = fakeProgress({
    waiting: ['w'],
    resuming: ['s'],
    resumed: ['r'],
    failed: [{ id: 'f', code: 'cwd_missing', message: 'gone' }],
  });

  test.each([
    ['w', 'next'],
    ['s', 'starting'],
    ['r', 'resumed'],
    ['f', { refused: 'gone' }],
  ] as const)('fares as the daemon says: %s', (id, outcome) => {
    expect(resumeOutcome({ id, status: 'dormant' }, progress)).toEqual(outcome);
  });

  test('that was refused before and is tried again has its turn yet', () => {
    const again = fakeProgress({ waiting: ['f'], failed: progress.failed });
    expect(resumeOutcome({ id: 'f', status: 'dormant' }, again)).toBe('next');
  });

  test('that the daemon knows nothing of is back already, or was given up', () => {
    expect(resumeOutcome({ id: 'x', status: 'running' }, progress)).toBe('resumed');
    expect(isOver(resumeOutcome({ id: 'x', status: 'dormant' }, progress))).toBe(true);
    expect(resumeOutcome({ id: 'x', status: 'dormant' }, undefined)).toBe('next');
  });
});

test('how far it is is told while it is under way', () => {
  expect(resumeTally(fakeProgress({ waiting: ['a'], resuming: ['b'], resumed: ['c'] }))).toEqual({ done: 1, total: 3 });
  expect([resumeTally(fakeProgress({ resumed: ['c'] })), resumeTally(undefined)]).toEqual([undefined, undefined]);
});
