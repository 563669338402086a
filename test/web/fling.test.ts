import { describe, expect, test } from 'vitest';
import { FingerTrace, Fling } from '../../src/web/terminal/fling.js';

/** A finger that goes this fast, in pixels per millisecond, a step each 10 ms. */
function moved(...speeds: readonly number[]): { trace: FingerTrace; end: number } {
  const trace = new FingerTrace();
  let [y, at] = [500, 1000];
  trace.begin(y, at);
  for (const speed of speeds) {
    [y, at] = [y + speed * 10, at + 10];
    trace.move(y, at);
  }
  return { trace, end: at };
}

const times = (count: number, speed: number) => Array.from({ length: count }, () => speed);

describe('the speed of a finger', () => {
  test('is that of its last 100 ms', () => {
    const { trace, end } = moved(...times(30, 0.1), ...times(10, 2));
    expect(trace.speedAt(end)).toBeCloseTo(2);
    expect(trace.speedAt(end + 10)).toBeCloseTo(2);
  });

  test('has a direction, and a limit', () => {
    expect(moved(...times(10, -1)).trace.speedAt(1100)).toBeCloseTo(-1);
    expect(moved(...times(10, 50)).trace.speedAt(1100)).toBe(8);
  });

  test('is none where it rested before it was lifted, has not moved, or began anew', () => {
    const { trace, end } = moved(...times(10, 2));
    expect(trace.speedAt(end + 60)).toBe(0);
    expect(trace.speedAt(end + 1000)).toBe(0);
    expect(moved().trace.speedAt(1000)).toBe(0);
    trace.begin(100, end);
    expect(trace.speedAt(end + 1)).toBe(0);
  });
});

describe('a fling', () => {
  const thrown = (speed: number) => Fling.from(speed, 0);

  test('is none of a slow finger', () => {
    for (const speed of [0, 0.1, -0.1]) expect(thrown(speed)).toBeUndefined();
  });

  test('goes on as fast as the finger was, ever slower, and ends', () => {
    for (const direction of [1, -1]) {
      const fling = thrown(2 * direction);
      const steps = Array.from({ length: 200 }, (_, n) => (fling?.step((n + 1) * 16) ?? 0) * direction);
      expect(steps[0]).toBeGreaterThan(28);
      expect(steps[0]).toBeLessThanOrEqual(32);
      expect(steps.every((step, n) => step >= 0 && step <= (steps[n - 1] ?? 99))).toBe(true);
      expect(steps.reduce((sum, step) => sum + step, 0)).toBeCloseTo(650, 0);
      expect([0, 500, 1500].map((at) => fling?.isOver(at))).toEqual([false, false, true]);
    }
  });

  test('is as far after a frame that came late', () => {
    const [even, late] = [thrown(3), thrown(3)];
    const far = [16, 32, 48, 300].reduce((sum, at) => sum + (even?.step(at) ?? 0), 0);
    expect(late?.step(300)).toBeCloseTo(far);
  });

  test('does not go back where clocks disagree', () => {
    expect(thrown(3)?.step(-5)).toBe(0);
  });
});
