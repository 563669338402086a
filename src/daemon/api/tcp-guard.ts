import type { FastifyRequest } from 'fastify';
import { MaestroError } from '../../protocol/index.js';

export interface TcpGuardOptions {
  /** Where the server listens, known only once it does. */
  readonly port: () => number;
  /** Names beside the loopback ones under which the daemon may be reached, each with or without a port. */
  readonly allowedHosts: readonly string[];
  /** Compares in constant time with the token of the state directory. */
  readonly accepts: (token: string) => boolean;
}

/**
 * Decides who may use the API over TCP: only a request that names this daemon as its host, comes from no other site's page, and bears
 * the token. The host check is what stops a page whose name was made to resolve to this machine.
 */
export class TcpGuard {
  readonly #options: TcpGuardOptions;

  constructor(options: TcpGuardOptions) {
    this.#options = options;
  }

  /** Throws `forbidden` or `unauthorized`. */
  check(request: FastifyRequest): void {
    const { host, origin, authorization } = request.headers;
    if (host === undefined || !this.#isOurs(host))
      throw new MaestroError('forbidden', `Host ${JSON.stringify(host ?? '')} is not a name of this daemon; add it to allowed_hosts`);
    if (origin !== undefined && !this.#isOurOrigin(origin))
      throw new MaestroError('forbidden', `pages of ${JSON.stringify(origin)} may not use this daemon`);
    if (!this.#options.accepts(bearer(authorization))) {
      throw new MaestroError('unauthorized', 'send the token of the state directory as `Authorization: Bearer …`');
    }
  }

  #isOurs(host: string): boolean {
    const port = this.#options.port();
    const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
    if (port === 80) names.push('127.0.0.1', 'localhost', '[::1]');
    const wanted = host.toLowerCase();
    return names.includes(wanted) || this.#options.allowedHosts.some((allowed) => matches(allowed.toLowerCase(), wanted));
  }

  #isOurOrigin(origin: string): boolean {
    const match = /^https?:\/\/([^/?#@]+)$/.exec(origin);
    return match?.[1] !== undefined && this.#isOurs(match[1]);
  }
}

function matches(allowed: string, host: string): boolean {
  return allowed === host || (!/:\d+$/.test(allowed) && host.replace(/:\d+$/, '') === allowed);
}

function bearer(authorization: string | undefined): string {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? '';
}
