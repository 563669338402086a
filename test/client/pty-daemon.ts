import { PtyStream, type PtyStreamEvents, type PtyStreamOptions } from '../../src/client/pty-stream.js';
import type { Socket, SocketEvents } from '../../src/client/transport.js';
import { type ClientFrame, formatPosition, type Position, type ServerFrame } from '../../src/protocol/index.js';

/** What a preamble is made of; the stream itself never holds it. */
export const PREAMBLE_BYTE = 255;

type Message = string | Uint8Array;

/** One connection as the daemon sees it. */
export class FakeConnection {
  readonly asked: Position | undefined;
  readonly frames: ClientFrame[] = [];
  readonly input: number[] = [];
  readonly outbox: Message[] = [];
  bufferedBytes = 0;
  isClosed = false;
  readonly #events: SocketEvents;
  #isOpen = false;

  constructor(events: SocketEvents, asked: Position | undefined) {
    this.#events = events;
    this.asked = asked;
  }

  get socket(): Socket {
    const connection = this;
    return {
      get bufferedBytes() {
        return connection.bufferedBytes;
      },
      send: (data) => {
        if (typeof data === 'string') this.frames.push(JSON.parse(data) as ClientFrame);
        else this.input.push(...data);
      },
      close: () => {
        this.isClosed = true;
      },
    };
  }

  open(): void {
    if (this.#isOpen || this.isClosed) return;
    this.#isOpen = true;
    this.#events.onOpen();
  }

  tell(frame: ServerFrame): void {
    this.outbox.push(JSON.stringify(frame));
  }

  /** Delivers the next message, of output at most `limit` bytes. False when there is none. */
  deliver(limit = Number.POSITIVE_INFINITY): boolean {
    const message = this.outbox.shift();
    if (message === undefined || this.isClosed) return false;
    this.open();
    if (typeof message === 'string' || message.length <= limit) this.#events.onMessage(message);
    else {
      this.#events.onMessage(message.subarray(0, limit));
      this.outbox.unshift(message.subarray(limit));
    }
    return true;
  }

  deliverAll(): void {
    while (this.deliver());
  }

  /** What was not delivered is lost. */
  cut(code = 1006, reason = ''): void {
    this.outbox.length = 0;
    this.#events.onClose({ code, reason });
  }
}

/** A session's stream under the daemon's rule of positions: exact where it can continue, else a gap and a replay behind a preamble. */
export class FakePtyDaemon {
  readonly connections: FakeConnection[] = [];
  epoch = 1;
  stream: number[] = [];
  /** Where a replay starts. */
  cleanStart = 0;
  preamble = 0;

  get last(): FakeConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('nobody has connected');
    return connection;
  }

  readonly open = (events: PtyStreamEvents, options: PtyStreamOptions): PtyStream =>
    new PtyStream((socketEvents) => {
      const connection = new FakeConnection(socketEvents, options.after);
      this.connections.push(connection);
      this.#attach(connection);
      return connection.socket;
    }, events);

  /** The program prints; every byte tells its place in the stream. */
  print(count: number): void {
    const from = this.stream.length;
    this.stream.push(...Array.from({ length: count }, (_, n) => (from + n) % PREAMBLE_BYTE));
    const connection = this.connections.at(-1);
    if (connection !== undefined && !connection.isClosed) connection.outbox.push(Uint8Array.from(this.stream.slice(from)));
  }

  /** The ring forgets what is older than `start`. */
  forget(start: number, preamble: number): void {
    this.cleanStart = Math.max(this.cleanStart, Math.min(start, this.stream.length));
    this.preamble = Math.min(preamble, this.cleanStart);
  }

  /** The program was started again, or the pipe armed afresh. */
  begin(): void {
    this.epoch += 1;
    this.stream = [];
    this.cleanStart = 0;
    this.preamble = 0;
  }

  #attach(connection: FakeConnection): void {
    const { asked } = connection;
    const canContinue = asked?.epoch === this.epoch && asked.offset >= this.cleanStart && asked.offset <= this.stream.length;
    const start = canContinue ? asked.offset : this.cleanStart - this.preamble;
    const position = formatPosition({ epoch: this.epoch, offset: start });
    connection.tell({ type: 'attached', position, size: { cols: 80, rows: 24 }, status: 'running' });
    if (asked !== undefined && !canContinue) connection.tell({ type: 'gap', position });
    if (!canContinue && this.preamble > 0) connection.outbox.push(new Uint8Array(this.preamble).fill(PREAMBLE_BYTE));
    const rest = Uint8Array.from(this.stream.slice(canContinue ? asked.offset : this.cleanStart));
    if (rest.length > 0) connection.outbox.push(rest);
  }
}
