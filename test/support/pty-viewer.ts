import { WebSocket } from 'ws';
import { formatPosition, type Position, parsePosition, type ServerFrame, ServerFrameSchema } from '../../src/protocol/index.js';
import { until } from './until.js';

/** Where a viewer connects to, and as whom. */
export interface PtyAddress {
  readonly ready: { readonly listen: string };
  readonly token: string;
}

export interface ViewerOptions {
  readonly after?: Position | string | undefined;
  readonly stream?: boolean;
}

type Frame<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** What one connection received, in order. */
export type Received = { readonly frame: ServerFrame } | { readonly bytes: Buffer };

/** One viewer of a session: a WebSocket that notes all it gets, and counts positions as the protocol says. */
export class PtyViewer implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #socket: WebSocket;
  readonly #closed: Promise<{ code: number; reason: string }>;
  #position: Position | undefined;
  #code: number | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
    socket.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.#code = code;
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  /** Resolves once the connection is open; nothing that came with it is missed. */
  static async open(host: PtyAddress, id: string, { after, stream }: ViewerOptions = {}): Promise<PtyViewer> {
    const query = new URLSearchParams();
    if (after !== undefined) query.set('after', typeof after === 'string' ? after : formatPosition(after));
    if (stream !== undefined) query.set('stream', stream ? '1' : '0');
    const socket = new WebSocket(`ws://${host.ready.listen}/api/sessions/${id}/pty?${query}`, {
      headers: { authorization: `Bearer ${host.token}` },
      perMessageDeflate: false,
    });
    const viewer = new PtyViewer(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return viewer;
  }

  get frames(): ServerFrame[] {
    return this.received.flatMap((one) => ('frame' in one ? [one.frame] : []));
  }

  /** Every byte of output, gaps or not. */
  get output(): Buffer {
    return Buffer.concat(this.received.flatMap((one) => ('bytes' in one ? [one.bytes] : [])));
  }

  get text(): string {
    return this.output.toString();
  }

  /** The output since the last gap: what a viewer that resets its terminal there shows. */
  get shown(): Buffer {
    const last = this.received.findLastIndex((one) => 'frame' in one && one.frame.type === 'gap');
    return Buffer.concat(this.received.slice(last + 1).flatMap((one) => ('bytes' in one ? [one.bytes] : [])));
  }

  /** Behind the last byte. */
  get position(): Position {
    if (!this.#position) throw new Error('the daemon has not said where the stream starts');
    return this.#position;
  }

  get closeCode(): number | undefined {
    return this.#code;
  }

  get closed(): Promise<{ code: number; reason: string }> {
    return this.#closed;
  }

  framesOf<T extends ServerFrame['type']>(type: T): Frame<T>[] {
    return this.frames.filter((frame): frame is Frame<T> => frame.type === type);
  }

  frame<T extends ServerFrame['type']>(type: T): Promise<Frame<T>> {
    return until(`a frame ${type}`, () => this.framesOf(type).at(0));
  }

  /** Waits until the output since the last gap holds `text`. */
  sees(text: string | Buffer): Promise<true> {
    return until(`the stream to show ${JSON.stringify(text.toString())}`, () => this.shown.includes(text));
  }

  /** Keystrokes. */
  type(bytes: string | Uint8Array): void {
    this.#socket.send(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { binary: true });
  }

  /** A text frame. */
  tell(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Reads nothing more from the connection; what the daemon sends fills the buffers of the kernel. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.#closed;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.received.push({ bytes: data });
      if (this.#position) this.#position = { ...this.#position, offset: this.#position.offset + data.length };
      return;
    }
    const frame = ServerFrameSchema.parse(JSON.parse(data.toString()));
    this.received.push({ frame });
    if (frame.type === 'attached' || frame.type === 'gap') this.#position = parsePosition(frame.position);
  }
}

/** What the daemon answers to an upgrade with these headers: the status of the refusal, or 101. */
export function upgradeStatus(host: PtyAddress, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${host.ready.listen}${path}`, { headers });
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('error', reject);
  });
}

/** The viewers that a test has opened, to be closed all together. */
export class PtyViewers {
  #open: PtyViewer[] = [];

  async open(...viewer: Parameters<typeof PtyViewer.open>): Promise<PtyViewer> {
    const opened = await PtyViewer.open(...viewer);
    this.#open.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((viewer) => viewer[Symbol.asyncDispose]()));
    this.#open = [];
  }
}
