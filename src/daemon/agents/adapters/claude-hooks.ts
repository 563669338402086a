import { isAtLeast } from './version-order.js';

interface Hook {
  readonly matcher?: string;
  readonly isAsync?: boolean;
  /** The first version that has the event. */
  readonly since: string;
}

/**
 * The events that are reported, with the version that brought them by Claude Code's changelog. All are known to both versions that were
 * measured, 2.1.197 and 2.1.332, so a version that is not known gets them all. A name that the installed version does not know opens a
 * dialog that blocks the start.
 *
 * Of the events before a tool only that of a question is wanted, as Claude waits for the hook. What follows a tool is not waited for.
 */
const HOOKS: Readonly<Record<string, Hook>> = {
  SessionStart: { since: '1.0.62' },
  SessionEnd: { since: '1.0.85' },
  UserPromptSubmit: { since: '1.0.54' },
  PreToolUse: { since: '1.0.38', matcher: 'AskUserQuestion' },
  PermissionRequest: { since: '2.0.45' },
  PermissionDenied: { since: '2.1.89' },
  PostToolUse: { since: '1.0.38', isAsync: true },
  PostToolUseFailure: { since: '2.1.78', isAsync: true },
  Elicitation: { since: '2.1.76' },
  ElicitationResult: { since: '2.1.76' },
  Notification: { since: '1.0.38' },
  Stop: { since: '1.0.38' },
  StopFailure: { since: '2.1.78' },
  SubagentStart: { since: '2.0.43' },
  SubagentStop: { since: '1.0.41' },
};

const TIMEOUT_S = 5;

/** Claude Code's `hooks` setting with one command for every event. */
export function claudeHooks(command: string, version: string | undefined): Record<string, unknown[]> {
  const known = Object.entries(HOOKS).filter(([, { since }]) => version === undefined || isAtLeast(version, since));
  return Object.fromEntries(
    known.map(([event, { matcher, isAsync }]) => {
      const hook = { type: 'command', command, timeout: TIMEOUT_S, ...(isAsync ? { async: true } : {}) };
      return [event, [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }]];
    }),
  );
}
