import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { type DiffLayout, fileAt } from './diff-rows.js';

type Rows = Virtualizer<HTMLDivElement, Element>;

/** What stands at the top, and how far it is scrolled past. */
interface Place {
  readonly key: string;
  readonly path: string;
  readonly past: number;
  readonly pastFile: number;
}

/** Keeps what is looked at where it is when rows come or go above it. Call what it returns when the page itself has scrolled. */
export function useKeptPlace(virtualizer: Rows, layout: DiffLayout): () => void {
  const place = useRef<Place>(undefined);
  const before = useRef(layout);
  const note = useCallback(() => {
    place.current = placeOf(virtualizer, before.current);
  }, [virtualizer]);
  useLayoutEffect(() => {
    const offset = virtualizer.scrollElement?.scrollTop ?? 0;
    const isMoved = before.current !== layout && offset > 0;
    const to = isMoved ? offsetOf(virtualizer, layout, place.current) : undefined;
    if (to !== undefined && Math.abs(to - offset) > 1) virtualizer.scrollToOffset(to);
    before.current = layout;
  }, [virtualizer, layout]);
  useEffect(() => {
    note();
    const { scrollElement } = virtualizer;
    scrollElement?.addEventListener('scroll', note, { passive: true });
    return () => scrollElement?.removeEventListener('scroll', note);
  });
  return note;
}

function placeOf(virtualizer: Rows, layout: DiffLayout): Place | undefined {
  const offset = virtualizer.scrollElement?.scrollTop ?? 0;
  const item = virtualizer.getVirtualItemForOffset(offset);
  const row = item && layout.rows[item.index];
  if (item === undefined || row === undefined) return undefined;
  const file = fileAt(layout, item.index);
  const head = startOf(virtualizer, layout.heads[file] ?? 0);
  return { key: row.key, path: layout.files[file]?.path ?? '', past: offset - item.start, pastFile: offset - head };
}

/** The row itself, or where it was in its file; undefined where the file is gone. */
function offsetOf(virtualizer: Rows, { files, heads, rows }: DiffLayout, place: Place | undefined): number | undefined {
  if (place === undefined) return undefined;
  const { key, path, past, pastFile } = place;
  const file = files.findIndex((one) => one.path === path);
  if (file < 0) return undefined;
  const [head = 0, next = rows.length] = [heads[file], heads[file + 1]];
  const row = rows.slice(head, next).findIndex((one) => one.key === key);
  if (row >= 0) return startOf(virtualizer, head + row) + past;
  const room = startOf(virtualizer, next - 1) - startOf(virtualizer, head);
  return startOf(virtualizer, head) + Math.min(pastFile, Math.max(0, room));
}

function startOf(virtualizer: Rows, row: number): number {
  return virtualizer.measurementsCache[row]?.start ?? 0;
}
