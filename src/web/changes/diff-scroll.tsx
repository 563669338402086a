import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useCallback, useEffect, useImperativeHandle, useRef } from 'react';
import { text } from '../text/text.js';
import { DiffRowView } from './diff-row-view.js';
import { type DiffLayout, fileAt, nextHunk } from './diff-rows.js';
import type { RowActions } from './use-file-diffs.js';
import { useKeptPlace } from './use-kept-place.js';

/** What the keyboard and the list of files do with the rows. */
export interface DiffScroller {
  readonly goToFile: (file: number) => void;
  /** From file to file, or to the head of this one if that is out of sight. */
  readonly stepFile: (step: 1 | -1) => void;
  readonly stepHunk: (step: 1 | -1) => void;
}

interface DiffScrollProps {
  readonly layout: DiffLayout;
  readonly actions: RowActions;
  readonly scroller: Ref<DiffScroller>;
  /** The file at the top, by its place. */
  readonly onTop: (file: number) => void;
  /** The files that can be seen or almost, by their paths. */
  readonly onNear: (paths: readonly string[]) => void;
}

/** Heights before a row is drawn, in pixels. */
const HEIGHTS = { file: 36, hunk: 28, line: 20, pair: 20, text: 40, large: 40, failed: 40, pending: 20 } as const;

/** Rows that are drawn above and below what can be seen. */
const OVERSCAN = 24;

/** Files that fly past are not fetched, in milliseconds. */
const LINGER_MS = 60;

/** The rows of all files under each other; only those in sight are there. */
export function DiffScroll({ layout, actions, scroller, onTop, onNear }: DiffScrollProps) {
  const { rows, heads, files } = layout;
  const scroll = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => heightOf(rows[at]),
    getItemKey: useCallback((at: number) => rows[at]?.key ?? at, [rows]),
    overscan: OVERSCAN,
    // So that the head of the last file gets to the top as well.
    paddingEnd: files.length > 1 ? Math.max(0, (scroll.current?.clientHeight ?? 0) - HEIGHTS.file * 2) : 0,
  });
  const notePlace = useKeptPlace(virtualizer, layout);
  const items = virtualizer.getVirtualItems();
  const offset = virtualizer.scrollOffset ?? 0;
  const first = items.find(({ end }) => end > offset + 1) ?? items[0];
  const topFile = first === undefined ? 0 : fileAt(layout, first.index);
  const topRow = rows[heads[topFile] ?? 0];
  const isAtHead = first === undefined || (first.index === heads[topFile] && offset <= first.start + 1);
  useEffect(() => onTop(topFile), [onTop, topFile]);
  const room = virtualizer.scrollRect?.height ?? 0;
  const near = items.filter(({ start, end }) => end > offset - room && start < offset + 2 * room);
  useNear(layout, { from: near[0]?.index ?? 0, to: near.at(-1)?.index ?? 0 }, onNear);
  useImperativeHandle(scroller, () => {
    // Asked of the element, as keys may come faster than renders.
    const rowAt = (below: number) => virtualizer.getVirtualItemForOffset(Math.max(0, (scroll.current?.scrollTop ?? 0) + below));
    const goToRow = (row: number | undefined, below = 0) => {
      if (row === undefined) return;
      virtualizer.scrollToOffset(Math.max(0, (virtualizer.measurementsCache[row]?.start ?? 0) - below));
      notePlace();
    };
    const goToFile = (file: number) => goToRow(heads[Math.min(Math.max(file, 0), heads.length - 1)]);
    return {
      goToFile,
      stepFile: (step) => {
        const row = rowAt(1)?.index ?? 0;
        const file = fileAt(layout, row);
        const isPastHead = (rowAt(-1)?.index ?? -1) >= (heads[file] ?? 0);
        goToFile(step < 0 && isPastHead ? file : file + step);
      },
      stepHunk: (step) => {
        const row = rowAt(HEIGHTS.file + 2 * step)?.index ?? 0;
        goToRow(nextHunk(layout, step > 0 ? row : row + 1, step), HEIGHTS.file);
      },
    };
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: the rows are asked of an element of this kind.
    <div ref={scroll} className="diff" role="region" aria-label={text.changes.differences} tabIndex={0}>
      {topRow?.kind === 'file' && !isAtHead && (
        <div className="diff__head">
          <DiffRowView row={topRow} actions={actions} />
        </div>
      )}
      <div className="diff__all" ref={(element) => element?.style.setProperty('height', `${virtualizer.getTotalSize()}px`)}>
        <div className="diff__seen" ref={(element) => element?.style.setProperty('transform', `translateY(${items[0]?.start ?? 0}px)`)}>
          {items.map(({ key, index }) => {
            const row = rows[index];
            return (
              row && (
                <div key={key} data-index={index} ref={virtualizer.measureElement}>
                  <DiffRowView row={row} actions={actions} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {files.length === 0 && <p className="dtext">{text.changes.none.filter}</p>}
    </div>
  );
}

function heightOf(row: DiffLayout['rows'][number] | undefined): number {
  return row === undefined ? 0 : HEIGHTS[row.kind] * (row.kind === 'pending' ? row.lines : 1);
}

function useNear(layout: DiffLayout, seen: { from: number; to: number }, onNear: (paths: readonly string[]) => void): void {
  const paths = layout.files
    .map(({ path }, at) => ({ path, at }))
    .slice(fileAt(layout, seen.from), fileAt(layout, seen.to) + 1)
    .filter(({ at }) => isWanted(layout, layout.heads[at] ?? 0))
    .map(({ path }) => path);
  const key = paths.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the paths are one text, so that the same ones are not asked for at each scroll.
  useEffect(() => {
    const timer = setTimeout(() => onNear(paths), LINGER_MS);
    return () => clearTimeout(timer);
  }, [key, onNear]);
}

function isWanted({ rows }: DiffLayout, head: number): boolean {
  const row = rows[head];
  return row?.kind === 'file' && row.isOpen && rows[head + 1]?.kind !== 'large';
}
