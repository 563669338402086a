import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { CLOSE_CODE, MaestroError, PtyQuerySchema, parsePosition, SessionIdSchema } from '../../protocol/index.js';
import { toMaestroError } from './api-error.js';
import type { ApiParts } from './api-parts.js';
import { type AuthReach, readCookie } from './auth.js';
import { PtyConnection, type PtyRequest } from './pty-connection.js';
import { ONE_SESSION } from './routes.js';

/**
 * `/api/sessions/:id/pty`: the live terminal. A connection that may be made but cannot be served is accepted and told why in an `error`
 * frame before it is closed, as a browser cannot read a refused upgrade.
 */
export function ptyRoutes(server: FastifyInstance, parts: ApiParts, { isLocal }: AuthReach): void {
  const { access } = parts;
  server.route({
    method: 'GET',
    url: `${ONE_SESSION}/pty`,
    schema: { hide: true },
    handler: async () => {
      throw new MaestroError('invalid_request', 'this is a WebSocket: connect to it with an upgrade');
    },
    wsHandler: (socket, request) => {
      request.raw.socket.setKeepAlive(true, KEEP_ALIVE_MS);
      try {
        PtyConnection.open(socket, parts, readRequest(request));
        if (!isLocal)
          socket.once(
            'close',
            access.streams.track(readCookie(request, access.cookie), () => refuse(socket, accessEnded())),
          );
      } catch (error) {
        refuse(socket, toMaestroError(error));
      }
    },
  });
}

/** A viewer that has vanished without a word, such as a laptop that was shut, is found out by TCP: it may own the size. In milliseconds. */
const KEEP_ALIVE_MS = 30_000;

function readRequest(request: FastifyRequest): PtyRequest {
  const id = SessionIdSchema.safeParse((request.params as { id?: unknown }).id);
  if (!id.success) throw new MaestroError('not_found', 'there is no such session; session ids are uuids');
  const query = PtyQuerySchema.safeParse(request.query);
  if (!query.success)
    throw new MaestroError('invalid_request', 'after must be EPOCH:OFFSET, and stream 0 or 1; there are no other parameters');
  const { after, stream } = query.data;
  return { id: id.data, after: after === undefined ? undefined : parsePosition(after), stream: stream !== '0' };
}

function accessEnded(): MaestroError {
  return new MaestroError('unauthorized', 'this login has ended; `maestro open` gives a new one');
}

/** How long a viewer may take to hear that the daemon stops, in milliseconds. */
const GOODBYE_MS = 1000;

/** Tells every viewer that the daemon goes and the session stays. One that reads nothing is cut off, or it would hold up the stop. */
export function sayGoodbye(this: FastifyInstance, done: () => void): void {
  const { websocketServer } = this;
  for (const viewer of websocketServer.clients) viewer.close(1001, 'Maestro stops; the session lives on');
  const late = setTimeout(() => {
    for (const viewer of websocketServer.clients) viewer.terminate();
  }, GOODBYE_MS);
  websocketServer.close(() => {
    clearTimeout(late);
    done();
  });
}

/** Tells why and hangs up. */
export function refuse(socket: WebSocket, error: MaestroError): void {
  socket.send(JSON.stringify({ type: 'error', code: error.code, message: error.message }));
  socket.close(closeCode(error), error.code);
}

function closeCode({ code }: MaestroError): number {
  if (code === 'not_found') return CLOSE_CODE.notFound;
  if (code === 'not_running') return CLOSE_CODE.notRunning;
  if (code === 'tmux_unavailable') return CLOSE_CODE.unavailable;
  return code === 'internal' ? 1011 : 1008;
}
