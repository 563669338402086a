import type { ResumeProgress, Session } from '../../protocol/index.js';
import { text } from '../text/text.js';

/** How one of many fares: not yet its turn, starting, resumed, or refused with words for the user. */
export type ResumeOutcome = 'next' | 'starting' | 'resumed' | { readonly refused: string };

/** `progress` is undefined until the daemon has begun. */
export function resumeOutcome({ id, status }: Pick<Session, 'id' | 'status'>, progress: ResumeProgress | undefined): ResumeOutcome {
  if (progress === undefined || progress.waiting.includes(id)) return 'next';
  if (progress.resuming.includes(id)) return 'starting';
  if (progress.resumed.includes(id)) return 'resumed';
  const refusal = progress.failed.find((failure) => failure.id === id);
  if (refusal !== undefined) return { refused: refusal.message };
  // The daemon knows nothing of it: it was begun by another one.
  return status === 'running' ? 'resumed' : { refused: text.resumes.givenUp };
}

export function isOver(outcome: ResumeOutcome): boolean {
  return outcome === 'resumed' || typeof outcome === 'object';
}

/** How many of how many are through, while a resume of several is under way. */
export function resumeTally(progress: ResumeProgress | undefined): { readonly done: number; readonly total: number } | undefined {
  if (progress === undefined) return undefined;
  const { total, waiting, resuming } = progress;
  const left = waiting.length + resuming.length;
  return left === 0 ? undefined : { done: total - left, total };
}
