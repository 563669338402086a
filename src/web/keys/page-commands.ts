import { useEffect, useRef } from 'react';
import type { PageAction } from './page-actions.js';

/** Who carries out the page's actions. The newest one that knows an action gets it. */
export type CommandTable = Partial<Readonly<Record<PageAction, () => void>>>;

/** Where parts of the page say what they can do. */
export class PageCommands {
  readonly #tables = new Set<{ readonly current: CommandTable }>();

  add(table: { readonly current: CommandTable }): () => void {
    this.#tables.add(table);
    return () => this.#tables.delete(table);
  }

  /** Whether somebody would carry it out now. */
  knows(action: PageAction): boolean {
    return this.#command(action) !== undefined;
  }

  run(action: PageAction): boolean {
    const command = this.#command(action);
    command?.();
    return command !== undefined;
  }

  #command(action: PageAction): (() => void) | undefined {
    return [...this.#tables].reverse().find(({ current }) => current[action] !== undefined)?.current[action];
  }
}

/** Offers `table` while the component is shown. */
export function useCommands(commands: PageCommands, table: CommandTable): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => commands.add(current), [commands]);
}
