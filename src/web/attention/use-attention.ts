import { useEffect, useState } from 'react';
import { useConnection, usePageParts } from '../app/parts-context.js';
import type { Attention } from './attention.js';

/** Tells the user of sessions, but for those that this page shows. What that takes is fetched when the page is there. */
export function useAttention(shown: readonly string[]): void {
  const connection = useConnection();
  const { preferences } = usePageParts();
  const [attention, setAttention] = useState<Attention>();
  const ids = shown.join(' ');
  useEffect(() => {
    const gone = new AbortController();
    import('./attention.js').then(
      (module) => gone.signal.aborted || setAttention(new module.Attention(connection, preferences, gone.signal)),
      () => {}, // an updated daemon has other files: a reload brings them
    );
    return () => gone.abort();
  }, [connection, preferences]);
  useEffect(() => attention?.show(ids === '' ? [] : ids.split(' ')), [attention, ids]);
}
