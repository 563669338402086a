import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReplayRing } from '../../../src/daemon/bridge/replay-ring.js';

describe('the replay ring', () => {
  test('holds the last bytes under their absolute offsets, whatever the chunks', () => {
    const pushes = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), pushes, (capacity, chunks) => {
        const ring = new ReplayRing(capacity);
        let all = Buffer.alloc(0);
        for (const chunk of chunks) {
          ring.push(chunk);
          all = Buffer.concat([all, chunk]);
          expect(ring.end).toBe(all.length);
          expect(ring.start).toBe(Math.max(0, all.length - capacity));
          expect(ring.slice(0, ring.end)).toEqual(all.subarray(ring.start));
          const middle = Math.floor((ring.start + ring.end) / 2);
          expect(ring.read(middle, 7)).toEqual(all.subarray(middle, middle + 7));
        }
      }),
    );
  });

  test('keeps all that fits while its memory grows', () => {
    const ring = new ReplayRing(100_000);
    const chunk = Buffer.from(Array.from({ length: 997 }, (_, i) => i));
    let all = Buffer.alloc(0);
    for (let i = 0; i < 150; i++) {
      ring.push(chunk);
      all = Buffer.concat([all, chunk]);
      expect(ring.slice(0, ring.end).equals(all.subarray(-100_000))).toBe(true);
    }
    expect(ring.allocated).toBe(100_000);
  });

  test('copies what is pushed and what is read', () => {
    const ring = new ReplayRing(16);
    const shared = Buffer.from('abc');
    ring.push(shared);
    shared.fill('x');
    const copy = ring.slice(0, 3);
    ring.push(Buffer.from('d'.repeat(16)));
    expect(copy.toString()).toBe('abc');
  });

  test('takes memory in proportion to the bytes in use', () => {
    const rings = Array.from({ length: 100 }, () => new ReplayRing(1024 * 1024));
    for (const ring of rings) ring.push(Buffer.alloc(3000));
    expect(rings.reduce((sum, ring) => sum + ring.allocated, 0)).toBeLessThan(1024 * 1024);
    const [first] = rings;
    first?.push(Buffer.alloc(100_000));
    expect(first?.allocated).toBeLessThan(300_000);
  });
});
