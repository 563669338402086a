import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ResumeRequest, Session } from '../../protocol/index.js';
import { asSentence, errorText } from './error-text.js';
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

export interface ConversationChoice extends Required<ResumeRequest> {
  readonly id: string;
}

/** Resumes a session with a conversation that the user has chosen. */
export function useResumeWith({ onFailure }: Required<ActionOptions>): UseMutationResult<Session, Error, ConversationChoice> {
  const { client, feed } = useConnection();
  return useMutation({
    mutationKey: STARTING_KEY,
    mutationFn: ({ id, agent_session }: ConversationChoice) => client.resume(id, { agent_session }),
    onSuccess: (session) => feed.put(session),
    // The user has chosen a conversation, and knows nothing of the field's name.
    onError: (error) => onFailure(asSentence(errorText(error).replace(/^agent_session: /i, ''))),
  });
}

/** The session that a mutation under {@link STARTING_KEY} is about. */
export function startingId(variables: unknown): string {
  if (typeof variables === 'string') return variables;
  return typeof variables === 'object' && variables !== null && 'id' in variables ? String(variables.id) : '';
}
