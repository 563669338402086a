import type { ProcessRef, ProcessTable } from './process-table.js';
import type { ProcfsProcesses } from './procfs-processes.js';

interface Relative extends ProcessRef {
  readonly parent: number;
}

/** Who is whose child, from one look at everything or from a look at each. */
interface Kin {
  /** Undefined when no such process runs. */
  readonly find: (pid: number) => Promise<Relative | undefined>;
  /** Undefined where that is not told. */
  readonly childrenOf: (pid: number) => Promise<readonly number[] | undefined>;
}

export interface ProcessLineageParts {
  /** A table made after it was asked for. */
  readonly table: () => Promise<ProcessTable>;
  /** Where single processes can be looked at, which is cheaper by far: Linux. */
  readonly near?: ProcfsProcesses | undefined;
}

/** Whose descendant a process is. */
export class ProcessLineage {
  readonly #table: () => Promise<ProcessTable>;
  readonly #near: Kin | undefined;

  constructor({ table, near }: ProcessLineageParts) {
    this.#table = table;
    this.#near = near && { find: (pid) => near.find(pid), childrenOf: (pid) => near.childrenOf(pid) };
  }

  /** The parent of `pid`, its parent and so on. Empty when it is gone. */
  async ancestorsOf(pid: number): Promise<readonly ProcessRef[]> {
    const ancestors: ProcessRef[] = [];
    for await (const ancestor of ascent(await this.#kin(), pid)) ancestors.push(ancestor);
    return ancestors.slice(1);
  }

  /** True for `root` too, while it runs. */
  async isWithin(pid: number, root: number): Promise<boolean> {
    for await (const at of ascent(await this.#kin(), pid)) if (at.pid === root) return true;
    return false;
  }

  /**
   * `root` and all that descend from it, parents before their children. Empty when it is gone. The kernel's own lists of children may lack
   * one whose sibling ends at that moment.
   */
  async under(root: number): Promise<readonly ProcessRef[]> {
    const near = this.#near && (await descent(this.#near, root));
    return near ?? (await descent(kinIn(await this.#table()), root)) ?? [];
  }

  async #kin(): Promise<Kin> {
    return this.#near ?? kinIn(await this.#table());
  }
}

function kinIn(table: ProcessTable): Kin {
  return {
    find: (pid) => Promise.resolve(table.get(pid)),
    childrenOf: (pid) => Promise.resolve(table.childrenOf({ pid }).map((child) => child.pid)),
  };
}

/** `pid` itself, then its parent and so on. Processes that end and begin meanwhile cannot lead it in a circle. */
async function* ascent(kin: Kin, pid: number): AsyncGenerator<ProcessRef> {
  const seen = new Set<number>();
  for (let at = await kin.find(pid); at !== undefined && !seen.has(at.pid); at = await kin.find(at.parent)) {
    seen.add(at.pid);
    yield refOf(at);
  }
}

/** Undefined where the children of a process are not told. */
async function descent(kin: Kin, root: number): Promise<readonly ProcessRef[] | undefined> {
  const found: ProcessRef[] = [];
  // A set that grows is walked to its end, so this reaches all generations.
  const pids = new Set([root]);
  for (const pid of pids) {
    const at = await kin.find(pid);
    if (at === undefined) continue;
    const children = await kin.childrenOf(pid);
    if (children === undefined) return undefined;
    found.push(refOf(at));
    for (const child of children) pids.add(child);
  }
  return found;
}

const refOf = ({ pid, startedAt, name }: ProcessRef): ProcessRef => ({ pid, startedAt, name });
