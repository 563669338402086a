import { useEffect, useRef, useState } from 'react';
import type { ResumeProgress } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { useFeed } from '../app/use-sessions.js';

interface ResumeMany {
  /** Undefined until the daemon has begun. */
  readonly progress: ResumeProgress | undefined;
  /** Why it cannot be said how far it is. */
  readonly problem: string | undefined;
}

/** Resumes what is dormant, or, unless it `begins` that, follows what is under way. It goes on when nobody looks any more. */
export function useResumeMany(begins: boolean): ResumeMany {
  const { client } = useConnection();
  const { state, resumes } = useFeed();
  const [answer, setAnswer] = useState<ResumeProgress>();
  const [problem, setProblem] = useState<string>();
  const before = useRef(begins ? resumes : undefined);
  const hasBegun = useRef(!begins);
  // What the feed knew before is of an earlier one.
  const told = resumes === before.current ? undefined : resumes;
  const isUntold = state === 'live' && told === undefined;
  useEffect(() => {
    if (!isUntold) return;
    const ask = hasBegun.current ? client.resumes() : client.resumeMany();
    hasBegun.current = true;
    ask.then(setAnswer, (error: unknown) => setProblem(errorText(error)));
  }, [client, isUntold]);
  return { progress: told ?? answer, problem };
}
