import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PACE_LIMITS, Pace } from '../../../src/daemon/worktree/git-state-pace.js';

test('a read waits until a burst is over', () => {
  const pace = new Pace(PACE_LIMITS);
  expect(pace.dueAt).toBeUndefined();
  pace.event(5000);
  expect(pace.dueAt).toBe(5300);
  pace.event(5200);
  expect(pace.dueAt).toBe(5500);
});

test('a burst that does not end is read nevertheless', () => {
  const pace = new Pace(PACE_LIMITS);
  for (let now = 5000; now <= 9000; now += 100) pace.event(now);
  expect(pace.dueAt).toBe(6000);
});

test('what is told of during a read is due after it', () => {
  const pace = new Pace(PACE_LIMITS);
  pace.event(5000);
  pace.start(5300);
  pace.event(5310);
  pace.end(5320);
  expect(pace.dueAt).toBe(6320);
});

test('reads are ten times as far apart as they take, and never nearer than a second', () => {
  const span = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(fc.array(fc.record({ took: span, after: span }), { minLength: 1, maxLength: 20 }), (reads) => {
      const pace = new Pace(PACE_LIMITS);
      let now = 0;
      for (const { took, after } of reads) {
        pace.start(now);
        pace.end(now + took);
        pace.event(now + took + after);
        const gap = (pace.dueAt ?? 0) - (now + took);
        expect(gap).toBeGreaterThanOrEqual(Math.max(1000, 10 * took));
        now = pace.dueAt ?? 0;
      }
    }),
  );
});
