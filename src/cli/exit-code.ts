/** What the `maestro` command exits with. */
export const EXIT = { done: 0, failed: 1, usage: 2, notRunning: 3, noSession: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_HELP = `
Exit codes:
  0  done
  1  refused or failed; for several sessions, at least one
  2  wrong usage
  3  the daemon is not running
  4  no such session, agent, worktree or salvage, or more than one fits`;
