import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRoute, type SplitRoute, splitHref } from '../../src/web/app/route.js';
import { boxesOf, edgesOf } from '../../src/web/views/split-boxes.js';
import {
  MAX_PANES,
  MIN_SHARE,
  moveEdge,
  type PaneSide,
  paneOf,
  panesOf,
  parseSplit,
  type SplitLayout,
  sideBySide,
  splitPane,
  withDropped,
  withoutPane,
  withSession,
} from '../../src/web/views/split-layout.js';

const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter.repeat(8)}-7f7a-4a52-9c3d-0123456789ab`) as [
  string,
  string,
  string,
  string,
  string,
];

/** The ids' first letters: `a/bc` is one column beside another of two panes. */
function shape(layout: SplitLayout | undefined): string | undefined {
  return layout?.map(({ panes }) => panes.map(({ id }) => id?.[0] ?? '-').join('')).join('/');
}

function shares(layout: SplitLayout): number[][] {
  return [layout.map(({ share }) => share), ...layout.map(({ panes }) => panes.map(({ share }) => share))];
}

describe('the address of several panes', () => {
  test('names columns and their panes, their shares where they are not even, and the pane that has the keyboard', () => {
    const route = { layout: parseSplit(`${A}/${B},-`, '60,40/100/30,70') ?? [], active: 1 };
    expect(splitHref(route)).toBe(`/split/${A}/${B},-?sizes=60,40/100/30,70&pane=2`);
    expect(splitHref({ layout: sideBySide([A, B]), active: 0 })).toBe(`/split/${A}/${B}`);
    expect(parseRoute(`/split/${A}/${B},-`, 'sizes=60,40/100/30,70&pane=2')).toEqual({ page: 'split', ...route });
  });

  test('leads nowhere with one pane, with more than four, or with what is no session', () => {
    const paths = ['', A, `${A}/x`, `${A}//${B}`, [A, B, C, D, E].join('/')];
    expect(paths.map((path) => parseRoute(`/split/${path}`).page)).toEqual(paths.map(() => 'unknown'));
  });

  test('shows a session once, and even shares where those in it do not fit', () => {
    expect(shape(parseSplit(`${A}/${A},${B}`))).toBe('a/-b');
    for (const sizes of ['50', '10,90/100/100', '60,60/100/100', 'x,y', '60,40'])
      expect(parseSplit(`${A}/${B}`, sizes)?.map(({ share }) => share)).toEqual(sizes === '60,40' ? [60, 40] : [50, 50]);
    expect(parseRoute(`/split/${A}/${B}`, 'pane=9')).toMatchObject({ active: 0 });
  });

  test('is read as it was written, whatever was done to the panes', () => {
    fc.assert(
      fc.property(aLayout, fc.nat(3), (layout, at) => {
        const active = at % panesOf(layout).length;
        const [path = '', query] = splitHref({ layout, active }).split('?', 2);
        expect(parseRoute(path, query)).toEqual({ page: 'split', layout, active } satisfies SplitRoute);
      }),
    );
  });
});

