import { setTimeout as delay } from 'node:timers/promises';
import { LIST_PANES, type ListedPane, PULSE, parsePanes } from './pane-list.js';
import { CONTROL_SESSION } from './server-settings.js';
import { bodiesOf } from './tmux-failure.js';
import type { TmuxLink } from './tmux-link.js';
import type { TmuxServer } from './tmux-server.js';

/** How often tmux is reminded of an end whose status it has not fetched, and the pause before it is asked again, in milliseconds. */
const REMINDERS = 50;
const PAUSE_MS = 5;

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

  /**
   * tmux counts a pane as dead when its terminal is closed, which is a moment before its process can be waited for; and Debian's 3.3a can
   * miss the signal that it can. So it is reminded until it has fetched the status. Once it has, and still tells none, there is none.
   */
  async list(): Promise<ListedPane[]> {
    await this.#server.note();
    let panes = await this.#ask();
    for (let count = 0; count < REMINDERS; count += 1) {
      const puzzling = this.#puzzling(panes);
      if (puzzling.length === 0) return panes;
      const fetched = puzzling.filter(({ pid }) => !exists(pid));
      if (!(await this.#server.signal('SIGCHLD'))) return panes;
      if (count > 0) await delay(PAUSE_MS);
      panes = await this.#ask();
      const still = new Set(this.#puzzling(panes).map(({ paneId }) => paneId));
      for (const { paneId } of fetched) if (still.has(paneId)) this.#unexplained.add(paneId);
    }
    for (const { paneId } of this.#puzzling(panes)) this.#unexplained.add(paneId);
    return panes;
  }

  async pulse(): Promise<string> {
    const [body] = bodiesOf(await this.#link.run([PULSE]), CONTROL_SESSION);
    return body?.toString('latin1') ?? '';
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

/** True also for a process that has ended but whose status was not fetched. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
