export interface EveryOptions {
  /** Ends the repetition; a run under way is not interrupted. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs `work` again and again, `ms` after the last run ended, so runs never overlap and a stall is followed by one run, not by a burst.
 * Does not keep the process alive. Resolves once `signal` is aborted and no run is under way.
 */
export async function every(ms: number, work: () => unknown, { signal, onError }: EveryOptions): Promise<void> {
  while (await pause(ms, signal)) {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  }
}

/** Whether the time passed without an abort. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    }, ms).unref();
    signal.addEventListener('abort', stop, { once: true });
  });
}
