/** How a {@link MaestroClient} reaches a daemon: over TCP, over a unix socket, or however another host is reached. */
export interface Transport {
  /** Sends one request. Rejects with {@link UnreachableError} when there is no answer, and with the signal's reason; any status is an answer. */
  request(method: HttpMethod, path: string, options?: TransportRequest): Promise<TransportResponse>;
  /** Opens a WebSocket. Failures arrive as a close, never as an exception. */
  openSocket(path: string, events: SocketEvents, query?: Query): Socket;
}

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type Query = Readonly<Record<string, string>>;

export interface TransportRequest {
  readonly query?: Query;
  /** JSON text. */
  readonly body?: string;
  /** The content of a file, in place of JSON. */
  readonly content?: Uint8Array | Blob;
  /** Hears how many bytes of the content have left, where the runtime tells. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** What the caller reads, as an `Accept` header. */
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** When the daemon answered, by its own clock, as an HTTP date. */
  readonly date?: string | undefined;
  /** Read once. Leaving the iteration early gives up the rest of the answer. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface SocketEvents {
  onOpen(): void;
  onMessage(data: string | Uint8Array): void;
  /** Called once, also when the socket never opened (1006). */
  onClose(close: SocketClose): void;
}

export interface SocketClose {
  readonly code: number;
  readonly reason: string;
}

export interface Socket {
  /** Bytes that were sent and have not left yet. */
  readonly bufferedBytes: number;
  send(data: string | Uint8Array): void;
  close(): void;
}

/** No daemon answered: `refused` when nothing was sent, `broken` when the connection ended before the answer did. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  readonly reason: 'refused' | 'broken';

  constructor(reason: 'refused' | 'broken', message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
