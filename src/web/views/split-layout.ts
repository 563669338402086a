import { SessionIdSchema } from '../../protocol/index.js';

/** A place for one session's terminal; without a session the user chooses one. */
export interface SplitPane {
  readonly id: string | undefined;
  /** Of its column's height, in percent. */
  readonly share: number;
}

export interface SplitColumn {
  /** Of the width, in percent. */
  readonly share: number;
  readonly panes: readonly SplitPane[];
}

/** Several terminals at once, in columns from left to right. A session is in one of them at most. */
export type SplitLayout = readonly SplitColumn[];

/** On which side of a pane another one grows. */
export type PaneSide = 'left' | 'right' | 'above' | 'below';

export const MAX_PANES = 4;
/** The least share of a column or pane, in percent. */
export const MIN_SHARE = 15;

/** In reading order: each column from top to bottom. */
export function panesOf(layout: SplitLayout): readonly SplitPane[] {
  return layout.flatMap(({ panes }) => panes);
}

export function isFull(layout: SplitLayout): boolean {
  return panesOf(layout).length >= MAX_PANES;
}

/** The pane that shows the session; -1 for none. */
export function paneOf(layout: SplitLayout, id: string): number {
  return panesOf(layout).findIndex((pane) => pane.id === id);
}

/** A column for each. */
export function sideBySide(ids: readonly (string | undefined)[]): SplitLayout {
  return even(ids.map((id) => ({ share: 0, panes: [{ id, share: 100 }] })));
}

/** Shows the session in a pane. Where another pane shows it already, the two change places. */
export function withSession(layout: SplitLayout, at: number, id: string): SplitLayout {
  const other = paneOf(layout, id);
  const before = panesOf(layout)[at]?.id;
  return mapPanes(layout, (pane, index) => (index === at ? { ...pane, id } : index === other ? { ...pane, id: before } : pane));
}

/** Lets the user choose another session for a pane. */
export function withChoice(layout: SplitLayout, at: number): SplitLayout {
  return mapPanes(layout, (pane, index) => (index === at ? { ...pane, id: undefined } : pane));
}

/** A layout with a new pane, and which one that is. */
export interface GrownLayout {
  readonly layout: SplitLayout;
  readonly at: number;
}

/** A new pane with half of the room of the one at `at`, without a session yet. Undefined where there is no room for one more. */
export function splitPane(layout: SplitLayout, at: number, side: PaneSide): GrownLayout | undefined {
  if (isFull(layout)) return undefined;
  const { row, column } = placeOf(layout, at);
  const first = at - row;
  const place = { left: first, right: first + (layout[column]?.panes.length ?? 0), above: at, below: at + 1 }[side];
  return { layout: inserted(layout, at, { side, id: undefined }), at: place };
}

/** A session that was dropped on a side of a pane: it moves there, or gets a new pane, or, where there is no room, that pane. */
export function withDropped(layout: SplitLayout, at: number, { side, id }: { side: PaneSide | undefined; id: string }): SplitLayout {
  const from = paneOf(layout, id);
  if (from === at) return layout;
  if (side === undefined || (from === -1 && isFull(layout))) return withSession(layout, at, id);
  if (from === -1) return inserted(layout, at, { side, id });
  const marked = mapPanes(layout, (pane, index) => (index === from ? { ...pane, id: LEAVING } : pane));
  const both = inserted(marked, at, { side, id });
  return withoutPane(both, paneOf(both, LEAVING));
}

/** What the pane had goes to the others of its column, or to the other columns. */
export function withoutPane(layout: SplitLayout, at: number): SplitLayout {
  const { column, row } = placeOf(layout, at);
  const columns = layout.map((one, index) => (index === column ? { ...one, panes: filled(without(one.panes, row)) } : one));
  return filled(columns.filter(({ panes }) => panes.length > 0));
}

/** The shares after the edge behind the `at`-th part was moved by `percent`. */
export function moveEdge<T extends { readonly share: number }>(parts: readonly T[], at: number, percent: number): readonly T[] {
  const [before, behind] = [parts[at]?.share ?? 0, parts[at + 1]?.share ?? 0];
  const moved = Math.round(Math.max(MIN_SHARE - before, Math.min(behind - MIN_SHARE, percent)));
  return parts.map((part, index) =>
    index === at ? { ...part, share: before + moved } : index === at + 1 ? { ...part, share: behind - moved } : part,
  );
}

/** All parts alike, in whole percent. */
export function even<T extends { readonly share: number }>(parts: readonly T[]): readonly T[] {
  return parts.map((part, at) => ({ ...part, share: Math.floor((100 * (at + 1)) / parts.length) - Math.floor((100 * at) / parts.length) }));
}

