import { type ClientFrame, formatPosition, type Position, parsePosition, type ServerFrame, type Size } from '../protocol/index.js';
import { readFrame } from './answers.js';
import type { Query, Socket, SocketClose, SocketEvents } from './transport.js';

export interface PtyStreamOptions {
  /** The last position seen: the stream goes on right behind it, or with a `gap` frame. */
  readonly after?: Position | undefined;
  /** False for a viewer that only owns a size and sends input. Default true. */
  readonly output?: boolean;
}

export interface PtyStreamEvents {
  /** Terminal output, and the position behind its last byte. */
  onOutput?(bytes: Uint8Array, position: Position): void;
  onFrame?(frame: ServerFrame): void;
  /** The connection ended: see `CLOSE_CODE`; 1001 and 1006 are worth another try from {@link PtyStream.position}. */
  onClose?(close: SocketClose): void;
}

export function ptyQuery(options: PtyStreamOptions): Query {
  return {
    ...(options.after === undefined ? {} : { after: formatPosition(options.after) }),
    ...(options.output === false ? { stream: '0' } : {}),
  };
}

/** One connection to a session's terminal. It does not reconnect; what is sent before it is open goes out when it opens. */
export class PtyStream {
  readonly #events: PtyStreamEvents;
  readonly #socket: Socket;
  #early: (string | Uint8Array)[] | undefined = [];
  #position: Position | undefined;

  constructor(open: (events: SocketEvents) => Socket, events: PtyStreamEvents) {
    this.#events = events;
    this.#socket = open({
      onOpen: () => this.#sendEarly(),
      onMessage: (data) => (typeof data === 'string' ? this.#receiveFrame(data) : this.#receiveOutput(data)),
      onClose: (close) => {
        this.#early = undefined;
        events.onClose?.(close);
      },
    });
  }

  /** Behind the last byte received; undefined until the daemon has said where the stream starts. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Bytes of input that have not left yet. */
  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  /** Keystrokes, byte for byte. */
  sendInput(bytes: Uint8Array): void {
    this.#send(bytes);
  }

  /** Asks for this size, as the viewer that is now in use. */
  setSize({ cols, rows }: Size): void {
    this.#sendFrame({ type: 'size', cols, rows });
  }

  /** A viewer that nobody sees does not count for the size. */
  setVisible(visible: boolean): void {
    this.#sendFrame({ type: 'visibility', visible });
  }

  /** Tells the daemon how far this viewer has shown the output. */
  acknowledge(position: Position): void {
    this.#sendFrame({ type: 'ack', position: formatPosition(position) });
  }

  /** Asks for a fresh replay; it follows a `gap` frame. */
  resync(): void {
    this.#sendFrame({ type: 'resync' });
  }

  /** Asks for a `pong` frame. */
  ping(): void {
    this.#sendFrame({ type: 'ping' });
  }

  close(): void {
    this.#socket.close();
  }

  #sendFrame(frame: ClientFrame): void {
    this.#send(JSON.stringify(frame));
  }

  #send(data: string | Uint8Array): void {
    if (this.#early === undefined) this.#socket.send(data);
    else this.#early.push(data);
  }

  #sendEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const data of early) this.#socket.send(data);
  }

  #receiveFrame(text: string): void {
    const frame = readFrame(text);
    if (frame === undefined) return;
    if (frame.type === 'attached' || frame.type === 'gap') this.#position = parsePosition(frame.position);
    this.#events.onFrame?.(frame);
  }

  #receiveOutput(bytes: Uint8Array): void {
    if (this.#position === undefined) return; // out of turn: nobody could say where it belongs
    const { epoch, offset } = this.#position;
    this.#position = { epoch, offset: offset + bytes.length };
    this.#events.onOutput?.(bytes, this.#position);
  }
}
