import type { SplitLayout } from './split-layout.js';

/** Where a pane is, in parts of the whole. */
export interface PaneBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** In the order of the panes. */
export function boxesOf(layout: SplitLayout): readonly PaneBox[] {
  return layout.flatMap(({ share, panes }, column) => {
    const across = { x: before(layout, column), width: share / 100 };
    return panes.map((pane, row) => ({ ...across, y: before(panes, row), height: pane.share / 100 }));
  });
}

/** What can be moved between panes: the edge behind a column, or behind a pane of one. */
export interface PaneEdge {
  readonly column: number;
  /** Undefined for a column's. */
  readonly row: number | undefined;
  /** Where it begins, and how long it is. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  /** How much of the whole is on its near side, in percent, of what it can share out. */
  readonly value: number;
  readonly room: number;
}

export function edgesOf(layout: SplitLayout): readonly PaneEdge[] {
  return layout.flatMap(({ share, panes }, column) => {
    const x = before(layout, column);
    const next = layout[column + 1];
    const rows = panes.slice(0, -1).map((pane, row) => ({
      column,
      row,
      x,
      y: before(panes, row + 1),
      length: share / 100,
      value: pane.share,
      room: pane.share + (panes[row + 1]?.share ?? 0),
    }));
    if (next === undefined) return rows;
    return [...rows, { column, row: undefined, x: before(layout, column + 1), y: 0, length: 1, value: share, room: share + next.share }];
  });
}

function before(parts: readonly { readonly share: number }[], at: number): number {
  return parts.slice(0, at).reduce((total, { share }) => total + share, 0) / 100;
}
