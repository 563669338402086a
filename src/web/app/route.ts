import { useSyncExternalStore } from 'react';
import { SessionIdSchema } from '../../protocol/index.js';

/** A place on the page, as its address names it. */
export type Route =
  | { readonly page: 'list' }
  | { readonly page: 'session'; readonly id: string; readonly view?: 'changes' }
  | { readonly page: 'unknown' };

export function parseRoute(pathname: string): Route {
  if (pathname === '/' || pathname === '') return { page: 'list' };
  const [, id, view] = /^\/s\/([^/]+)(?:\/(changes))?\/?$/.exec(pathname) ?? [];
  if (id === undefined || !SessionIdSchema.safeParse(id).success) return { page: 'unknown' };
  return view === undefined ? { page: 'session', id } : { page: 'session', id, view: 'changes' };
}

export function sessionHref(id: string): string {
  return `/s/${id}`;
}

/** Beside the session's terminal: what changed in its directory. */
export function changesHref(id: string): string {
  return `${sessionHref(id)}/changes`;
}

/** Goes to another place of the page. */
export function navigate(href: string, { replace = false }: { replace?: boolean } = {}): void {
  if (href === location.pathname) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(followAddress, () => location.pathname));
}

function followAddress(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  return () => window.removeEventListener('popstate', listener);
}
