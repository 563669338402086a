import { describe, expect, test } from 'vitest';
import { clampSize, type Viewer, Viewers } from '../../../src/daemon/session/viewers.js';
import type { Size } from '../../../src/protocol/index.js';

const start = { cols: 120, rows: 40 };
const wide = { cols: 160, rows: 50 };
const phone = { cols: 45, rows: 30 };

function viewer(): Viewer & { told: [Size, boolean][] } {
  const told: [Size, boolean][] = [];
  return { told, resized: (size, owner) => void told.push([size, owner]) };
}

function setUp() {
  const sizes: Size[] = [];
  const viewers = new Viewers(start, (size) => void sizes.push(size));
  const a = viewer();
  const b = viewer();
  viewers.add(a);
  viewers.add(b);
  return { sizes, viewers, a, b };
}

describe('T5: the size of a pane', () => {
  test('is that of the viewer last in use, and all are told', () => {
    const { viewers, sizes, a, b } = setUp();
    viewers.resized(a, wide);
    viewers.resized(b, phone);
    viewers.used(a);
    expect(sizes).toEqual([wide, phone, wide]);
    expect(a.told.at(-1)).toEqual([wide, true]);
    expect(b.told.at(-1)).toEqual([wide, false]);
  });

  test('comes back to the other viewer when the owner hides or leaves', () => {
    const { viewers, sizes, a, b } = setUp();
    viewers.resized(a, wide);
    viewers.resized(b, phone);
    viewers.visible(b, false);
    viewers.visible(b, true);
    viewers.remove(b);
    expect(sizes).toEqual([wide, phone, wide, phone, wide]);
  });

  test('does not change for a hidden viewer', () => {
    const { viewers, sizes, a, b } = setUp();
    viewers.resized(a, wide);
    viewers.visible(b, false);
    viewers.resized(b, phone);
    expect(sizes).toEqual([wide]);
  });

  test('is not set again when it is the same', () => {
    const { viewers, sizes, a } = setUp();
    viewers.resized(a, wide);
    const told = a.told.length;
    viewers.resized(a, { ...wide });
    viewers.used(a);
    expect(sizes).toEqual([wide]);
    expect(a.told).toHaveLength(told);
  });

  test('stays when the last viewer leaves', () => {
    const { viewers, sizes, a, b } = setUp();
    viewers.resized(a, wide);
    viewers.remove(a);
    viewers.remove(b);
    expect(sizes).toEqual([wide]);
    expect(viewers.size).toEqual(wide);
  });

  test.each([
    [2, 1, { cols: 10, rows: 3 }],
    [1e9, 1e9, { cols: 500, rows: 300 }],
    [80.5, 24.9, { cols: 80, rows: 24 }],
    [0, 0, undefined],
    [-5, 10, undefined],
    [Number.NaN, 24, undefined],
  ])('%d x %d is clamped, or is no size', (cols, rows, size) => {
    expect(clampSize(cols, rows)).toEqual(size);
  });
});
