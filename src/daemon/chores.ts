import { systemClock } from './clock.js';
import type { Config } from './config.js';
import { every } from './every.js';
import type { Log } from './log.js';
import type { Sessions } from './session/open-sessions.js';
import type { DaemonJson } from './store/daemon-json.js';

/** How often the daemon notes that it is alive, in milliseconds: half of the window in which an end counts as part of a reboot. */
const SIGN_OF_LIFE_MS = 5_000;

/** How often old sessions, tombstones and salvages are looked for, in milliseconds. */
const PRUNE_MS = 60 * 60 * 1000;

interface ChoresParts {
  readonly sessions: Sessions;
  readonly config: Config;
  readonly daemonJson: DaemonJson;
  readonly log: Log;
}

/** All that the daemon does by the clock. */
export class Chores implements AsyncDisposable {
  readonly #daemonJson: DaemonJson;
  readonly #stop = new AbortController();
  readonly #loops: readonly Promise<void>[];

  private constructor({ sessions, config, daemonJson, log }: ChoresParts) {
    const { manager, watcher, context } = sessions;
    const { signal } = this.#stop;
    const repeat = (chore: string, ms: number, work: () => unknown): Promise<void> =>
      every(ms, work, { signal, onError: (error) => log.error({ chore, error: String(error) }, 'a chore failed and is tried again') });
    const prune = (): Promise<void> => manager.prune(config.deadRetentionMs);
    const dropOld = (): Promise<void> => context.salvages.prune();
    context.background.start(prune);
    context.background.start(dropOld);
    this.#daemonJson = daemonJson;
    this.#loops = [
      repeat('liveness', config.livenessIntervalMs, () => watcher.beat()),
      repeat('flush', config.scrollbackFlushIntervalMs, () => manager.flush()),
      repeat('sign of life', SIGN_OF_LIFE_MS, () => daemonJson.sign(systemClock.now())),
      repeat('prune', PRUNE_MS, prune),
      repeat('salvage retention', PRUNE_MS, dropOld),
    ];
  }

  static begin(parts: ChoresParts): Chores {
    return new Chores(parts);
  }

  /** Lets what is under way end, and signs for the last time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
    await this.#daemonJson.sign(systemClock.now());
  }
}
