import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import {
  type Query,
  type Socket,
  type SocketEvents,
  type Transport,
  type TransportRequest,
  UnreachableError,
} from '../client/transport.js';
import { wrapWebSocket } from '../client/web-socket.js';
import { PTY_PROTOCOL } from '../protocol/auth.js';
import { UPLOAD_TYPE } from '../protocol/requests.js';

export interface UnixTransportOptions {
  readonly socketPath: string;
  /** Said when nothing listens there. */
  readonly refusal: string;
  /** How long the daemon may take to begin its answer. */
  readonly answerWithinMs?: number;
}

/** Ending a session's processes may take the daemon several seconds; a minute without a word is a daemon that hangs. */
const ANSWER_WITHIN_MS = 60_000;
/** How long a daemon may take to answer the close of a WebSocket: a command that is done does not wait for one that hangs. */
const FAREWELL_MS = 500;

/** Reaches the daemon of this host over its unix socket, with one connection per request. */
export function unixTransport(options: UnixTransportOptions): Transport {
  return {
    async request(method, path, request = {}) {
      const { data, headers } = await messageOf(request);
      const target = { method, path: withQuery(path, request.query), headers };
      const response = await answerTo(options, target, { data, signal: request.signal });
      return { status: response.statusCode ?? 0, body: chunksOf(response, request.signal) };
    },
    openSocket: (path, events, query) => openSocket(options.socketPath, withQuery(path, query), events),
  };
}

function withQuery(path: string, query: Query = {}): string {
  const text = new URLSearchParams({ ...query }).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** What is sent, and what says how it is to be read. */
async function messageOf({ accept, body, content }: TransportRequest): Promise<Message> {
  const data = content === undefined ? body : content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
  const type = content === undefined ? 'application/json' : UPLOAD_TYPE;
  const headers = {
    ...(accept === undefined ? {} : { accept }),
    ...(data === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(data) }),
  };
  return { data, headers };
}

interface Message {
  readonly data: string | Uint8Array | undefined;
  readonly headers: Record<string, string | number>;
}

interface Sent {
  readonly data: Message['data'];
  readonly signal: AbortSignal | undefined;
}

function answerTo(options: UnixTransportOptions, target: RequestOptions, { data, signal }: Sent): Promise<IncomingMessage> {
  const { socketPath, answerWithinMs = ANSWER_WITHIN_MS } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...target, socketPath, agent: false, ...(signal === undefined ? {} : { signal }) });
    const late = setTimeout(() => request.destroy(tooLate(answerWithinMs)), answerWithinMs);
    request.once('response', (response) => {
      clearTimeout(late);
      resolve(response);
    });
    request.on('error', (cause) => {
      clearTimeout(late);
      reject(signal?.aborted ? signal.reason : unreachable(options, cause));
    });
    request.end(data);
  });
}

function tooLate(afterMs: number): UnreachableError {
  return new UnreachableError('broken', `the daemon has not answered for ${afterMs / 1000} s; maestro doctor may tell why`);
}

function unreachable({ refusal, socketPath }: UnixTransportOptions, cause: NodeJS.ErrnoException): UnreachableError {
  if (cause instanceof UnreachableError) return cause;
  if (cause.code === 'EACCES' || cause.code === 'EPERM') {
    return new UnreachableError('broken', `${socketPath} may not be used by this user: it belongs to another one's Maestro`, { cause });
  }
  const nobody = cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED' || cause.code === 'ENOTDIR';
  if (nobody) return new UnreachableError('refused', refusal, { cause });
  return new UnreachableError('broken', `the daemon went away before it answered (${cause.code ?? cause.message})`, { cause });
}

async function* chunksOf(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new UnreachableError('broken', 'the daemon went away while it answered', { cause });
  }
}

/** Loads the WebSocket library only now, as few commands need it. */
function openSocket(socketPath: string, path: string, events: SocketEvents): Socket {
  let socket: Socket | undefined;
  let terminate = () => {};
  let closed = false;
  void import('ws').then(({ WebSocket }) => {
    if (closed) return events.onClose({ code: 1000, reason: '' });
    // Not a `ws+unix:` URL: it would split a path that has a colon in it.
    const created = new WebSocket(`ws://localhost${path}`, [PTY_PROTOCOL], { createConnection: () => connect(socketPath) });
    socket = wrapWebSocket(created, events);
    terminate = () => created.terminate();
  });
  return {
    get bufferedBytes() {
      return socket?.bufferedBytes ?? 0;
    },
    send: (data) => socket?.send(data),
    close: () => {
      closed = true;
      socket?.close();
      setTimeout(() => terminate(), FAREWELL_MS).unref();
    },
  };
}
