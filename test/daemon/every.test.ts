import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { every } from '../../src/daemon/every.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function gated(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const noErrors = (error: unknown) => expect.unreachable(String(error));

test('work runs once per period, and not before the first has passed', async () => {
  const stop = new AbortController();
  const work = vi.fn();
  const done = every(100, work, { signal: stop.signal, onError: noErrors });
  await vi.advanceTimersByTimeAsync(99);
  expect(work).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(301);
  expect(work).toHaveBeenCalledTimes(4);
  stop.abort();
  await done;
});

test('a run that takes longer than the period is never overlapped, and what it missed is not made up for', async () => {
  const stop = new AbortController();
  const gate = gated();
  const work = vi.fn(() => gate.promise);
  const done = every(100, work, { signal: stop.signal, onError: noErrors });
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
  gate.resolve();
  await vi.advanceTimersByTimeAsync(99);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  stop.abort();
  await done;
});

test('a failing run, thrown or rejected, is reported and the next one comes', async () => {
  const stop = new AbortController();
  const onError = vi.fn();
  const work = vi
    .fn<() => unknown>()
    .mockImplementationOnce(() => {
      throw new Error('thrown');
    })
    .mockRejectedValueOnce(new Error('rejected'));
  const done = every(100, work, { signal: stop.signal, onError });
  await vi.advanceTimersByTimeAsync(300);
  expect(work).toHaveBeenCalledTimes(3);
  expect(onError.mock.calls.map(([error]) => String(error))).toEqual(['Error: thrown', 'Error: rejected']);
  stop.abort();
  await done;
});

test('an abort ends it once the run under way has ended, and leaves no timer', async () => {
  const stop = new AbortController();
  const gate = gated();
  let over = false;
  const done = every(100, () => gate.promise, { signal: stop.signal, onError: noErrors }).then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1000);
  expect(over).toBe(false);
  gate.resolve();
  await done;
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing runs when the signal is aborted from the start', async () => {
  const work = vi.fn();
  await every(100, work, { signal: AbortSignal.abort(), onError: noErrors });
  expect(work).not.toHaveBeenCalled();
});
