import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyHelmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PAGE_DIRECTORY } from '../built-files.js';

/** What a browser is told not to do with what it gets from here. xterm.js writes style elements, hence the one exception. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** The files of the page, and the places within it. */
const FILES = '/*';
const PLACES: readonly string[] = ['/s/*', '/split/*', '/wall'];

/** True for a request that the page's own files answer, whatever its address looks like. */
export function isPage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === FILES || PLACES.includes(routeOptions.url ?? '');
}

/** Security headers on every answer. No HSTS: a loopback address has no certificate. */
export async function securityHeaders(server: FastifyInstance): Promise<void> {
  await server.register(fastifyHelmet, {
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}

/** Serves the page. Every path that is neither a file nor the API is a place within it. */
export async function pageRoutes(server: FastifyInstance): Promise<void> {
  if (!existsSync(join(PAGE_DIRECTORY, 'index.html'))) return;
  await server.register(fastifyStatic, {
    root: PAGE_DIRECTORY,
    // Looked up at each request: a page that was replaced while the daemon runs names other files.
    wildcard: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(PAGE_DIRECTORY, 'assets'));
      reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  for (const place of PLACES) server.get(place, { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'));
}
