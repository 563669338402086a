import type { MaestroClient } from '../../client/maestro-client.js';
import type { PtyStream } from '../../client/pty-stream.js';
import type { SocketClose } from '../../client/transport.js';
import { CLOSE_CODE, type ServerFrame, type Size } from '../../protocol/index.js';

export interface SizeViewerOptions {
  readonly client: MaestroClient;
  readonly sessionId: string;
  /** The terminal's size now. */
  size(): Size;
  /** When the terminal was last in use, in any unit that grows. */
  lastUsed(): Promise<number | undefined>;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;
/** How long a first connection may keep the user waiting. */
const PATIENCE_MS = 500;
/** How soon a terminal that is used again takes the size back from another viewer. */
const LOOK_EVERY_MS = 1000;

/**
 * Gives the session the size of this terminal, as a viewer without output: its tmux window has a size of its own, whoever attaches.
 *
 * A daemon that restarts is connected to again. Keys go from the terminal straight to tmux, so while another viewer owns the size,
 * tmux is asked whether this terminal was used since.
 */
export class SizeViewer {
  readonly #options: SizeViewerOptions;
  readonly #onResize = () => this.#stream?.setSize(this.#options.size());
  #stream: PtyStream | undefined;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #closed = false;
  #refusal: string | undefined;
  #settle: () => void = () => {};
  readonly #settled: Promise<void>;

  constructor(options: SizeViewerOptions) {
    this.#options = options;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    process.stdout.on('resize', this.#onResize);
    this.#connect();
  }

  /** Waits a moment for the first connection. Tells why the daemon refuses this session, or undefined when all is well. */
  async refusal(): Promise<string | undefined> {
    const patience = setTimeout(this.#settle, PATIENCE_MS);
    await this.#settled;
    clearTimeout(patience);
    return this.#refusal;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#look);
    process.stdout.off('resize', this.#onResize);
    this.#stream?.close();
  }

  #connect(): void {
    const { client, sessionId, size } = this.#options;
    const events = { onFrame: (frame: ServerFrame) => this.#onFrame(frame), onClose: (close: SocketClose) => this.#onClose(close) };
    this.#stream = client.openPty(sessionId, events, { output: false });
    this.#stream.setSize(size());
  }

  #onFrame(frame: ServerFrame): void {
    if (frame.type === 'error') this.#refusal = frame.message;
    if (frame.type === 'attached') {
      this.#retryMs = FIRST_RETRY_MS;
      this.#settle();
    }
    if (frame.type === 'size') this.#ownsSize(frame.owner);
  }

  /** Codes that are final mean that the session has no program: tmux's client ends by itself then. */
  #onClose({ code }: SocketClose): void {
    this.#ownsSize(true);
    const final = code === CLOSE_CODE.notFound || code === CLOSE_CODE.notRunning;
    if (final || this.#closed) {
      this.#settle();
      return;
    }
    this.#refusal = undefined;
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
  }

  #ownsSize(owner: boolean): void {
    clearInterval(this.#look);
    this.#look = undefined;
    if (owner || this.#closed) return;
    const lostAt = this.#options.lastUsed();
    this.#look = setInterval(() => void this.#takeBack(lostAt), LOOK_EVERY_MS);
  }

  async #takeBack(lostAt: Promise<number | undefined>): Promise<void> {
    const [before, now] = await Promise.all([lostAt, this.#options.lastUsed()]);
    if (this.#look !== undefined && before !== undefined && now !== undefined && now > before) this.#onResize();
  }
}
