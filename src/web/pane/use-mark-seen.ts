import { useEffect } from 'react';
import { useConnection } from '../app/parts-context.js';
import type { SessionView } from '../session/session-state.js';

/** How long a session must be in front of the user to count as seen, in milliseconds. */
const SEEN_MS = 1000;

/** Notes that the user looks at the session, while the window is visible and has the focus. */
export function useMarkSeen({ session: { id }, since }: SessionView): void {
  const { seen } = useConnection();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    const look = () => {
      clearTimeout(timer);
      // The host's clock may be ahead of this browser's.
      if (document.hasFocus() && document.visibilityState === 'visible')
        timer = setTimeout(() => seen.mark(id, Math.max(Date.now(), since)), SEEN_MS);
    };
    for (const event of ['focus', 'blur']) window.addEventListener(event, look, { signal: stop.signal });
    document.addEventListener('visibilitychange', look, { signal: stop.signal });
    look();
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [seen, id, since]);
}
