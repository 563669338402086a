import { useEffect, useRef, useState } from 'react';
import { directAction, IS_APPLE, isLeader, isModifierKey, LEADER_ACTIONS, type Leader, type PageAction } from './chords.js';

/** Who carries out the page's actions. The newest one that knows an action gets it. */
export type CommandTable = Partial<Readonly<Record<PageAction, () => void>>>;

/** Where parts of the page say what they can do. */
export class PageCommands {
  readonly #tables = new Set<{ readonly current: CommandTable }>();

  add(table: { readonly current: CommandTable }): () => void {
    this.#tables.add(table);
    return () => this.#tables.delete(table);
  }

  run(action: PageAction): boolean {
    const command = [...this.#tables].reverse().find(({ current }) => current[action] !== undefined)?.current[action];
    command?.();
    return command !== undefined;
  }
}

/** Offers `table` while the component is shown. */
export function useCommands(commands: PageCommands, table: CommandTable): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => commands.add(current), [commands]);
}

/**
 * Listens for the leader and the page's chords, ahead of the terminal. True while the leader waits for its key. The leader pressed twice
 * goes to the program once; any other key that has no meaning is dropped, as tmux does.
 */
export function usePageChords(commands: PageCommands, leader: Leader | undefined): boolean {
  const [pending, setPending] = useState(false);
  const isPending = useRef(false);
  useEffect(() => {
    const become = (value: boolean) => {
      isPending.current = value;
      setPending(value);
    };
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || isModifierKey(event) || document.querySelector('dialog[open]') !== null) return;
      const wasPending = isPending.current;
      const again = leader !== undefined && isLeader(event, leader);
      if (wasPending) become(false);
      if (wasPending && again) return;
      if (again) become(true);
      else if (!wasPending) {
        const action = directAction(event, IS_APPLE);
        if (action === undefined || !commands.run(action)) return;
      } else commands.run(LEADER_ACTIONS[event.key as keyof typeof LEADER_ACTIONS]);
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [commands, leader]);
  return pending;
}
