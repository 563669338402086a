import type { ServerResponse } from 'node:http';
import { ROUTES, type SessionEvent } from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import type { Routes } from './routes.js';

/** Bytes that may wait for one slow reader. One that lags further is cut off; when it comes back a snapshot brings it up to date. */
const BACKLOG_LIMIT = 1024 * 1024;

/** Server-sent events: a snapshot, then every change. A reader that was away gets the snapshot again and so has missed nothing. */
export function eventRoutes(routes: Routes, { manager }: ApiParts): void {
  routes.get(ROUTES.events, { schema: { hide: true } }, (request, reply) => {
    reply.hijack();
    const response = reply.raw;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    let id = 0;
    const send = (event: SessionEvent): void => write(response, ++id, event);
    manager.subscribe(send, gone.signal);
    send({ type: 'snapshot', sessions: manager.list() });
    request.raw.socket.setTimeout(0);
  });
}

function write(response: ServerResponse, id: number, event: SessionEvent): void {
  if (response.writableLength > BACKLOG_LIMIT) response.destroy();
  else response.write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
