import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Backoff } from '../../src/client/backoff.js';

test('waits double up to the last one, and begin anew after a connection that lasted', () => {
  const backoff = new Backoff({ firstMs: 100, lastMs: 500, random: () => 1 });
  expect([1, 2, 3, 4, 5].map(() => backoff.next())).toEqual([100, 200, 400, 500, 500]);
  backoff.held(4999);
  expect(backoff.next()).toBe(500);
  backoff.held(5000);
  expect(backoff.next()).toBe(100);
});

test('no wait is shorter than half of its time nor longer than all of it', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(2000), (chance, attempts) => {
      const backoff = new Backoff({ firstMs: 100, lastMs: 5000, random: () => chance });
      for (let n = 0; n < attempts; n += 1) backoff.next();
      const full = Math.min(5000, 100 * 2 ** attempts);
      const wait = backoff.next();
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
    }),
  );
});
