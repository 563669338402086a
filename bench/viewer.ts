import { once } from 'node:events';
import { WebSocket } from 'ws';

interface ServerFrame {
  readonly type: string;
  readonly position?: string;
}

/** One WebSocket to a terminal, of Maestro or of the bare server. Costs as little as it can, as it shares the machine with them. */
export class Viewer implements Disposable {
  /** Called with each piece of output. */
  onOutput: (bytes: Buffer) => void = () => undefined;
  /** Called with the position in front of the next byte, at first and after each gap. */
  onPosition: (offset: number, kind: 'attached' | 'gap') => void = () => undefined;
  onExit: () => void = () => undefined;
  gaps = 0;
  /** Where the next byte is in the stream; undefined before it is attached. */
  offset: number | undefined;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#take(data);
      else this.#obey(JSON.parse(data.toString()) as ServerFrame);
    });
    socket.on('error', () => undefined);
  }

  /** Not connected yet: nothing that comes is missed by who sets the callbacks before it waits. */
  static connect(url: string, token?: string): Viewer {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return new Viewer(new WebSocket(url, { headers, perMessageDeflate: false }));
  }

  static async open(url: string, token?: string): Promise<Viewer> {
    const viewer = Viewer.connect(url, token);
    await once(viewer.#socket, 'open');
    return viewer;
  }

  type(bytes: Buffer | string): void {
    this.#socket.send(Buffer.from(bytes), { binary: true });
  }

  /** Reads no more. */
  stall(): void {
    this.#socket.pause();
  }

  /** Resolves once `text` has come `times` times, and says when that was. */
  shown(text: string, times = 1): Promise<number> {
    let seen = '';
    return new Promise((resolve) => {
      this.onOutput = (bytes) => {
        seen += bytes.toString('latin1');
        if (seen.split(text).length > times) resolve(performance.now());
      };
    });
  }

  /** Resolves once so many bytes have come, and says when that was. */
  received(count: number): Promise<number> {
    let left = count;
    return new Promise((resolve) => {
      this.onOutput = (bytes) => {
        left -= bytes.length;
        if (left <= 0) resolve(performance.now());
      };
    });
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #take(bytes: Buffer): void {
    if (this.offset !== undefined) this.offset += bytes.length;
    this.onOutput(bytes);
  }

  #obey({ type, position = '' }: ServerFrame): void {
    if (type === 'gap') this.gaps += 1;
    if (type === 'attached' || type === 'gap') {
      this.offset = Number(position.split(':')[1]);
      this.onPosition(this.offset, type);
    }
    if (type === 'exit') this.onExit();
  }
}
