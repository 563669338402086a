import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { compareViews } from '../session/session-order.js';
import type { SessionView } from '../session/session-state.js';

/** For so long after the pointer moved or the focus went on no tile changes its place, in milliseconds. */
const REST_MS = 3000;

interface SettledOrder {
  readonly order: readonly SessionView[];
  /** The user is about to choose one. */
  readonly touch: () => void;
}

/** The most urgent first; the order stays while the user points at it, and settles a little later. */
export function useSettledOrder(views: readonly SessionView[]): SettledOrder {
  const [isTouched, setTouched] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  const touch = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTouched(false), REST_MS);
    setTouched(true);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const order = useMemo(() => {
    const sorted = [...views].sort(compareViews);
    const before = places.current;
    const kept = isTouched ? keepPlaces(sorted, before) : sorted;
    places.current = new Map(kept.map(({ session }, at) => [session.id, at]));
    return kept;
  }, [views, isTouched]);
  return { order, touch };
}

/** As before; new ones come last. */
function keepPlaces(sorted: readonly SessionView[], places: ReadonlyMap<string, number>): readonly SessionView[] {
  const placeOf = ({ session }: SessionView) => places.get(session.id) ?? Number.POSITIVE_INFINITY;
  return [...sorted].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}
