import type { Session } from '../../src/protocol/index.js';
import type { TestHost } from './daemon-process.js';
import { PtyViewer } from './pty-viewer.js';
import { type Screen, ScreenOf } from './screen-of.js';

/** A viewer with its terminal, through as many connections as it has had. */
export class Watcher implements AsyncDisposable {
  readonly #host: TestHost;
  readonly #session: Session;
  readonly terminal = new ScreenOf();
  #viewer: PtyViewer | undefined;
  #taken = 0;

  constructor(host: TestHost, session: Session) {
    this.#host = host;
    this.#session = session;
  }

  get viewer(): PtyViewer {
    if (!this.#viewer) throw new Error('not attached');
    return this.#viewer;
  }

  /** Attaches, behind what was seen before. */
  async attach(): Promise<this> {
    await this.detach();
    const after = this.#viewer?.position; // bytes came until it was detached
    this.#viewer = await PtyViewer.open(this.#host, this.#session.id, { after });
    this.#taken = 0;
    await this.#viewer.frame('attached');
    return this;
  }

  async detach(): Promise<void> {
    await this.#viewer?.[Symbol.asyncDispose]();
    if (this.#viewer) await this.#take();
  }

  /** The screen as it is shown now. */
  async screen(): Promise<Screen> {
    await this.#take();
    return this.terminal.screen;
  }

  async #take(): Promise<void> {
    const fresh = this.viewer.received.slice(this.#taken);
    this.#taken += fresh.length;
    await this.terminal.take(fresh);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#viewer?.[Symbol.asyncDispose]();
    this.terminal[Symbol.dispose]();
  }
}
