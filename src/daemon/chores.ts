import { systemClock } from './clock.js';
import type { ClockWatch } from './clock-watch.js';
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
  readonly clockWatch: ClockWatch;
  readonly log: Log;
  /** Makes again what was deleted of the run directory. */
  readonly restore: () => Promise<void>;
}

/** All that the daemon does by the clock. */
export class Chores implements AsyncDisposable {
  readonly #daemonJson: DaemonJson;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #loops: readonly Promise<void>[];

  private constructor({ sessions, config, daemonJson, clockWatch, log, restore }: ChoresParts) {
    const { manager, watcher, context, reports } = sessions;
    const { signal } = this.#stop;
    const repeat = (chore: string, ms: number, work: () => unknown): Promise<void> =>
      every(ms, work, { signal, onError: (error) => log.error({ chore, error: String(error) }, 'a chore failed and is tried again') });
    const whileSteady = (work: () => Promise<void>) => async (): Promise<void> => {
      if (clockWatch.mayDelete) await work();
    };
    let doubted = clockWatch.doubtedAt;
    const sign = async (): Promise<void> => {
      await daemonJson.sign(systemClock.now());
      clockWatch.look();
      if (clockWatch.doubtedAt === doubted) return;
      await daemonJson.amend({ doubted_at: clockWatch.doubtedAt });
      doubted = clockWatch.doubtedAt;
      log.warn({}, 'the clock has jumped; nothing that is old is deleted for a day');
    };
    const prune = whileSteady(() => manager.prune(config.deadRetentionMs));
    const dropOld = whileSteady(() => context.salvages.prune());
    context.background.start(prune);
    context.background.start(dropOld);
    this.#daemonJson = daemonJson;
    this.#log = log;
    this.#loops = [
      repeat('liveness', config.livenessIntervalMs, () => watcher.beat()),
      repeat('flush', config.scrollbackFlushIntervalMs, () => manager.flush()),
      repeat('sign of life', SIGN_OF_LIFE_MS, sign),
      // What was spooled is seen by a watch, unless its directory was made again.
      repeat('spooled reports', SIGN_OF_LIFE_MS, () => reports.drain()),
      repeat('run directory', SIGN_OF_LIFE_MS, restore),
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
    // A disk that refuses is no reason not to stop.
    await this.#daemonJson
      .sign(systemClock.now())
      .catch((error: unknown) => this.#log.warn({ error: String(error) }, 'the end is not noted'));
  }
}
