import type { ListedPane } from './pane-list.js';
import type { Pane } from './panes.js';
import { notRunning } from './tmux-failure.js';

type KnownPane = Pick<ListedPane, 'sessionId' | 'paneId' | 'pid' | 'tmuxSession'>;

/**
 * The panes of this life of the tmux server. A new server counts its ids from the start again, so what a pane of an earlier life is
 * asked for must never reach whoever has its id now.
 */
export class KnownPanes {
  /** A pane can be in two sessions, when people group one of theirs with ours. */
  readonly #panes = new Map<string, KnownPane>();

  note(pane: KnownPane): void {
    this.#panes.set(keyOf(pane), pane);
  }

  forget(pane: Pane): void {
    if (this.find(pane)) this.#panes.delete(keyOf(pane));
  }

  clear(): void {
    this.#panes.clear();
  }

  find(pane: Pane): KnownPane | undefined {
    const known = this.#panes.get(keyOf(pane));
    return known?.pid === pane.pid ? known : undefined;
  }

  /** tmux's id of the pane's session; `not_running` for a pane that is not of this life. */
  tmuxSession(pane: Pane): string {
    const known = this.find(pane);
    if (known === undefined) throw notRunning(pane.sessionId);
    return known.tmuxSession;
  }
}

function keyOf({ sessionId, paneId }: Pane): string {
  return `${paneId} ${sessionId}`;
}
