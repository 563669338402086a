import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ScreenRounds } from '../../src/web/views/screen-rounds.js';

const LIVE = { isLive: true, hasScreen: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** When each screen was fetched, in milliseconds; `changes` says which come back changed. */
function watched({ changes = () => true }: { changes?: (id: string) => boolean | Promise<boolean> } = {}) {
  const looks: [id: string, at: number][] = [];
  const start = performance.now();
  const rounds = new ScreenRounds(async (id) => {
    looks.push([id, performance.now() - start]);
    return changes(id);
  });
  return { rounds, looks, of: (id: string) => looks.filter(([one]) => one === id).map(([, at]) => at) };
}

describe('the screens of a wall', () => {
  test('are looked at only while they can be seen', async () => {
    const { rounds, looks } = watched();
    const leave = rounds.watch('a', LIVE);
    await vi.advanceTimersByTimeAsync(5000);
    const seen = looks.length;
    expect(seen).toBeGreaterThan(2);
    leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toHaveLength(seen);
  });

  test('are never looked at while the page is hidden, and at once when it is back', async () => {
    const { rounds, looks } = watched();
    rounds.watch('a', LIVE);
    await vi.advanceTimersByTimeAsync(10);
    rounds.pause(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toHaveLength(1);
    rounds.pause(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(looks).toHaveLength(2);
    rounds.close();
  });

  test('are looked at five times a second in all, however many they are', async () => {
    const { rounds, looks } = watched();
    for (let n = 0; n < 50; n += 1) rounds.watch(`s${n}`, LIVE);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks.length).toBeLessThanOrEqual(101);
    expect(looks.length).toBeGreaterThan(90);
    expect(new Set(looks.map(([id]) => id)).size).toBe(50);
    rounds.close();
  });

  test('show something as soon as they can, and then take turns', async () => {
    const { rounds, looks } = watched();
    for (let n = 0; n < 20; n += 1) rounds.watch(`s${n}`, { isLive: true, hasScreen: false });
    await vi.advanceTimersByTimeAsync(100);
    expect(looks).toHaveLength(20);
    rounds.close();
  });

  test('three at most are fetched at the same time', async () => {
    const { rounds, looks } = watched({ changes: () => new Promise(() => {}) });
    for (let n = 0; n < 20; n += 1) rounds.watch(`s${n}`, { isLive: true, hasScreen: false });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toHaveLength(3);
    rounds.close();
  });

  test('that do not change are looked at less and less often, those that do every second and a half', async () => {
    const { rounds, of } = watched({ changes: (id) => id === 'busy' });
    rounds.watch('busy', LIVE);
    rounds.watch('still', LIVE);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(of('busy').length).toBeGreaterThan(35);
    expect(of('still').length).toBeLessThan(14);
    expect((of('still').at(-1) ?? 0) - (of('still').at(-2) ?? 0)).toBeLessThanOrEqual(6500);
    rounds.close();
  });

  test('of a session without a program are looked at once, and again where that failed', async () => {
    let fails = 1;
    const { rounds, of } = watched({
      changes: (id) => {
        if (id === 'torn' && fails-- > 0) throw new Error('no answer');
        return true;
      },
    });
    rounds.watch('stored', { isLive: false, hasScreen: true });
    rounds.watch('torn', { isLive: false, hasScreen: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([of('stored').length, of('torn').length]).toEqual([1, 2]);
    rounds.close();
  });
});
