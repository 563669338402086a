import { useMemo, useSyncExternalStore } from 'react';
import { SessionIdSchema } from '../../protocol/index.js';
import type { SessionFilter } from '../sidebar/match-session.js';
import { panesOf, parseSplit, type SplitLayout, splitPath, splitSizes } from '../views/split-layout.js';
import { parseWallFilter, WALL_HREF } from '../views/wall-address.js';

/** What can stand in front of a session's terminal: what changed in its directory, or all of its output that is stored. */
export type SessionFront = 'changes' | 'output';

export interface SplitRoute {
  readonly page: 'split';
  readonly layout: SplitLayout;
  /** The pane that has the keyboard, in reading order. */
  readonly active: number;
}

/** A place on the page, as its address names it. */
export type Route =
  | { readonly page: 'list' }
  | { readonly page: 'session'; readonly id: string; readonly view?: SessionFront }
  | SplitRoute
  | { readonly page: 'wall'; readonly filter?: SessionFilter }
  | { readonly page: 'unknown' };

export function parseRoute(pathname: string, search = ''): Route {
  if (pathname === '/' || pathname === '') return { page: 'list' };
  const path = pathname.replace(/\/$/, '');
  if (path === WALL_HREF) return wallRoute(parseWallFilter(search));
  if (path.startsWith(SPLIT)) return parseSplitRoute(path.slice(SPLIT.length), new URLSearchParams(search));
  const [, id, view] = /^\/s\/([^/]+)(?:\/(changes|output))?$/.exec(path) ?? [];
  if (id === undefined || !SessionIdSchema.safeParse(id).success) return { page: 'unknown' };
  return view === 'changes' || view === 'output' ? { page: 'session', id, view } : { page: 'session', id };
}

export function sessionHref(id: string): string {
  return `/s/${id}`;
}

/** Beside the session's terminal: what changed in its directory. */
export function changesHref(id: string): string {
  return `${sessionHref(id)}/changes`;
}

/** Beside the session's terminal: its stored output. */
export function outputHref(id: string): string {
  return `${sessionHref(id)}/output`;
}

export function splitHref({ layout, active }: Omit<SplitRoute, 'page'>): string {
  const sizes = splitSizes(layout);
  const query = [...(sizes === '' ? [] : [`sizes=${sizes}`]), ...(active === 0 ? [] : [`pane=${active + 1}`])].join('&');
  return `${SPLIT}${splitPath(layout)}${query === '' ? '' : `?${query}`}`;
}

/** Where the page is now. */
export function currentRoute(): Route {
  return parseRoute(location.pathname, location.search);
}

/** Goes to another place of the page. */
export function navigate(href: string, { replace = false }: { replace?: boolean } = {}): void {
  if (href === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

export function useRoute(): Route {
  const address = useSyncExternalStore(followAddress, () => location.pathname + location.search);
  return useMemo(() => {
    const [pathname = '', search] = address.split('?', 2);
    return parseRoute(pathname, search);
  }, [address]);
}

const SPLIT = '/split/';

function parseSplitRoute(path: string, query: URLSearchParams): Route {
  const layout = parseSplit(path, query.get('sizes') ?? '');
  if (layout === undefined) return { page: 'unknown' };
  const active = Number(query.get('pane') ?? 1) - 1;
  return { page: 'split', layout, active: panesOf(layout)[active] === undefined ? 0 : active };
}

function wallRoute(filter: SessionFilter | undefined): Route {
  return filter === undefined ? { page: 'wall' } : { page: 'wall', filter };
}

function followAddress(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  return () => window.removeEventListener('popstate', listener);
}