/** The layout of the path behind `/split/`, where `/` is between columns and `,` between the panes of one. Undefined for what is none. */
export function parseSplit(path: string, sizes = ''): SplitLayout | undefined {
  const columns = path.split('/').map((column) => column.split(','));
  const names = columns.flat();
  if (names.length < 2 || names.length > MAX_PANES || !names.every(isPaneName)) return undefined;
  const seen = new Set<string>();
  const panes = (ids: readonly string[]) => even(ids.map((name) => ({ id: firstTime(name, seen), share: 0 })));
  return withSizes(even(columns.map((ids) => ({ share: 0, panes: panes(ids) }))), sizes);
}

export function splitPath(layout: SplitLayout): string {
  return layout.map(({ panes }) => panes.map(({ id }) => id ?? NO_SESSION).join(',')).join('/');
}

/** For {@link parseSplit}: the shares of the columns, then those of each one's panes, as `60,40/50,50/100`. Empty when all are even. */
export function splitSizes(layout: SplitLayout): string {
  const sizes = sizesOf(layout);
  return sizes === sizesOf(even(layout.map((column) => ({ ...column, panes: even(column.panes) })))) ? '' : sizes;
}

const NO_SESSION = '-';
/** No session's id. */
const LEAVING = 'leaving';

function isPaneName(name: string): boolean {
  return name === NO_SESSION || SessionIdSchema.safeParse(name).success;
}

function firstTime(name: string, seen: Set<string>): string | undefined {
  if (name === NO_SESSION || seen.has(name)) return undefined;
  seen.add(name);
  return name;
}

function sizesOf(layout: SplitLayout): string {
  return [layout, ...layout.map(({ panes }) => panes)].map((parts) => parts.map(({ share }) => share).join(',')).join('/');
}

function withSizes(layout: SplitLayout, sizes: string): SplitLayout {
  const [own, ...ofPanes] = sizes.split('/').map((part) => part.split(',').map(Number));
  return withShares(layout, own).map((column, at) => ({ ...column, panes: withShares(column.panes, ofPanes[at]) }));
}

/** What does not fit together is left as it is: an address may be written by hand. */
function withShares<T extends { readonly share: number }>(parts: readonly T[], shares: readonly number[] = []): readonly T[] {
  const isMeant = shares.length === parts.length && shares.every((share) => share >= MIN_SHARE) && sum(shares) === 100;
  return isMeant ? parts.map((part, at) => ({ ...part, share: shares[at] ?? part.share })) : parts;
}

function inserted(layout: SplitLayout, at: number, { side, id }: { side: PaneSide; id: string | undefined }): SplitLayout {
  const { column, row } = placeOf(layout, at);
  const isBefore = side === 'left' || side === 'above';
  if (side === 'left' || side === 'right') return halved(layout, { at: column, isBefore, part: { share: 0, panes: [{ id, share: 100 }] } });
  return layout.map((one, index) =>
    index === column ? { ...one, panes: halved(one.panes, { at: row, isBefore, part: { id, share: 0 } }) } : one,
  );
}

interface Insertion<T> {
  readonly at: number;
  readonly isBefore: boolean;
  readonly part: T;
}

/** The new part gets half of what the one at `at` has. */
function halved<T extends { readonly share: number }>(parts: readonly T[], { at, isBefore, part }: Insertion<T>): readonly T[] {
  const whole = parts[at]?.share ?? 0;
  const half = Math.floor(whole / 2);
  const halves = parts.map((one, index) => (index === at ? { ...one, share: whole - half } : one));
  const all = halves.toSpliced(isBefore ? at : at + 1, 0, { ...part, share: half });
  return half < MIN_SHARE ? even(all) : all;
}

/** Shares that are in the same proportion and fill the whole. */
function filled<T extends { readonly share: number }>(parts: readonly T[]): readonly T[] {
  const total = sum(parts.map(({ share }) => share));
  let [before, done] = [0, 0];
  return parts.map((part) => {
    before += part.share;
    const share = Math.round((100 * before) / total) - done;
    done += share;
    return { ...part, share };
  });
}

function mapPanes(layout: SplitLayout, change: (pane: SplitPane, index: number) => SplitPane): SplitLayout {
  let index = 0;
  return layout.map((column) => ({
    ...column,
    panes: column.panes.map((pane) => {
      index += 1;
      return change(pane, index - 1);
    }),
  }));
}

function placeOf(layout: SplitLayout, at: number): { column: number; row: number } {
  let row = at;
  const column = layout.findIndex(({ panes }) => {
    if (row < panes.length) return true;
    row -= panes.length;
    return false;
  });
  return { column, row };
}

function without<T>(parts: readonly T[], at: number): readonly T[] {
  return parts.filter((_, index) => index !== at);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
