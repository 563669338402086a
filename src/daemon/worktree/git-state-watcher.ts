import type { GitState } from '../../protocol/index.js';
import { type Clock, systemClock } from '../clock.js';
import type { Git } from '../git.js';
import type { DiffTree } from './diff-tree.js';
import { WatchBudget } from './git-state-budget.js';
import { PACE_LIMITS, Pace, type PaceLimits } from './git-state-pace.js';
import { GitStateWatch } from './git-state-watch.js';

interface GitStateWatcherParts {
  readonly git: Git;
  /** The first state of a worktree, and each that differs from the one before. */
  readonly onState: (id: string, state: GitState) => void;
  /** A worktree cannot be read, told once until it can; or its files cannot be watched, told once while it is watched. */
  readonly onProblem: (id: string, error: unknown) => void;
  readonly clock?: Clock | undefined;
  /** Half of what the system allows, unless given. */
  readonly budget?: WatchBudget | undefined;
  readonly pace?: PaceLimits | undefined;
}

interface Watched {
  readonly id: string;
  readonly tree: DiffTree;
  readonly pace: Pace;
  /** Absent while nobody listens. */
  watch?: GitStateWatch | undefined;
  timer?: NodeJS.Timeout | undefined;
  /** Its turn has come; it waits for a free place. */
  queued: boolean;
  reading: boolean;
  /** It was asked for while it was being read. */
  again: boolean;
  failing: boolean;
  /** The last one that was told, as JSON. */
  state?: string | undefined;
}

/** Reads at a time, of all worktrees. */
const PARALLEL_READS = 2;

/**
 * Keeps the states of worktrees fresh by what the file system tells of them, never by looking now and then. While nobody listens nothing
 * is watched. Its timers only put off a read until a burst of changes is over, see {@link Pace}.
 */
export class GitStateWatcher implements AsyncDisposable {
  readonly #parts: GitStateWatcherParts;
  readonly #clock: Clock;
  readonly #budget: WatchBudget;
  readonly #watched = new Map<string, Watched>();
  readonly #reads = new Set<Promise<void>>();
  #queue: Watched[] = [];
  #active = false;
  #disposed = false;

  constructor(parts: GitStateWatcherParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#budget = parts.budget ?? WatchBudget.ofSystem();
  }

  /** Replaces what was watched by that id. */
  watch(id: string, tree: DiffTree): void {
    if (this.#disposed) return;
    this.unwatch(id);
    const watched: Watched = {
      id,
      tree,
      pace: new Pace(this.#parts.pace ?? PACE_LIMITS),
      queued: false,
      reading: false,
      again: false,
      failing: false,
    };
    this.#watched.set(id, watched);
    if (this.#active) this.#begin(watched);
  }

  unwatch(id: string): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    this.#watched.delete(id);
    this.#end(watched);
  }

  /** Whether somebody listens. When it becomes so, every worktree is read once. */
  setActive(active: boolean): void {
    if (active === this.#active || this.#disposed) return;
    this.#active = active;
    for (const watched of this.#watched.values()) {
      if (active) this.#begin(watched);
      else this.#end(watched);
    }
  }

  /** Reads it as soon as there is room for it. Does nothing while nobody listens. */
  refresh(id: string): void {
    const watched = this.#watched.get(id);
    if (watched !== undefined) this.#enqueue(watched);
  }

  /** Resolves once nothing is watched and no read is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.setActive(false);
    this.#disposed = true;
    this.#watched.clear();
    await Promise.all(this.#reads);
  }

  #begin(watched: Watched): void {
    watched.watch = new GitStateWatch({
      git: this.#parts.git,
      tree: watched.tree,
      budget: this.#budget,
      onChange: () => this.#changed(watched),
      onDegraded: (error) => this.#parts.onProblem(watched.id, error),
    });
    this.#enqueue(watched);
  }

  #end(watched: Watched): void {
    clearTimeout(watched.timer);
    watched.timer = undefined;
    watched.watch?.close();
    watched.watch = undefined;
    watched.queued = false;
    watched.again = false;
    this.#queue = this.#queue.filter((other) => other !== watched);
  }

  #changed(watched: Watched): void {
    watched.pace.event(this.#clock.monotonic());
    this.#arm(watched);
  }

  /** One timer at a time: when it fires early, as more was told of since, it is set once more. */
  #arm(watched: Watched): void {
    const { dueAt } = watched.pace;
    if (dueAt === undefined || watched.watch === undefined || watched.timer !== undefined || watched.reading || watched.queued) return;
    watched.timer = setTimeout(
      () => {
        watched.timer = undefined;
        if ((watched.pace.dueAt ?? 0) <= this.#clock.monotonic()) this.#enqueue(watched);
        else this.#arm(watched);
      },
      Math.max(0, Math.ceil(dueAt - this.#clock.monotonic())),
    ).unref();
  }

  #enqueue(watched: Watched): void {
    if (watched.watch === undefined || watched.queued) return;
    if (watched.reading) {
      watched.again = true;
      return;
    }
    watched.queued = true;
    this.#queue.push(watched);
    this.#pump();
  }

  #pump(): void {
    while (this.#reads.size < PARALLEL_READS) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const read = this.#read(next).finally(() => {
        this.#reads.delete(read);
        this.#pump();
      });
      this.#reads.add(read);
    }
  }

  async #read(watched: Watched): Promise<void> {
    const { watch, pace } = watched;
    watched.queued = false;
    watched.reading = true;
    clearTimeout(watched.timer);
    watched.timer = undefined;
    pace.start(this.#clock.monotonic());
    try {
      const state = await watch?.read();
      if (state !== undefined && watched.watch === watch) this.#tell(watched, state);
    } catch (error) {
      if (watched.watch === watch && !watched.failing) this.#parts.onProblem(watched.id, error);
      watched.failing = true;
    }
    watched.reading = false;
    pace.end(this.#clock.monotonic());
    if (watched.again) this.#enqueueAgain(watched);
    else this.#arm(watched);
  }

  #enqueueAgain(watched: Watched): void {
    watched.again = false;
    this.#enqueue(watched);
  }

  #tell(watched: Watched, state: GitState): void {
    const told = JSON.stringify(state);
    watched.failing = false;
    if (told === watched.state) return;
    watched.state = told;
    this.#parts.onState(watched.id, state);
  }
}
