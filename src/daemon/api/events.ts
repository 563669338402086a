import type { ServerResponse } from 'node:http';
import { ROUTES, type SessionEvent, SessionEventSchema } from '../../protocol/index.js';
import type { SessionManager } from '../session/session-manager.js';
import type { ApiParts } from './api-parts.js';
import { type AuthReach, readCookie } from './auth.js';
import { answer, errorAnswers, type Routes } from './routes.js';

/**
 * Bytes that may wait for one slow reader beside its snapshot. One that lags further is cut off; when it comes back a snapshot brings it
 * up to date.
 */
const BACKLOG_LIMIT = 1024 * 1024;

/** Server-sent events: a snapshot, then every change. A reader that was away gets the snapshot again and so has missed nothing. */
export function eventRoutes(routes: Routes, { manager, access }: ApiParts, { isLocal }: AuthReach): void {
  const events = answer('a snapshot, then every change', 'text/event-stream', SessionEventSchema);
  // A HEAD request would wait for the end of a body that has none.
  const options = { schema: { response: { 200: events, ...errorAnswers() } }, exposeHeadRoute: false };
  routes.get(ROUTES.events, options, (request, reply) => {
    reply.hijack();
    request.raw.socket.setTimeout(0);
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    follow(manager, reply.raw);
    if (!isLocal)
      reply.raw.once(
        'close',
        access.streams.track(readCookie(request, access.cookie), () => reply.raw.destroy()),
      );
  });
}

function follow(manager: SessionManager, response: ServerResponse): void {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let id = 0;
  const send = (event: SessionEvent) => {
    id += 1;
    response.write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  send({ type: 'snapshot', sessions: manager.list() });
  const limit = response.writableLength + BACKLOG_LIMIT;
  manager.subscribe((event) => {
    if (response.writableLength > limit) response.destroy();
    else send(event);
  }, gone.signal);
}
