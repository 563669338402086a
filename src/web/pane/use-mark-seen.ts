import { useEffect } from 'react';
import { useConnection } from '../app/parts-context.js';
import type { SessionView } from '../session/session-state.js';

/** How long a session must be in front of the user to count as seen, in milliseconds. */
const SEEN_MS = 1000;

/** Notes that the user looks at the session, while the window is visible and has the focus: in this browser at once, and at the daemon. */
export function useMarkSeen({ session: { id }, since }: SessionView): void {
  const { client, seen } = useConnection();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    const mark = () => {
      // The host's clock may be ahead of this browser's.
      seen.mark(id, Math.max(Date.now(), since));
      client.seen(id).catch(() => {}); // it is told with the next look
    };
    const look = () => {
      clearTimeout(timer);
      if (document.hasFocus() && document.visibilityState === 'visible') timer = setTimeout(mark, SEEN_MS);
    };
    for (const event of ['focus', 'blur']) window.addEventListener(event, look, { signal: stop.signal });
    document.addEventListener('visibilitychange', look, { signal: stop.signal });
    look();
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [client, seen, id, since]);
}
