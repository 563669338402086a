import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SharedScan } from '../../../src/daemon/panes/shared-scan.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Scans that are answered by hand, numbered from 1. */
function scans(): { readonly scan: () => Promise<number>; readonly answer: (error?: Error) => void; readonly begun: () => number } {
  let count = 0;
  let settle: ((error?: Error) => void) | undefined;
  const scan = () =>
    new Promise<number>((resolve, reject) => {
      count += 1;
      const number = count;
      settle = (error) => (error ? reject(error) : resolve(number));
    });
  return { scan, answer: (error) => settle?.(error), begun: () => count };
}

const turn = () => vi.advanceTimersByTimeAsync(0);

test('all who ask before a scan begins share it; who asks later gets the next one, and they share that', async () => {
  const { scan, answer, begun } = scans();
  const shared = new SharedScan(scan);
  const first = [shared.fresh(), shared.fresh()];
  await turn();
  const second = [shared.fresh(), shared.fresh(), shared.fresh()];
  answer();
  expect(await Promise.all(first)).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(100);
  expect(begun()).toBe(2);
  answer();
  expect(await Promise.all(second)).toEqual([2, 2, 2]);
});

test('the host gets a rest that grows with what a scan takes, and none is made when nobody asks', async () => {
  const { scan, answer, begun } = scans();
  const shared = new SharedScan(scan);
  const first = shared.fresh();
  await vi.advanceTimersByTimeAsync(100);
  answer();
  await first;
  const second = shared.fresh();
  await vi.advanceTimersByTimeAsync(299);
  expect(begun()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toBe(2);
  answer();
  await second;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun()).toBe(2);
});

test('a failure is told to those who asked for that scan, and the next one is made', async () => {
  const { scan, answer } = scans();
  const shared = new SharedScan(scan);
  const first = shared.fresh();
  await turn();
  answer(new Error('no'));
  await expect(first).rejects.toThrow('no');
  const second = shared.fresh();
  await vi.advanceTimersByTimeAsync(100);
  answer();
  expect(await second).toBe(2);
});
