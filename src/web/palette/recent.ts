import { useEffect } from 'react';
import { usePageParts } from '../app/parts-context.js';

/** What was used longer ago is in its usual place. */
const RECENT_LIMIT = 40;

/** How the palette calls a session among all that it offers. */
export function sessionKey(id: string): string {
  return `session ${id}`;
}

/** The list with `key` as the newest. */
export function withRecent(recent: readonly string[], key: string): readonly string[] {
  return [key, ...recent.filter((other) => other !== key)].slice(0, RECENT_LIMIT);
}

/** A session counts as used when it is shown, however the user got there. */
export function useRecentSession(id: string | undefined): void {
  const { recent } = usePageParts().preferences;
  useEffect(() => {
    if (id !== undefined) recent.set(withRecent(recent.value, sessionKey(id)));
  }, [id, recent]);
}
