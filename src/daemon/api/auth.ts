import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LoginAnswerSchema, LoginLinkSchema, LoginRequestSchema, MaestroError, ROUTES } from '../../protocol/index.js';
import { formatTime } from '../clock.js';
import { isLoopback, readListenAddress } from '../config/listen-address.js';
import type { Access, ApiParts } from './api-parts.js';
import { peerUser } from './peer-user.js';
import { errorAnswers, type Routes } from './routes.js';

/** Who a route is for, beside those who may use the API at all. */
export interface AuthReach {
  /** The unix socket: its owner may do what ends everybody else's access. */
  readonly isLocal: boolean;
}

/** Cookies ignore ports, so that each instance has a name of its own, or two on one host would log each other out. */
export function cookieName(stateDir: string): string {
  return `maestro_${createHash('sha256').update(stateDir).digest('hex').slice(0, 12)}`;
}

/** Logging browsers in and out, and replacing the token. */
export function authRoutes(routes: Routes, parts: ApiParts, { isLocal }: AuthReach): void {
  const { access, clock } = parts;
  routes.post(
    ROUTES.login,
    { schema: { body: LoginRequestSchema, response: { 200: LoginAnswerSchema, ...errorAnswers() } } },
    async (request, reply) => {
      const { code } = request.body;
      if (access.codes.knows(code)) await requireOwnUser(request, parts);
      redeem(parts, code);
      const { cookie, secret, expiresAt } = await access.browsers.open(clock.now());
      setCookie(reply, access, { value: cookie, expires: new Date(expiresAt) });
      return { secret, expires_at: formatTime(expiresAt) };
    },
  );
  routes.post(
    ROUTES.logout,
    { schema: { response: { 200: z.object({ logged_out: z.literal(true) }), ...errorAnswers() } } },
    async (request, reply) => {
      const cookie = readCookie(request, access.cookie);
      if (cookie !== undefined) {
        await access.browsers.close(cookie);
        access.streams.endOf(cookie);
      }
      setCookie(reply, access, { value: '', expires: new Date(0) });
      return { logged_out: true as const };
    },
  );
  routes.post(ROUTES.loginLink, { schema: { response: { 200: LoginLinkSchema, ...errorAnswers() } } }, async (request) => {
    if (!isLocal && request.headers.authorization === undefined) {
      throw new MaestroError('forbidden', 'a login link is made with the token or over the unix socket; use `maestro open`');
    }
    const { code, validMs } = access.codes.issue();
    return {
      code,
      url: `${access.isSecure ? 'https' : 'http'}://${parts.host().listen}/#code=${code}`,
      expires_at: formatTime(clock.now() + validMs),
    };
  });
  if (!isLocal) return;
  routes.post(
    ROUTES.rotateToken,
    { schema: { response: { 200: z.object({ rotated: z.literal(true) }), ...errorAnswers() } } },
    async () => {
      await access.rotate();
      access.streams.endAll();
      access.codes.clear();
      return { rotated: true as const };
    },
  );
}

/**
 * A login link is on the command line of the browser that it is opened with, where every user of the host can read it. So nobody else's
 * process may use it, but root's, which tunnels may be. Behind a proxy the daemon has a name that is no loopback address, and the proxy may be
 * any user's.
 */
async function requireOwnUser({ raw, headers }: FastifyRequest, { log }: ApiParts): Promise<void> {
  const { host } = headers;
  const named = readListenAddress(host) ?? readListenAddress(`${host}:80`); // browsers leave that port out
  if (named === undefined || !isLoopback(named)) return;
  const user = await peerUser(raw.socket);
  const own = process.geteuid?.();
  if (user === undefined || user === own || user === 0) return;
  log.warn({ user }, 'another user of this host tried to use a login link');
  throw new MaestroError('forbidden', `this link logs in user ${own}, whose Maestro this is, and the browser is one of user ${user}`, {
    details: { user },
  });
}

function redeem({ access, log }: ApiParts, code: string): void {
  const outcome = access.codes.redeem(code);
  if (outcome === 'accepted') return;
  log.warn({ outcome }, 'a login was refused');
  if (outcome === 'locked')
    throw new MaestroError('forbidden', 'too many wrong login codes; wait a minute, then open a new link from `maestro open`');
  throw new MaestroError('unauthorized', 'this login code is unknown, used or too old; `maestro open` gives a new link');
}

/** Strict: no other site's page gets it sent along, not even by a link. Secure only where there is TLS: a loopback address has none. */
function setCookie(reply: FastifyReply, { cookie, isSecure }: Access, { value, expires }: { value: string; expires: Date }): void {
  reply.setCookie(cookie, value, { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure, expires });
}

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const value = request.cookies[name];
  return value === undefined || value === '' ? undefined : value;
}
