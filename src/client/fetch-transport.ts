import { PTY_PROTOCOL, SECRET_HEADER, SECRET_PROTOCOL_PREFIX, TOKEN_PROTOCOL_PREFIX, UPLOAD_TYPE } from '../protocol/index.js';
import { type Query, type Transport, type TransportResponse, UnreachableError } from './transport.js';
import { uploadRequest } from './upload-request.js';
import { type WebSocketLike, wrapWebSocket } from './web-socket.js';

export interface FetchTransportOptions {
  /** Where the daemon listens, such as `http://127.0.0.1:7433`. Default: the page's own origin. */
  readonly baseUrl?: string;
  /** The daemon's token. A page that is logged in needs none. */
  readonly token?: string;
  /** The half of a browser's login that the page keeps. The other half is a cookie, which the browser adds by itself. */
  readonly secret?: string | undefined;
  /** For runtimes without a global WebSocket, such as Node 20. */
  readonly WebSocket?: new (
    url: string,
    protocols: string[],
  ) => WebSocketLike;
}

/** Reaches a daemon over TCP with the runtime's own fetch and WebSocket. */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  const { baseUrl = globalThis.location?.origin, token, secret } = options;
  if (baseUrl === undefined) throw new TypeError('fetchTransport needs a baseUrl outside a page');
  return {
    async request(method, path, request = {}) {
      const headers: Record<string, string> = {};
      if (token !== undefined) headers.authorization = `Bearer ${token}`;
      if (secret !== undefined) headers[SECRET_HEADER] = secret;
      if (request.accept !== undefined) headers.accept = request.accept;
      const body = request.content === undefined ? request.body : ownBody(request.content);
      if (body !== undefined) headers['content-type'] = request.content === undefined ? 'application/json' : UPLOAD_TYPE;
      const url = urlOf(baseUrl, path, request.query);
      const { onSent, signal } = request;
      if (onSent !== undefined && body !== undefined && typeof body !== 'string' && 'XMLHttpRequest' in globalThis) {
        return uploadRequest({ method, url, headers, content: body, onSent, signal });
      }
      const init = { method, headers, body: body ?? null, signal: signal ?? null, redirect: 'error' } as const;
      return answerOf(baseUrl, fetch(url, init), signal);
    },
    openSocket(path, events, query) {
      const Constructor = options.WebSocket ?? globalThis.WebSocket;
      const url = urlOf(baseUrl, path, query);
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      return wrapWebSocket(new Constructor(url.href, subprotocols(options)), events);
    },
  };
}

/** Browsers cannot put a header on a WebSocket, so what proves who asks is offered as a second subprotocol, which the daemon never chooses. */
function subprotocols({ token, secret }: FetchTransportOptions): string[] {
  if (secret !== undefined) return [PTY_PROTOCOL, SECRET_PROTOCOL_PREFIX + secret];
  return token === undefined ? [PTY_PROTOCOL] : [PTY_PROTOCOL, TOKEN_PROTOCOL_PREFIX + token];
}

/** Views of shared memory cannot be sent. */
function ownBody(content: Uint8Array | Blob): Uint8Array<ArrayBuffer> | Blob {
  return content instanceof Uint8Array ? new Uint8Array(content) : content;
}

function urlOf(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function answerOf(baseUrl: string, pending: Promise<Response>, signal: AbortSignal | undefined): Promise<TransportResponse> {
  try {
    const response = await pending;
    const date = response.headers.get('date') ?? undefined;
    return { status: response.status, date, body: chunksOf(response.body, signal) };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new UnreachableError('refused', `no Maestro daemon answers at ${baseUrl}`, { cause });
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new UnreachableError('broken', 'the daemon went away while it answered', { cause });
  } finally {
    await reader.cancel().catch(() => {});
  }
}
