import { type RawData, WebSocket } from 'ws';
import {
  type ClientFrame,
  ClientFrameSchema,
  formatPosition,
  MaestroError,
  type Position,
  parsePosition,
  type ServerFrame,
  type Size,
} from '../../protocol/index.js';
import { deferred } from '../deferred.js';
import type { LiveSession } from '../session/live-session.js';
import type { SessionManager } from '../session/session-manager.js';
import { clampSize, type Viewer } from '../session/viewers.js';
import { AckWindow } from './ack-window.js';
import { toMaestroError } from './api-error.js';
import type { ApiParts } from './api-parts.js';

/** Output that may wait in a viewer's socket, in bytes. Until it drains the viewer holds only its place in the ring. */
const OUTPUT_LIMIT = 512 * 1024;

/** Input that may wait for the pane before no more is read from the viewer's socket, in bytes. */
const INPUT_PAUSE = 1024 * 1024;

export interface PtyRequest {
  readonly id: string;
  readonly after: Position | undefined;
  /** False for a viewer that only owns a size and types. */
  readonly stream: boolean;
}

/** Output of the session that this viewer follows, or none. */
type Following = ReturnType<LiveSession['bridge']['subscribe']> | undefined;

/** One viewer's WebSocket: output and frames out, keystrokes and frames in. */
export class PtyConnection implements Viewer {
  readonly #socket: WebSocket;
  readonly #manager: SessionManager;
  readonly #id: string;
  readonly #live: LiveSession;
  readonly #acks = new AckWindow();
  #following: Following;

  private constructor(socket: WebSocket, manager: SessionManager, id: string) {
    this.#socket = socket;
    this.#manager = manager;
    this.#id = id;
    this.#live = manager.live(id);
  }

  /** Serves the viewer until it leaves or the session ends. Throws `not_found` or `not_running`, with nothing begun. */
  static open(socket: WebSocket, { manager }: ApiParts, request: PtyRequest): void {
    const connection = new PtyConnection(socket, manager, request.id);
    connection.#begin(request);
  }

  resized(size: Size, owner: boolean): void {
    this.#send({ type: 'size', size, owner });
  }

  #begin({ after, stream }: PtyRequest): void {
    const { viewers, bridge } = this.#live;
    viewers.add(this);
    const settled = deferred();
    const forget = this.#live.onSettled(settled.resolve);
    this.#socket.on('close', () => {
      forget();
      this.#following?.close();
      viewers.remove(this);
    });
    this.#socket.on('error', () => undefined); // the close that follows tells the viewer why, such as 1009 for a frame that is too large
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    const output = stream ? this.#follow(after) : this.#attached(bridge.position);
    void Promise.all([output, settled.promise]).then(() => this.#ended());
  }

  /** Resolves when the viewer has been given all output of a program that has ended. */
  #follow(after: Position | undefined): Promise<void> {
    const { promise, resolve } = deferred();
    this.#following = this.#live.bridge.subscribe({
      after,
      sink: {
        attached: (position) => this.#attached(position),
        gap: (position) => {
          this.#acks.begin(position);
          this.#send({ type: 'gap', position: formatPosition(position), end: this.#end });
        },
        write: (chunk) => this.#write(chunk),
        end: (reason) => {
          if (reason === 'sealed') resolve();
          else this.#hangUp(1001, 'Maestro lets go of the session, which lives on');
        },
      },
    });
    return promise;
  }

  #attached(position: Position): void {
    this.#acks.begin(position);
    const { size } = this.#live.viewers;
    this.#send({ type: 'attached', position: formatPosition(position), size, status: 'running', end: this.#end });
  }

  get #end(): string {
    return formatPosition(this.#live.bridge.position);
  }

  /** False when enough waits in the socket, or in the viewer; its next write that goes out, or its next `ack`, asks for more. */
  #write(chunk: Buffer): boolean {
    this.#acks.sent(chunk.length);
    this.#socket.send(chunk, { binary: true }, () => this.#goOn());
    return this.#socket.bufferedAmount < OUTPUT_LIMIT && !this.#acks.isFull;
  }

  #goOn(): void {
    if (this.#socket.bufferedAmount < OUTPUT_LIMIT / 2 && !this.#acks.isFull) this.#following?.drained();
  }

  #shown(position: Position | undefined): void {
    if (position === undefined) return;
    this.#acks.shown(position);
    this.#goOn();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) this.#type(data as Buffer);
    else this.#obey((data as Buffer).toString());
  }

  #type(bytes: Buffer): void {
    this.#live.viewers.used(this);
    const delivered = this.#live.sendBytes(bytes);
    if (this.#live.inputWaiting > INPUT_PAUSE) this.#socket.pause();
    delivered
      .catch((error: unknown) => this.#sendError(toMaestroError(error)))
      .finally(() => {
        if (this.#socket.isPaused && this.#live.inputWaiting <= INPUT_PAUSE) this.#socket.resume();
      });
  }

  #obey(text: string): void {
    const frame = readFrame(text);
    if (frame) this.#carryOut(frame);
    else this.#sendError(new MaestroError('invalid_request', 'that is no frame of this protocol; see docs/PROTOCOL.md'));
  }

  #carryOut(frame: ClientFrame): void {
    const { viewers } = this.#live;
    if (frame.type === 'size') {
      const size = clampSize(frame.cols, frame.rows);
      if (size) viewers.resized(this, size);
    } else if (frame.type === 'visibility') viewers.visible(this, frame.visible);
    else if (frame.type === 'resync') this.#following?.resync();
    else if (frame.type === 'ping') this.#send({ type: 'pong' });
    else this.#shown(parsePosition(frame.position));
  }

  /** The program's end is known: this is the last a viewer hears, behind all of its output. */
  #ended(): void {
    const session = this.#manager.list().find((one) => one.id === this.#id);
    this.#send({ type: 'exit', ...(session?.exit === undefined ? {} : { exit: session.exit }) });
    this.#hangUp(1000, session === undefined ? 'the session was removed' : `the session is ${session.status}`);
  }

  #sendError({ code, message }: MaestroError): void {
    this.#send({ type: 'error', code, message });
  }

  #send(frame: ServerFrame): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #hangUp(code: number, reason: string): void {
    this.#following?.close();
    this.#socket.close(code, reason);
  }
}

function readFrame(text: string): ClientFrame | undefined {
  try {
    return ClientFrameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
