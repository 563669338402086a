import { useLayoutEffect, useRef } from 'react';
import { isStill } from '../parts/motion.js';

const MOVE = { duration: 150, easing: 'cubic-bezier(.2, .8, .2, 1)' };

/** Lets rows glide to their new places when the order of the list has changed. */
export function useRowMotion(list: { readonly current: HTMLElement | null }, order: unknown): void {
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  useLayoutEffect(() => {
    void order;
    const before = places.current;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    places.current = new Map(rows.map((row) => [row.dataset.row ?? '', row.offsetTop]));
    if (isStill()) return;
    for (const row of rows) {
      const from = before.get(row.dataset.row ?? '');
      const moved = from === undefined ? 0 : from - row.offsetTop;
      if (moved !== 0) row.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], MOVE);
    }
  }, [list, order]);
}