describe('panes', () => {
  test('take half of the one that they grow from', () => {
    const two = splitPane(sideBySide([A]), 0, 'right');
    expect([shape(two?.layout), two?.at]).toEqual(['a/-', 1]);
    const three = splitPane(withSession(two?.layout ?? [], 1, B), 1, 'below');
    expect([shape(three?.layout), three?.at, shares(three?.layout ?? [])]).toEqual(['a/b-', 2, [[50, 50], [100], [50, 50]]]);
    const four = splitPane(withSession(three?.layout ?? [], 2, C), 0, 'left');
    expect([shape(four?.layout), four?.at]).toEqual(['-/a/bc', 0]);
    expect(splitPane(four?.layout ?? [], 0, 'right')).toBeUndefined();
  });

  test('leave their room to their neighbours', () => {
    const layout = parseSplit(`${A}/${B},${C}`, '60,40/100/30,70') ?? [];
    expect([shape(withoutPane(layout, 0)), shares(withoutPane(layout, 0))]).toEqual(['bc', [[100], [30, 70]]]);
    expect([shape(withoutPane(layout, 1)), shares(withoutPane(layout, 1))]).toEqual(['a/c', [[60, 40], [100], [100]]]);
  });

  test('change places when one of their sessions is shown in another', () => {
    const layout = parseSplit(`${A}/${B},${C}`) ?? [];
    expect(shape(withSession(layout, 0, C))).toBe('c/ba');
    expect(shape(withSession(layout, 0, D))).toBe('d/bc');
  });

  test.each([
    ['left', 0, D, 'd/a/bc'],
    ['below', 1, D, 'a/bdc'],
    [undefined, 1, D, 'a/dc'],
    ['above', 2, A, 'bac'],
    ['right', 2, B, 'a/c/b'],
    ['left', 1, B, 'a/bc'],
    [undefined, 0, C, 'c/ba'],
  ] as const)('a session that is dropped %s of pane %i comes there', (side, at, id, expected) => {
    const layout = parseSplit(`${A}/${B},${C}`) ?? [];
    expect(shape(withDropped(layout, at, { side, id }))).toBe(expected);
  });

  test('a session that is dropped where there is no room for one more takes the pane', () => {
    const full = parseSplit(`${A},${B}/${C},${D}`) ?? [];
    expect(shape(withDropped(full, 2, { side: 'left', id: E }))).toBe('ab/ed');
    expect(shape(withDropped(full, 2, { side: 'left', id: B }))).toBe('a/b/cd');
  });

  test('are resized by the edge between them, down to a least share', () => {
    const parts = [{ share: 50 }, { share: 30 }, { share: 20 }];
    expect(moveEdge(parts, 0, 10).map(({ share }) => share)).toEqual([60, 20, 20]);
    expect(moveEdge(parts, 1, 99).map(({ share }) => share)).toEqual([50, 35, MIN_SHARE]);
    expect(moveEdge(parts, 0, -99).map(({ share }) => share)).toEqual([MIN_SHARE, 65, 20]);
  });

  test('always fill the whole, each with its least share, and no session twice', () => {
    fc.assert(
      fc.property(aLayout, (layout) => {
        const ids = panesOf(layout).flatMap(({ id }) => id ?? []);
        expect(new Set(ids).size).toBe(ids.length);
        for (const group of shares(layout)) expect(group.reduce((sum, share) => sum + share, 0)).toBe(100);
        expect(
          shares(layout)
            .flat()
            .every((share) => share >= MIN_SHARE),
        ).toBe(true);
        const area = boxesOf(layout).reduce((sum, { width, height }) => sum + width * height, 0);
        expect(area).toBeCloseTo(1);
        expect(edgesOf(layout)).toHaveLength(panesOf(layout).length - 1);
      }),
    );
  });
});

type Step = (layout: SplitLayout) => SplitLayout;

const anId = fc.constantFrom(A, B, C, D, E);
const aSide = fc.constantFrom<PaneSide>('left', 'right', 'above', 'below');
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(3), aSide).map(
    ([at, side]): Step =>
      (layout) =>
        splitPane(layout, within(layout, at), side)?.layout ?? layout,
  ),
  fc.tuple(fc.nat(3), fc.option(aSide, { nil: undefined }), anId).map(
    ([at, side, id]): Step =>
      (layout) =>
        withDropped(layout, within(layout, at), { side, id }),
  ),
  fc.nat(3).map(
    (at): Step =>
      (layout) =>
        panesOf(layout).length > 2 ? withoutPane(layout, within(layout, at)) : layout,
  ),
  fc.tuple(fc.nat(2), fc.integer({ min: -60, max: 60 })).map(
    ([at, by]): Step =>
      (layout) =>
        at < layout.length - 1 ? moveEdge(layout, at, by) : layout,
  ),
);

/** What steps make of two panes. A column of one pane alone is not the page's: it would be a single session. */
const aLayout = fc.array(aStep, { maxLength: 12 }).map((steps) => steps.reduce((layout, step) => step(layout), sideBySide([A, B])));

function within(layout: SplitLayout, at: number): number {
  return at % panesOf(layout).length;
}

test('there are four panes at most, and a session is found in the one that shows it', () => {
  fc.assert(
    fc.property(aLayout, anId, (layout, id) => {
      expect(panesOf(layout).length).toBeLessThanOrEqual(MAX_PANES);
      expect(panesOf(layout)[paneOf(layout, id)]?.id ?? id).toBe(id);
    }),
  );
});
