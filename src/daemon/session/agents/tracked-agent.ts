import { ACTIVITY_PROFILES } from '../../agents/activity/activity-profile.js';
import type { Agent } from '../../agents/adapters/agents.js';
import { startingConversation } from '../../agents/adapters/launch-plan.js';

/** An agent as its activity is followed. */
export interface TrackedAgent {
  readonly id: string;
  /** It tells nothing of what it does, so that its output has to. */
  readonly isSilent: boolean;
}

/**
 * Whose activity a session has. One that holds no conversation, as `claude -p` or `codex exec` do, is a program like any other: nothing
 * is expected of it. The agents that tell of themselves are those of {@link ACTIVITY_PROFILES}.
 */
export function trackedAgent(agent: Agent | undefined, command: string): TrackedAgent | undefined {
  if (agent === undefined) return undefined;
  const { id } = agent.adapter;
  if (!Object.hasOwn(ACTIVITY_PROFILES, id)) return { id, isSilent: true };
  return startingConversation(agent, command).how === 'none' ? undefined : { id, isSilent: false };
}
