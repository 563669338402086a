import { describe, expect, test } from 'vitest';
import { PastMark } from '../../src/web/terminal/past-mark.js';
import { ReplayCache } from '../../src/web/terminal/replay-cache.js';

const SIZE = { cols: 80, rows: 24 };
const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (cached: { bytes: Uint8Array } | undefined) => cached && new TextDecoder().decode(cached.bytes);
const at = (offset: number, epoch = 1) => ({ epoch, offset });

function recorded(cache: ReplayCache, id: string, text: string) {
  const recording = cache.record(id, undefined);
  recording.resized(SIZE);
  recording.append(bytes(text), at(text.length));
  recording.rest();
  return recording;
}

describe('what the page keeps of the output of sessions', () => {
  test('brings a new terminal of the same size to where the last one was', () => {
    const cache = new ReplayCache();
    const recording = recorded(cache, 'a', 'one');
    recording.append(bytes(' two'), at(7));
    expect(textOf(cache.find('a', SIZE))).toBe('one two');
    expect(cache.find('a', SIZE)?.position).toEqual(at(7));
    expect(cache.find('a', { cols: 81, rows: 24 })).toBeUndefined();
    expect(cache.find('b', SIZE)).toBeUndefined();
  });

  test('goes on where a terminal that was made of it goes on', () => {
    const cache = new ReplayCache();
    recorded(cache, 'a', 'one');
    const next = cache.record('a', cache.find('a', SIZE));
    next.resized(SIZE);
    next.append(bytes(' two'), at(7));
    expect(textOf(cache.find('a', SIZE))).toBe('one two');
  });

  test('begins anew on an empty terminal', () => {
    const cache = new ReplayCache();
    const recording = recorded(cache, 'a', 'one');
    recording.begin();
    expect(cache.find('a', SIZE)).toBeUndefined();
    recording.append(bytes('fresh'), at(5, 2));
    expect(textOf(cache.find('a', SIZE))).toBe('fresh');
  });

  test('is nothing once the terminal had another size, until it was empty again', () => {
    const cache = new ReplayCache();
    const recording = recorded(cache, 'a', 'one');
    recording.resized({ cols: 100, rows: 30 });
    recording.append(bytes('two'), at(6));
    expect(cache.find('a', { cols: 100, rows: 30 })).toBeUndefined();
    recording.begin();
    recording.append(bytes('three'), at(11));
    expect(textOf(cache.find('a', { cols: 100, rows: 30 }))).toBe('three');
  });

  test('is of one terminal where several show the same session: the last', () => {
    const cache = new ReplayCache();
    const former = recorded(cache, 'a', 'one');
    const latter = cache.record('a', cache.find('a', SIZE));
    latter.resized(SIZE);
    former.append(bytes(' two'), at(7));
    latter.append(bytes(' two'), at(7));
    expect(textOf(cache.find('a', SIZE))).toBe('one two');
  });

  test('stays within its bounds: all together, and each session', () => {
    const cache = new ReplayCache({ limit: 100, sessionLimit: 40 });
    for (let n = 0; n < 50; n += 1) recorded(cache, `s${n}`, 'x'.repeat(30));
    expect(cache.bytes).toBeLessThanOrEqual(130);
    expect(cache.find('s0', SIZE)).toBeUndefined();
    expect(cache.find('s49', SIZE)).toBeDefined();
    const long = recorded(cache, 'long', 'x'.repeat(40));
    expect(cache.find('long', SIZE)).toBeDefined();
    long.append(bytes('x'), at(41));
    expect(cache.find('long', SIZE)).toBeUndefined();
    cache.clear();
    expect(cache.bytes).toBe(0);
  });

  test('lets go first of what was looked at longest ago', () => {
    const cache = new ReplayCache({ limit: 100, sessionLimit: 50 });
    recorded(cache, 'a', 'x'.repeat(40));
    recorded(cache, 'b', 'x'.repeat(40));
    cache.record('a', cache.find('a', SIZE)).resized(SIZE);
    recorded(cache, 'c', 'x'.repeat(40));
    recorded(cache, 'd', '');
    expect(cache.find('b', SIZE)).toBeUndefined();
    expect(cache.find('a', SIZE)).toBeDefined();
  });
});

describe('the past of a stream', () => {
  test('ends with the byte that was its last when the viewer came', () => {
    const past = new PastMark();
    expect(past.begin({ position: '1:10', end: '1:30' })).toBe(true);
    expect(past.passes(at(29))).toBe(false);
    expect(past.passes(at(30))).toBe(true);
    expect(past.passes(at(40))).toBe(false);
  });

  test('is none where nothing was printed before, or where the daemon does not tell', () => {
    const past = new PastMark();
    expect(past.begin({ position: '1:10', end: '1:10' })).toBe(false);
    expect(past.begin({ position: '1:10' })).toBe(false);
    expect(past.giveUp()).toBe(false);
  });

  test('is waited for no longer in another stream, or when the connection breaks', () => {
    const past = new PastMark();
    past.begin({ position: '1:10', end: '1:30' });
    expect(past.passes(at(5, 2))).toBe(true);
    past.begin({ position: '1:10', end: '1:30' });
    expect(past.giveUp()).toBe(true);
    expect(past.passes(at(30))).toBe(false);
  });
});
