import { navigate, type SplitRoute, sessionHref, splitHref } from '../app/route.js';
import type { Dropped } from './drop-zone.js';
import { type PaneSide, paneOf, panesOf, splitPane, withChoice, withDropped, withoutPane, withSession } from './split-layout.js';

export type Split = Omit<SplitRoute, 'page'>;

/** `replace`: it is no step of its own in the browser's history. */
export function showSplit(split: Split, { replace = false }: { replace?: boolean } = {}): void {
  navigate(splitHref(split), { replace });
}

/** Gives the keyboard to another pane. */
export function activatePane({ layout, active }: Split, at: number): void {
  if (at !== active) showSplit({ layout, active: at }, { replace: true });
}

/** With one pane left there is nothing to split. */
export function closePane({ layout, active }: Split, at: number): void {
  const rest = withoutPane(layout, at);
  const [first, ...others] = panesOf(rest);
  if (others.length > 0) showSplit({ layout: rest, active: at < active ? active - 1 : Math.min(active, others.length) });
  else navigate(first?.id === undefined ? '/' : sessionHref(first.id));
}

export function growPane({ layout }: Split, at: number, side: PaneSide): void {
  const grown = splitPane(layout, at, side);
  if (grown !== undefined) showSplit({ layout: grown.layout, active: grown.at });
}

export function fillPane({ layout }: Split, at: number, id: string): void {
  showSplit({ layout: withSession(layout, at, id), active: at });
}

/** Lets the user choose what the pane shows. */
export function emptyPane({ layout }: Split, at: number): void {
  showSplit({ layout: withChoice(layout, at), active: at });
}

export function dropOnPane({ layout }: Split, at: number, { id, side }: Dropped): void {
  const dropped = withDropped(layout, at, { side, id });
  showSplit({ layout: dropped, active: Math.max(0, paneOf(dropped, id)) });
}
