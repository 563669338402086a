import { setTimeout as delay } from 'node:timers/promises';
import { invariant } from '../invariant.js';
import { ProcessFamily } from './process-family.js';
import { ProcessLineage } from './process-lineage.js';
import { type ListProcesses, type ProcessEntry, type ProcessRef, ProcessTable } from './process-table.js';
import { SharedScan } from './shared-scan.js';
import { singleProcesses, systemProcesses } from './system-processes.js';

/** How long SIGHUP and SIGTERM each have to work, in milliseconds. Agents have been seen to need 2.1 s to save their conversation. */
const GRACE_MS = 3000;

/** How long the kernel may take to clear away what was killed, in milliseconds. What is still there then is stuck inside the kernel. */
const KILL_WAIT_MS = 2000;

/** The first and the longest pause between two looks at what still runs, in milliseconds. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

export interface ProcessTreeParts {
  /** The pids of the tmux servers, which are never ended; asked at every call, as a server may be replaced. */
  readonly servers: () => readonly number[];
  readonly list?: ListProcesses;
}

export interface ProcessesOfSession {
  readonly sessionId: string;
  /** The pid of the pane's wrapper, while the session has a pane. */
  readonly root?: number | undefined;
  /** What an earlier {@link ProcessTree.snapshot} found. */
  readonly known?: readonly ProcessRef[];
}

export interface EndTreeOptions extends ProcessesOfSession {
  /** The root ends with its program and tells how that ended: only SIGKILL is for it. */
  readonly rootFollows?: boolean | undefined;
  /** How long SIGHUP and SIGTERM each have to work, in milliseconds. */
  readonly graceMs?: number;
  readonly killWaitMs?: number;
  readonly signal?: AbortSignal;
}

export interface EndedTree {
  /** How many processes were found and have ended. */
  readonly ended: number;
  /** Those that not even SIGKILL ends, as they hang inside the kernel or belong to another user. */
  readonly survivors: readonly ProcessRef[];
}

/** Finds and ends the processes of sessions, wherever they went, see {@link ProcessFamily}. */
export class ProcessTree {
  readonly #servers: () => readonly number[];
  readonly #scan: SharedScan<ProcessTable>;
  readonly #lineage: ProcessLineage;

  constructor({ servers, list }: ProcessTreeParts) {
    this.#servers = servers;
    const all = list ?? systemProcesses();
    this.#scan = new SharedScan(async () => new ProcessTable(await all()));
    this.#lineage = new ProcessLineage({ table: () => this.#scan.fresh(), near: list === undefined ? singleProcesses() : undefined });
  }

  /** The parent of `pid`, its parent and so on, the nearest first. Empty when it is gone. */
  ancestorsOf(pid: number): Promise<readonly ProcessRef[]> {
    return this.#lineage.ancestorsOf(pid);
  }

  /** True when `pid` runs and is `root`, or descends from it. */
  isWithin(pid: number, root: number): Promise<boolean> {
    return this.#lineage.isWithin(pid, root);
  }

  /** `root` and all that descend from it, but none that left for another parent: for looking at, where {@link snapshot} is for ending. */
  processesUnder(root: number): Promise<readonly ProcessRef[]> {
    return this.#lineage.under(root);
  }

  /** Who belongs to the session now. Without `root`, those that carry its id, and all that hangs on them. */
  async snapshot(session: ProcessesOfSession): Promise<readonly ProcessRef[]> {
    return this.#family(session).update(await this.#scan.fresh());
  }

  /**
   * Ends every process of a session: SIGHUP, then SIGTERM, then SIGKILL, each as soon as the one before had its time, and no more of them
   * once all have gone. What a program starts in order to end well, such as a hook that saves its state, is left alone until the next
   * signal; only SIGKILL is for all that appears. Stopped processes are continued, or they could not obey.
   *
   * Rejects with the reason when `signal` is aborted; what was signalled so far may end all the same.
   */
  async endTree({
    graceMs = GRACE_MS,
    killWaitMs = KILL_WAIT_MS,
    signal,
    rootFollows = false,
    ...session
  }: EndTreeOptions): Promise<EndedTree> {
    const family = this.#family(session);
    const spared = rootFollows ? session.root : undefined;
    let living: readonly ProcessEntry[] = [];
    for (const [name, waitMs] of [
      ['SIGHUP', graceMs],
      ['SIGTERM', graceMs],
      ['SIGKILL', killWaitMs],
    ] as const) {
      living = await this.#end(family, { name, waitMs, spared: name === 'SIGKILL' ? undefined : spared, signal });
      if (living.length === 0) break;
    }
    return { ended: family.size - living.length, survivors: living.map(({ pid, startedAt, name }) => ({ pid, startedAt, name })) };
  }

  #family({ sessionId, root, known = [] }: ProcessesOfSession): ProcessFamily {
    invariant(sessionId !== '', 'a session has an id');
    return new ProcessFamily({ sessionId, root, known, servers: this.#servers() });
  }

  /** Sends one signal to all of the family, then looks until none is left or the time is up. */
  async #end(family: ProcessFamily, { name, waitMs, spared, signal }: Push): Promise<readonly ProcessEntry[]> {
    const until = performance.now() + waitMs;
    let living = await this.#living(family, signal);
    send(
      name,
      living.filter(({ pid }) => pid !== spared),
    );
    for (let pause = FIRST_PAUSE_MS; living.length > 0 && performance.now() < until; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
      living = await this.#living(family, signal);
      if (name === 'SIGKILL') send(name, living);
    }
    return living;
  }

  async #living(family: ProcessFamily, signal: AbortSignal | undefined): Promise<readonly ProcessEntry[]> {
    signal?.throwIfAborted();
    return family.update(await this.#scan.fresh());
  }
}

interface Push {
  readonly name: NodeJS.Signals;
  readonly waitMs: number;
  readonly spared: number | undefined;
  readonly signal: AbortSignal | undefined;
}

function send(name: NodeJS.Signals, entries: readonly ProcessEntry[]): void {
  for (const { pid, stopped } of entries) {
    signalOne(pid, name);
    if (stopped) signalOne(pid, 'SIGCONT');
  }
}

/** Who has ended meanwhile, or may not be signalled by us, shows in the next look. */
function signalOne(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
