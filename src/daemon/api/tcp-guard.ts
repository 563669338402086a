import type { FastifyRequest } from 'fastify';
import { MaestroError, ROUTES, SECRET_HEADER, SECRET_PROTOCOL_PREFIX, TOKEN_PROTOCOL_PREFIX } from '../../protocol/index.js';
import type { Clock } from '../clock.js';
import type { Access } from './api-parts.js';
import { readCookie } from './auth.js';
import { isPage } from './page.js';

export interface TcpGuardOptions {
  /** Where the server listens, as it stands in a URL. */
  readonly host: string;
  /** Known only once the server listens. */
  readonly port: () => number;
  /** Names beside the loopback ones under which the daemon may be reached, each with or without a port. */
  readonly allowedHosts: readonly string[];
  readonly access: Access;
  readonly clock: Clock;
}

/**
 * Decides who may use the API over TCP: only a request that names this daemon as its host, comes from no other site's page, and bears the
 * token or both halves of a browser's login. The host check is what stops a page whose name was made to resolve to this machine.
 */
export class TcpGuard {
  readonly #options: TcpGuardOptions;

  constructor(options: TcpGuardOptions) {
    this.#options = options;
  }

  /** Throws `forbidden` or `unauthorized`. */
  check(request: FastifyRequest): void {
    const { host, origin } = request.headers;
    if (host === undefined || !this.#isOurs(host)) {
      throw new MaestroError('forbidden', `Host ${JSON.stringify(host ?? '')} is not a name of this daemon; add it to allowed_hosts`);
    }
    if (origin !== undefined && !this.#isOurOrigin(origin)) {
      throw new MaestroError('forbidden', `pages of ${JSON.stringify(origin)} may not use this daemon`);
    }
    if (!isPublic(request) && !this.#isKnown(request)) {
      throw new MaestroError(
        'unauthorized',
        'log in with a link from `maestro open`, or send the token of the state directory as `Authorization: Bearer …`',
      );
    }
  }

  #isKnown(request: FastifyRequest): boolean {
    const { access, clock } = this.#options;
    const token = bearer(request.headers.authorization) ?? offered(request, TOKEN_PROTOCOL_PREFIX);
    if (token !== undefined) return access.acceptsToken(token);
    const cookie = readCookie(request, access.cookie);
    const secret = secretOf(request);
    return cookie !== undefined && secret !== undefined && access.browsers.accepts({ cookie, secret }, clock.now());
  }

  #isOurs(host: string): boolean {
    const port = this.#options.port();
    const names = ['127.0.0.1', 'localhost', '[::1]', this.#options.host];
    const wanted = host.toLowerCase();
    const isOwn = names.some((name) => wanted === `${name}:${port}` || (port === 80 && wanted === name));
    return isOwn || this.#options.allowedHosts.some((allowed) => matches(allowed.toLowerCase(), wanted));
  }

  #isOurOrigin(origin: string): boolean {
    const match = /^https?:\/\/([^/?#@]+)$/.exec(origin);
    return match?.[1] !== undefined && this.#isOurs(match[1]);
  }
}

function matches(allowed: string, host: string): boolean {
  return allowed === host || (!/:\d+$/.test(allowed) && host.replace(/:\d+$/, '') === allowed);
}

/**
 * The page itself holds nothing, and to log in is how one becomes known. What counts is the route that will answer, never the address as
 * it was sent: that has many forms, such as `/%61pi/…` or `http://host/api/…`, which all lead to the same route.
 */
function isPublic(request: FastifyRequest): boolean {
  return request.routeOptions.url === ROUTES.login || isPage(request);
}

function bearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : (/^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? '');
}

/** The half of a login that the page keeps. */
function secretOf(request: FastifyRequest): string | undefined {
  const header = request.headers[SECRET_HEADER];
  return typeof header === 'string' ? header : offered(request, SECRET_PROTOCOL_PREFIX);
}

/** A browser cannot set headers on a WebSocket, so there it offers what it has to show as a subprotocol. */
function offered({ headers }: FastifyRequest, prefix: string): string | undefined {
  const protocols = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim());
  return protocols?.find((protocol) => protocol.startsWith(prefix))?.slice(prefix.length);
}
