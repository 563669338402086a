import { choosePorts, type PortBlock } from '../worktree/setup/ports.js';

interface PortBookParts {
  /** The first and the last port that worktrees may have. */
  readonly range: { readonly first: number; readonly last: number };
  /** What worktrees on record have. */
  readonly taken: () => readonly PortBlock[];
}

/** Gives each worktree ports of its own. What is given counts as taken at once, before any record holds it. */
export class PortBook {
  readonly #parts: PortBookParts;
  readonly #given = new Map<string, PortBlock>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: PortBookParts) {
    this.#parts = parts;
  }

  /** The first of `count` ports that nothing listens on and no other worktree has; undefined when none are asked for. */
  reserve(id: string, count: number): Promise<number | undefined> {
    if (count === 0) return Promise.resolve(undefined);
    const chosen = this.#last.then(async () => {
      const taken = [...this.#parts.taken(), ...this.#given.values()];
      const { first, last } = this.#parts.range;
      const start = await choosePorts({ range: [first, last], count, taken });
      this.#given.set(id, { start, count });
      return start;
    });
    this.#last = chosen.catch(() => undefined);
    return chosen;
  }

  /** The record of the worktree holds them now, or they are not needed. */
  release(id: string): void {
    this.#given.delete(id);
  }
}
