import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyedWriter } from '../../../src/daemon/store/keyed-writer.js';
import { Gate } from './scripted-files.js';

/** A disk in memory, whose writes wait at a gate when the test gives one. */
class SlowDisk {
  readonly content = new Map<string, number>();
  readonly writes: number[] = [];
  readonly gates: Gate[] = [];
  readonly failing = new Set<number>();
  readonly writer = new KeyedWriter<number>({
    write: async (key, value) => {
      this.writes.push(value);
      await this.gates.shift()?.pass();
      if (this.failing.has(value)) throw new Error(`no room for ${value}`);
      this.content.set(key, value);
    },
    erase: async (key) => {
      await this.gates.shift()?.pass();
      this.content.delete(key);
    },
  });

  park(): Gate {
    const gate = new Gate();
    this.gates.push(gate);
    return gate;
  }
}

/** Whether the promise has settled by now, with every reaction that is due run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('100 values at once cost two writes, and the newest is kept', async () => {
  const disk = new SlowDisk();
  const gate = disk.park();
  const all = Array.from({ length: 100 }, (_, value) => disk.writer.put('a', value));
  gate.open();
  expect(await Promise.all(all)).toEqual(all.map(() => true));
  expect(disk.writes).toEqual([0, 99]);
  expect(disk.content.get('a')).toBe(99);
});

test('a value that comes during a write is not answered by that write', async () => {
  const disk = new SlowDisk();
  const [first, second] = [disk.park(), disk.park()];
  const one = disk.writer.put('a', 1);
  const two = disk.writer.put('a', 2);
  first.open();
  expect(await one).toBe(true);
  await second.reached;
  expect([await isSettled(two), disk.content.get('a')]).toEqual([false, 1]);
  second.open();
  expect([await two, disk.content.get('a')]).toEqual([true, 2]);
});

test('a value that comes in any instant around the end of a write starts none beside the one that waits', async () => {
  for (let instant = 0; instant < 20; instant += 1) {
    const disk = new SlowDisk();
    const [first, second] = [disk.park(), disk.park()];
    const [one, two] = [disk.writer.put('a', 1), disk.writer.put('a', 2)];
    first.open();
    for (let turn = 0; turn < instant; turn += 1) await Promise.resolve();
    const three = disk.writer.put('a', 3);
    await second.reached;
    expect(await isSettled(one)).toBe(true);
    expect(disk.writes).toHaveLength(2);
    second.open();
    await Promise.all([two, three]);
    expect(disk.content.get('a')).toBe(3);
  }
});

test('keys do not wait for each other', async () => {
  const disk = new SlowDisk();
  const gate = disk.park();
  const slow = disk.writer.put('a', 1);
  expect(await disk.writer.put('b', 2)).toBe(true);
  expect(await isSettled(slow)).toBe(false);
  gate.open();
  await slow;
});

describe('a write that fails', () => {
  test('fails for those who waited for it, not for those behind it', async () => {
    const disk = new SlowDisk();
    disk.failing.add(1);
    const gate = disk.park();
    const one = disk.writer.put('a', 1);
    const two = disk.writer.put('a', 2);
    gate.open();
    await expect(one).rejects.toThrow('no room for 1');
    expect([await two, disk.content.get('a')]).toEqual([true, 2]);
  });

  test('fails for all whose values it was to cover, and the next one is tried afresh', async () => {
    const disk = new SlowDisk();
    disk.failing.add(3);
    const all = [1, 2, 3].map((value) => disk.writer.put('a', value));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect([await disk.writer.put('a', 4), disk.content.get('a')]).toEqual([true, 4]);
  });
});

describe('a removal', () => {
  test('waits for the write under way only, drops the one behind it, and bars every later one', async () => {
    const disk = new SlowDisk();
    const gate = disk.park();
    const under = disk.writer.put('a', 1);
    const behind = disk.writer.put('a', 2);
    const removed = disk.writer.remove('a');
    const later = disk.writer.put('a', 3);
    expect(await isSettled(removed)).toBe(false);
    gate.open();
    expect(await Promise.all([under, behind, later])).toEqual([true, false, false]);
    await removed;
    expect(await disk.writer.put('a', 4)).toBe(false);
    expect([disk.writes, disk.content.size]).toEqual([[1], 0]);
  });

  test('succeeds though the write under way fails', async () => {
    const disk = new SlowDisk();
    disk.failing.add(1);
    const under = disk.writer.put('a', 1);
    const removed = disk.writer.remove('a');
    await expect(under).rejects.toThrow();
    await removed;
  });

  test('that fails leaves the key barred and can be repeated', async () => {
    let attempts = 0;
    const writer = new KeyedWriter<number>({
      write: () => Promise.resolve(),
      erase: () => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new Error('read-only')) : Promise.resolve();
      },
    });
    await expect(writer.remove('a')).rejects.toThrow('read-only');
    expect(await writer.put('a', 1)).toBe(false);
    await writer.remove('a');
  });
});

test('idle waits for what is under way and what is behind it, failures included', async () => {
  const disk = new SlowDisk();
  disk.failing.add(1);
  const gate = disk.park();
  const one = disk.writer.put('a', 1).catch(() => 'failed');
  const two = disk.writer.put('a', 2);
  const idle = disk.writer.idle();
  expect(await isSettled(idle)).toBe(false);
  gate.open();
  await idle;
  expect([await one, await two, disk.content.get('a')]).toEqual(['failed', true, 2]);
  await disk.writer.idle();
});

const ACTION = fc.oneof(
  { weight: 8, arbitrary: fc.constant('put' as const) },
  { weight: 3, arbitrary: fc.constant('turn' as const) },
  { weight: 1, arbitrary: fc.constant('remove' as const) },
);

test('in every order of puts and removals, with failing writes: one write at a time, what was acknowledged is there, what was removed is not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(ACTION, { maxLength: 30 }),
      fc.array(fc.boolean(), { maxLength: 30 }),
      async (scheduler, actions, failures) => {
        let [stored, busy] = [-1, 0];
        const step = async (work: () => void) => {
          busy += 1;
          expect(busy).toBe(1);
          await scheduler.schedule(Promise.resolve());
          busy -= 1;
          work();
        };
        const writer = new KeyedWriter<number>({
          write: (_key, value) =>
            step(() => {
              if (failures[value] === true) throw new Error('full');
              stored = value;
            }),
          erase: () =>
            step(() => {
              stored = -1;
            }),
        });
        let [count, removed] = [0, false];
        const running: Promise<unknown>[] = [];
        for (const action of actions) {
          if (action === 'turn') {
            if (scheduler.count() > 0) await scheduler.waitOne();
          } else if (action === 'remove') {
            removed = true;
            running.push(writer.remove('a'));
          } else {
            const value = count++;
            const barred = removed;
            running.push(
              writer.put('a', value).then(
                (written) => {
                  if (barred) expect(written).toBe(false);
                  if (written && !removed) expect(stored).toBeGreaterThanOrEqual(value);
                },
                (error: Error) => expect(error.message).toBe('full'),
              ),
            );
          }
        }
        await scheduler.waitFor(Promise.all([...running, writer.idle()]));
        if (removed) expect(stored).toBe(-1);
        else if (count > 0 && failures[count - 1] !== true) expect(stored).toBe(count - 1);
      },
    ),
    { numRuns: 300 },
  );
});
