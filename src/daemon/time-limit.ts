/** How long a process may take to clean up once it is told to end, its lock files above all, in milliseconds. */
const LEAVE_MS = 2_000;

export interface TimeLimit {
  /** The time was up. */
  readonly isOver: boolean;
  lift(): void;
}

/** Ends the process group that `pid` leads, unless the limit is lifted before the time is up. */
export function endGroupAfter(ms: number, pid: number | undefined): TimeLimit {
  let isOver = false;
  let timer = setTimeout(() => {
    isOver = true;
    endGroup(pid, 'SIGTERM');
    timer = setTimeout(() => endGroup(pid, 'SIGKILL'), LEAVE_MS);
  }, ms);
  return {
    get isOver() {
      return isOver;
    },
    lift: () => clearTimeout(timer),
  };
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It ended by itself.
  }
}
