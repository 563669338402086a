import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OutputPace } from '../../../src/daemon/bridge/output-pace.js';

const FRAME = 64 * 1024;
const PIECE = 7 * 1024;

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function paced(mostGathered = FRAME) {
  const handOn = vi.fn();
  return { pace: new OutputPace(handOn, mostGathered), handOn };
}

/** A flood since time 0: pieces of which all but the last have been handed on. */
function flooded() {
  const { pace, handOn } = paced();
  pace.came(PIECE, 0);
  pace.came(PIECE, 0.1);
  vi.advanceTimersByTime(1);
  pace.came(PIECE, 1.1);
  handOn.mockClear();
  return { pace, handOn };
}

test('what comes after a pause goes on at once, as do the few kilobytes behind it', () => {
  const { pace, handOn } = paced();
  for (const [index, now] of [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].entries()) {
    pace.came(1024, now);
    expect(handOn).toHaveBeenCalledTimes(index + 1);
  }
});

test('a flood goes on together, a millisecond after the first of it came', () => {
  const { pace, handOn } = flooded();
  pace.came(PIECE, 1.2);
  pace.came(PIECE, 1.3);
  expect(handOn).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(handOn).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(handOn).toHaveBeenCalledTimes(1);
});

test('a flood that fills a frame sooner goes on then', () => {
  const { pace, handOn } = flooded();
  for (let more = 0; more < 8; more += 1) pace.came(PIECE, 1.2);
  expect(handOn).not.toHaveBeenCalled();
  pace.came(PIECE, 1.3);
  expect(handOn).toHaveBeenCalledTimes(1);
});

test('the first bytes after a flood has paused go on at once', () => {
  const { pace, handOn } = flooded();
  vi.advanceTimersByTime(1);
  handOn.mockClear();
  pace.came(1, 4);
  expect(handOn).toHaveBeenCalledTimes(1);
});

test('what has been gathered can be had at once', () => {
  const { pace, handOn } = flooded();
  pace.flush();
  expect(handOn).toHaveBeenCalledTimes(1);
});

test('a ring that has no room for what would be gathered has nothing gathered', () => {
  const { pace, handOn } = paced(-1);
  for (let count = 1; count < 10; count += 1) {
    pace.came(PIECE, count / 10);
    expect(handOn).toHaveBeenCalledTimes(count);
  }
});
