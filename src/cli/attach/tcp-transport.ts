import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import { fetchTransport } from '../../client/fetch-transport.js';
import {
  type HttpMethod,
  type Query,
  type Socket,
  type SocketClose,
  type SocketEvents,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  UnreachableError,
} from '../../client/transport.js';
import { wrapWebSocket } from '../../client/web-socket.js';
import { PTY_PROTOCOL } from '../../protocol/auth.js';
import { printable } from '../printable.js';

export interface TcpTransportOptions {
  /** Such as `http://127.0.0.1:7433`. */
  readonly origin: string;
  readonly token: string;
  /** How often the peer is asked whether it is still there, in milliseconds. */
  readonly pingEveryMs?: number;
}

const ANSWER_WITHIN_MS = 20_000;
/** A connection that was cut without a word is noticed after one to two of these. */
const PING_EVERY_MS = 10_000;
/** How long the daemon may take to answer the close of a WebSocket. */
const FAREWELL_MS = 500;
const NOBODY = new Set(['ECONNREFUSED', 'ECONNRESET']);

/** Reaches a daemon over TCP with its token. What arrives can be held back: then the daemon waits, and nothing piles up here. */
export class TcpTransport implements Transport {
  readonly #options: TcpTransportOptions;
  readonly #http: Transport;
  #socket: WebSocket | undefined;
  #isPaused = false;

  constructor(options: TcpTransportOptions) {
    this.#options = options;
    this.#http = fetchTransport({ baseUrl: options.origin, token: options.token });
  }

  /** Resolves when the whole answer is there, so that what comes late or breaks off is told as such. */
  async request(method: HttpMethod, path: string, request: TransportRequest = {}): Promise<TransportResponse> {
    const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const signal = request.signal == null ? late : AbortSignal.any([late, request.signal]);
    try {
      const { status, body } = await this.#http.request(method, path, { ...request, signal });
      return { status, body: await whole(body) };
    } catch (cause) {
      if (request.signal?.aborted) throw request.signal.reason;
      throw unreachable(this.#options.origin, cause);
    }
  }

  openSocket(path: string, events: SocketEvents, query: Query = {}): Socket {
    const url = new URL(path, this.#options.origin.replace(/^http/, 'ws'));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { authorization: `Bearer ${this.#options.token}` };
    const created = new WebSocket(url, [PTY_PROTOCOL], { headers, perMessageDeflate: false });
    this.#socket = created;
    created.on('open', () => this.#isPaused && created.pause());
    this.#watch(created);
    const socket = wrapWebSocket(created, tellingRefusals(created, events));
    return {
      get bufferedBytes() {
        return socket.bufferedBytes;
      },
      send: (data) => socket.send(data),
      close: () => {
        socket.close();
        setTimeout(() => created.terminate(), FAREWELL_MS).unref();
      },
    };
  }

  /** Reads nothing more from the WebSocket, nor from those to come, until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket?.resume();
  }

  /** Ends a connection whose other end answers no more; the network does not tell. */
  #watch(socket: WebSocket): void {
    let heard = true;
    const hear = () => {
      heard = true;
    };
    const timer = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!heard && !this.#isPaused) return socket.terminate();
      heard = false;
      socket.ping();
    }, this.#options.pingEveryMs ?? PING_EVERY_MS);
    socket.on('pong', hear).on('message', hear).on('open', hear);
    socket.on('close', () => clearInterval(timer));
  }
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Readable.from(chunks);
}

/** An upgrade that is refused for want of a right is refused again the next time, so it does not count as a broken connection. */
function tellingRefusals(socket: WebSocket, events: SocketEvents): SocketEvents {
  let refused: SocketClose | undefined;
  socket.on('unexpected-response', (_request: ClientRequest, { statusCode }: IncomingMessage) => {
    if (statusCode === 401) refused = { code: 1008, reason: 'the daemon does not take the token' };
    if (statusCode === 403) refused = { code: 1008, reason: 'the daemon refuses connections under this address' };
    socket.terminate();
  });
  return {
    onOpen: () => events.onOpen(),
    onMessage: (data) => events.onMessage(data),
    onClose: (close) => events.onClose(refused ?? close),
  };
}

function unreachable(origin: string, error: unknown): unknown {
  const where = printable(origin);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new UnreachableError('broken', `${where} has not answered for ${ANSWER_WITHIN_MS / 1000} s`, { cause: error });
  if (!(error instanceof UnreachableError) || error.reason !== 'refused') return error;
  const { code, message } = rootOf(error) as NodeJS.ErrnoException;
  if (code === undefined || NOBODY.has(code))
    return new UnreachableError('refused', `no Maestro daemon answers at ${where}; does it run, and is the tunnel to it open?`, {
      cause: error,
    });
  return new UnreachableError('broken', `${where} cannot be reached: ${message}`, { cause: error });
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
