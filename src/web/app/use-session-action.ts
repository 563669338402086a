import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { Session } from '../../protocol/index.js';
import { errorText } from './error-text.js';
import { useConnection } from './parts-context.js';

/** Marks what makes a program start, so that its session shows as starting. */
export const STARTING_KEY = ['start'];

export type SessionActionName = 'resume' | 'restart' | 'stop';

/** A mutation over a session's id. */
export type SessionAction = UseMutationResult<Session, Error, string>;

interface ActionOptions {
  /** Where a failure is told; a toast by default. */
  readonly onFailure?: (text: string) => void;
}

export function useSessionAction(action: SessionActionName, { onFailure }: ActionOptions = {}): SessionAction {
  const { client, feed, toasts } = useConnection();
  return useMutation({
    ...(action === 'stop' ? {} : { mutationKey: STARTING_KEY }),
    mutationFn: (id: string) => client[action](id),
    onSuccess: (session) => feed.put(session),
    onError: (error) => (onFailure ?? ((text) => toasts.say(text, { isError: true })))(errorText(error)),
  });
}
