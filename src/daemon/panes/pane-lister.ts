import { LIST_PANES, type ListedPane, parsePanes } from './pane-list.js';
import { CONTROL_SESSION } from './server-settings.js';
import { bodiesOf } from './tmux-failure.js';
import type { TmuxLink } from './tmux-link.js';
import type { TmuxServer } from './tmux-server.js';

/** How often tmux is reminded of an end whose status it has not fetched, before that counts as unknown. */
const REMINDERS = 3;

/** Lists the panes, and sees to it that those which are dead tell how they ended. */
export class PaneLister {
  readonly #link: TmuxLink;
  readonly #server: TmuxServer;
  /** Panes about whose end tmux was reminded in vain. */
  readonly #unexplained = new Set<string>();

  constructor({ link, server }: { readonly link: TmuxLink; readonly server: TmuxServer }) {
    this.#link = link;
    this.#server = server;
  }

  /** Debian's tmux 3.3a can miss the signal that a child has ended and then knows of it only from the terminal; another signal helps. */
  async list(): Promise<ListedPane[]> {
    let panes = await this.#ask();
    for (let count = 0; count < REMINDERS && this.#puzzling(panes).length > 0; count += 1) {
      if (!(await this.#server.signal('SIGCHLD'))) break;
      panes = await this.#ask();
    }
    for (const { paneId } of this.#puzzling(panes)) this.#unexplained.add(paneId);
    return panes;
  }

  /** Forgets what was about another life of the server. */
  clear(): void {
    this.#unexplained.clear();
  }

  async #ask(): Promise<ListedPane[]> {
    const [body] = bodiesOf(await this.#link.run([LIST_PANES]), CONTROL_SESSION);
    return parsePanes(body ?? Buffer.alloc(0));
  }

  #puzzling(panes: readonly ListedPane[]): ListedPane[] {
    return panes.filter(
      ({ exit, paneId }) => exit && exit.code === undefined && exit.signal === undefined && !this.#unexplained.has(paneId),
    );
  }
}
