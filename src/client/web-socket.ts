import type { Socket, SocketEvents } from './transport.js';

/** What the browser's WebSocket, Node's and the `ws` package have in common. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
}

const OPEN = 1;

/** Turns a WebSocket that is still connecting into a {@link Socket}. */
export function wrapWebSocket(socket: WebSocketLike, events: SocketEvents): Socket {
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => events.onOpen());
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.onMessage(data);
    else if (data instanceof ArrayBuffer) events.onMessage(new Uint8Array(data));
  });
  socket.addEventListener('error', () => {}); // a close follows, and says all there is to say
  socket.addEventListener('close', ({ code, reason }) => events.onClose({ code, reason }));
  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(data) {
      if (socket.readyState !== OPEN) return; // it is closing: the peer would not read this
      socket.send(typeof data === 'string' ? data : ownBuffer(data));
    },
    close: () => socket.close(1000),
  };
}

/** WebSockets refuse views of shared memory. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
