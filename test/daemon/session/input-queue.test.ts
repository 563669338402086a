import { expect, test } from 'vitest';
import { INPUT_LIMIT, InputQueue } from '../../../src/daemon/session/input-queue.js';

test('T4: input is delivered in the order in which it came, also when a delivery fails', async () => {
  const queue = new InputQueue();
  const delivered: number[] = [];
  const pushes = Array.from({ length: 50 }, (_, n) =>
    queue.push(1, async () => {
      if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (n === 7) throw new Error('refused');
      delivered.push(n);
    }),
  );
  const results = await Promise.allSettled(pushes);
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1);
  expect(delivered).toEqual(Array.from({ length: 50 }, (_, n) => n).filter((n) => n !== 7));
  expect(queue.waiting).toBe(0);
});

test('T4: input that waits is bounded, and what is over the bound is refused', async () => {
  const queue = new InputQueue();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = queue.push(INPUT_LIMIT, () => held);
  await expect(queue.push(1, async () => undefined)).rejects.toMatchObject({ code: 'payload_too_large' });
  release();
  await first;
  await expect(queue.push(1, async () => undefined)).resolves.toBeUndefined();
});
