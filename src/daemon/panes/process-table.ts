/** A process of one life: `startedAt` tells it from a later one that has its pid. */
export interface ProcessRef {
  readonly pid: number;
  /** Only ever compared. */
  readonly startedAt: string;
  /** The program's name, for people. */
  readonly name: string;
}

export interface ProcessEntry extends ProcessRef {
  readonly parent: number;
  /** Names the process session: its number on Linux, its terminal on macOS. Undefined for one that is in none. */
  readonly session: string | undefined;
  /** True for the process that the process session began with. */
  readonly leads: boolean;
  /** True while it is stopped by a signal: it gets no other signal but SIGKILL until it continues. */
  readonly stopped: boolean;
  /** `MAESTRO_SESSION_ID` of its environment, where this user may read that. */
  readonly tag: string | undefined;
}

/** Lists all processes that run. Zombies have ended and are not among them. */
export type ListProcesses = () => Promise<readonly ProcessEntry[]>;

export const identityOf = ({ pid, startedAt }: ProcessRef): string => `${pid} ${startedAt}`;

/** The processes of one moment, by what they are looked up by. */
export class ProcessTable {
  readonly #byPid: ReadonlyMap<number, ProcessEntry>;
  readonly #byParent: ReadonlyMap<number, readonly ProcessEntry[]>;
  readonly #bySession: ReadonlyMap<string | undefined, readonly ProcessEntry[]>;
  readonly #byTag: ReadonlyMap<string | undefined, readonly ProcessEntry[]>;

  constructor(entries: readonly ProcessEntry[]) {
    this.#byPid = new Map(entries.map((entry) => [entry.pid, entry]));
    this.#byParent = grouped(entries, ({ parent }) => parent);
    this.#bySession = grouped(entries, ({ session }) => session);
    this.#byTag = grouped(entries, ({ tag }) => tag);
  }

  get(pid: number): ProcessEntry | undefined {
    return this.#byPid.get(pid);
  }

  /** The very process, if it still runs. */
  find(ref: ProcessRef): ProcessEntry | undefined {
    const entry = this.#byPid.get(ref.pid);
    return entry?.startedAt === ref.startedAt ? entry : undefined;
  }

  childrenOf({ pid }: Pick<ProcessEntry, 'pid'>): readonly ProcessEntry[] {
    return this.#byParent.get(pid) ?? [];
  }

  inSession(session: string): readonly ProcessEntry[] {
    return this.#bySession.get(session) ?? [];
  }

  leaderOf(session: string): ProcessEntry | undefined {
    return this.inSession(session).find(({ leads }) => leads);
  }

  taggedWith(tag: string): readonly ProcessEntry[] {
    return this.#byTag.get(tag) ?? [];
  }

  /** The parent of `pid`, its parent and so on. */
  ancestorsOf(pid: number): Set<number> {
    const ancestors = new Set<number>();
    for (let at = this.get(pid)?.parent; at !== undefined && at > 0 && !ancestors.has(at); at = this.get(at)?.parent) ancestors.add(at);
    return ancestors;
  }
}

function grouped<K>(entries: readonly ProcessEntry[], keyOf: (entry: ProcessEntry) => K): Map<K, ProcessEntry[]> {
  const groups = new Map<K, ProcessEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
