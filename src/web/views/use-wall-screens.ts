import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { lastScreen } from './last-screen.js';
import { ScreenRounds } from './screen-rounds.js';
import { storedText } from './stored-text.js';

/** What is drawn of a session, and how large its terminal was. */
interface Picture {
  readonly text: string;
  readonly size: Session['size'];
}

/** Looks at the screens of the tiles that can be seen, as long as the wall is shown. */
export function useScreenRounds(): ScreenRounds | undefined {
  const { client, feed, queries } = useConnection();
  const [rounds, setRounds] = useState<ScreenRounds>();
  useEffect(() => {
    const stop = new AbortController();
    const take = async (session: Session): Promise<Picture> => {
      const { id, size, status } = session;
      if (status === 'running') return { size, text: await client.screen(id, { format: 'ansi', signal: stop.signal }) };
      const fetch = (tail: number) => client.scrollback(id, { tail, signal: stop.signal });
      return { size, text: await lastScreen({ fetch, draw: storedText }, size) };
    };
    const made = new ScreenRounds(async (id) => {
      const session = feed.snapshot.sessions.find((one) => one.id === id);
      if (session === undefined) return false;
      const before = queries.getQueryData<Picture>(pictureKey(id));
      const picture = await take(session);
      queries.setQueryData(pictureKey(id), picture);
      return before?.text !== picture.text;
    });
    const follow = () => made.pause(document.visibilityState !== 'visible');
    document.addEventListener('visibilitychange', follow, { signal: stop.signal });
    follow();
    setRounds(made);
    return () => {
      stop.abort();
      made.close();
    };
  }, [client, feed, queries]);
  return rounds;
}

/** The last picture of a session, which outlives the wall for a while: what comes into view again shows it at once. */
export function usePicture(id: string): Picture | undefined {
  return useQuery<Picture>({ queryKey: pictureKey(id), queryFn: skipToken, staleTime: Number.POSITIVE_INFINITY }).data;
}

function pictureKey(id: string): readonly string[] {
  return ['picture', id];
}
