import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { UPLOAD_LIMIT } from '../../protocol/index.js';

/** How long clients may take to send, in milliseconds. */
export interface SendingTimes {
  /** For a whole request. Of a file: for each next piece. */
  readonly requestMs: number;
  /** For a whole file. */
  readonly fileMs: number;
}

/** A file of the largest size may come this slowly, in bytes per second. */
const SLOWEST_FILE = 16 * 1024;

export const SENDING_TIMES: SendingTimes = { requestMs: 30_000, fileMs: (UPLOAD_LIMIT / SLOWEST_FILE) * 1000 };

/**
 * Gives up requests whose bodies do not come whole in time, but for those that are exempt. Node has one limit for all requests of a server,
 * and looks at it now and then only; that of their headers is left to it.
 */
export class BodyTimes {
  readonly #limitMs: number;
  readonly #server: Server;
  readonly #timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

  constructor(server: Server, limitMs: number) {
    this.#server = server;
    this.#limitMs = limitMs;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (hasBody(request)) this.limit(request, response);
    });
  }

  /** Gives the request the whole time from now on. */
  limit(request: IncomingMessage, response: ServerResponse): void {
    this.exempt(request);
    if (request.complete) return;
    const timer = setTimeout(() => this.#giveUp(request, response), this.#limitMs).unref();
    this.#timers.set(request, timer);
    request.once('close', () => clearTimeout(timer));
  }

  /** Whoever calls this has limits of its own. */
  exempt(request: IncomingMessage): void {
    clearTimeout(this.#timers.get(request));
  }

  #giveUp(request: IncomingMessage, response: ServerResponse): void {
    if (request.complete) return;
    // What would follow an answer that has begun is not read as another one.
    if (response.headersSent) request.socket.destroy();
    else this.#server.emit('clientError', Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
