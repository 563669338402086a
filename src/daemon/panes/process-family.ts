import { identityOf, type ProcessEntry, type ProcessRef, type ProcessTable } from './process-table.js';

interface FamilyParts {
  readonly sessionId: string;
  /** The pid of the pane's wrapper, which may have ended and may by now be another process's. */
  readonly root: number | undefined;
  /** Found earlier, before what tied them to the session ended. */
  readonly known: readonly ProcessRef[];
  /** The pids of tmux servers, ours and those of former lives. */
  readonly servers: readonly number[];
}

/**
 * The processes of one Maestro session, from one look at the system to the next.
 *
 * A process belongs to it when it carries the session's id in its environment, is the pane's wrapper, has a parent that belongs, or is in
 * a process session whose leader belongs; and once it belongs it stays, whatever becomes of what tied it to the session. Each way finds
 * what another one misses: an environment can be cleaned, a process session be left, a parent end.
 *
 * The daemon, its ancestors, pid 1 and the tmux servers never belong, and nothing belongs through them: the daemon may have been started
 * inside the session. Its own helpers, such as a running git, carry no id.
 */
export class ProcessFamily {
  readonly #parts: FamilyParts;
  readonly #known: Map<string, ProcessRef>;
  /** Process sessions whose leader belonged. */
  readonly #sessions = new Set<string>();

  constructor(parts: FamilyParts) {
    this.#parts = parts;
    this.#known = new Map(parts.known.map((ref) => [identityOf(ref), ref]));
  }

  /** How many processes have belonged so far. */
  get size(): number {
    return this.#known.size;
  }

  /** Those that run and belong, parents mostly before their children. */
  update(table: ProcessTable): readonly ProcessEntry[] {
    const members = new Set<ProcessEntry>();
    const barred = this.#barred(table);
    const add = (entry: ProcessEntry): void => {
      if (!barred.has(entry.pid)) members.add(entry);
    };
    for (const entry of this.#certain(table)) add(entry);
    for (const session of this.#ownSessions(table, members)) peersIn(table, session).forEach(add);
    // A set that grows is walked to its end, so this reaches all generations.
    for (const member of members) {
      table.childrenOf(member).forEach(add);
      if (!member.leads || member.session === undefined) continue;
      this.#sessions.add(member.session);
      peersIn(table, member.session).forEach(add);
    }
    for (const member of members) this.#known.set(identityOf(member), member);
    return [...members];
  }

  #barred(table: ProcessTable): Set<number> {
    return new Set([1, process.pid, ...table.ancestorsOf(process.pid), ...this.#parts.servers]);
  }

  /** Those that belong by themselves. */
  #certain(table: ProcessTable): ProcessEntry[] {
    const root = this.#root(table);
    const known = [...this.#known.values()].flatMap((ref) => table.find(ref) ?? []);
    return [...(root ? [root] : []), ...known, ...table.taggedWith(this.#parts.sessionId)];
  }

  /**
   * The wrapper, if the process with its pid is the one. It has the session's id in its environment, but between its start and its exec
   * none at all, and is then known as a child of tmux.
   */
  #root(table: ProcessTable): ProcessEntry | undefined {
    const { root, sessionId, servers } = this.#parts;
    const entry = root === undefined ? undefined : table.get(root);
    if (entry === undefined || entry.tag === sessionId) return entry;
    return entry.tag === undefined && entry.leads && servers.includes(entry.parent) ? entry : undefined;
  }

  /** Process sessions whose leader has ended, unless their name has passed to a stranger's. One who carries the id vouches for the wrapper's. */
  #ownSessions(table: ProcessTable, members: ReadonlySet<ProcessEntry>): string[] {
    const ofRoot = String(this.#parts.root);
    const isVouchedFor = table.taggedWith(this.#parts.sessionId).some(({ session }) => session === ofRoot);
    const sessions = [...this.#sessions, ...(isVouchedFor ? [ofRoot] : [])];
    return sessions.filter((session) => {
      const leader = table.leaderOf(session);
      return leader === undefined || members.has(leader);
    });
  }
}

/** Nobody belongs for sharing the daemon's own process session: the daemon's helpers do. */
function peersIn(table: ProcessTable, session: string): readonly ProcessEntry[] {
  return table.get(process.pid)?.session === session ? [] : table.inSession(session);
}
