import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import fastifyCookie from '@fastify/cookie';
import fastifySwagger from '@fastify/swagger';
import fastifyWebsocket from '@fastify/websocket';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { BODY_LIMIT, MaestroError, PTY_PROTOCOL, ROUTES } from '../../protocol/index.js';
import type { Log } from '../log.js';
import { agentRoutes } from './agents.js';
import { answerUnreadable, invalidRequest, toMaestroError } from './api-error.js';
import type { ApiParts } from './api-parts.js';
import { authRoutes } from './auth.js';
import { BodyTimes, SENDING_TIMES, type SendingTimes } from './body-times.js';
import { changeRoutes } from './changes.js';
import { eventRoutes } from './events.js';
import { hostRoutes } from './host.js';
import { readJsonOnly } from './json-body.js';
import { openapiDocument } from './openapi.js';
import { isPage, pageRoutes, securityHeaders } from './page.js';
import { projectSetupRoutes } from './project-setup.js';
import { projectRoutes } from './projects.js';
import { ptyRoutes, sayGoodbye } from './pty-socket.js';
import { sessionRoutes } from './sessions.js';
import type { TcpGuard } from './tcp-guard.js';
import { uploadRoutes } from './uploads.js';
import { worktreeRoutes } from './worktrees.js';

export type ApiServer = FastifyInstance;

/** What the TCP side speaks TLS with, in PEM form. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ServerOptions {
  readonly certificate?: Certificate | undefined;
  readonly times?: SendingTimes;
}

/** How often Node looks for connections whose time is over, in milliseconds, at most. */
const CHECK_MS = 5_000;

/**
 * The API, not yet listening. Without a guard everybody who can open the socket may use it, which the file system decides for a unix
 * socket.
 */
export async function buildServer(parts: ApiParts, guard?: TcpGuard, serverOptions: ServerOptions = {}): Promise<ApiServer> {
  const { certificate, times = SENDING_TIMES } = serverOptions;
  const { requestMs, fileMs } = times;
  const options = {
    bodyLimit: BODY_LIMIT,
    // Behind all limits of ours, which are shorter.
    requestTimeout: requestMs + fileMs,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      if (request.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.destroy());
      answerNoSuchPath(reply);
    },
    clientErrorHandler: answerUnreadable,
  };
  const headers = { headersTimeout: requestMs, connectionsCheckingInterval: Math.min(CHECK_MS, requestMs) };
  // The two kinds of server differ in nothing that the routes see.
  const server = certificate
    ? (fastify({ ...options, https: { ...certificate, ...headers } }) as unknown as FastifyInstance)
    : fastify({ ...options, http: headers });
  const bodies = new BodyTimes(server.server, requestMs);
  readJsonOnly(server);
  answerInOneForm(server, parts.log);
  await securityHeaders(server);
  await server.register(fastifyCookie);
  server.addHook('onSend', async (request, reply) => {
    if (!isPage(request) || reply.statusCode >= 400) reply.header('cache-control', 'no-store');
  });
  await server.register(fastifyWebsocket, {
    options: { maxPayload: BODY_LIMIT, perMessageDeflate: false, handleProtocols },
    preClose: sayGoodbye,
    // What a viewer sends amiss is told by the close that is on its way, such as 1009; to cut it off would make it come back.
    errorHandler: (_error, socket) => socket.close(1011),
  });
  // Node refuses it without a word of ours; what else a client expects than `100-continue` may be passed over.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  // Behind the hook that marks upgrades, as the connection of one that is refused is ended by that mark, and by no timeout.
  if (guard) server.addHook('onRequest', async (request) => guard.check(request));
  const transforms = { transform: jsonSchemaTransform, transformObject: jsonSchemaTransformObject };
  await server.register(fastifySwagger, { openapi: openapiDocument(), ...transforms });
  const routes = server.withTypeProvider<ZodTypeProvider>();
  const isLocal = guard === undefined;
  hostRoutes(routes, parts, { mayShutDown: isLocal });
  authRoutes(routes, parts, { isLocal });
  sessionRoutes(routes, parts);
  agentRoutes(routes, parts, { isLocal });
  changeRoutes(routes, parts);
  worktreeRoutes(routes, parts);
  projectRoutes(routes, parts);
  projectSetupRoutes(routes, parts);
  eventRoutes(routes, parts, { isLocal });
  await server.register(async (scope) => ptyRoutes(scope, parts, { isLocal }));
  await server.register(async (scope) => uploadRoutes(scope, parts, { bodies, times }));
  await pageRoutes(server);
  server.get(ROUTES.openapi, { schema: { hide: true } }, async () => server.swagger());
  return server;
}

/** Chooses our subprotocol where a browser offers it beside its secret, which must not be chosen: it would be sent back. */
function handleProtocols(offered: Set<string>): string | false {
  return offered.has(PTY_PROTOCOL) ? PTY_PROTOCOL : false;
}

function answerInOneForm(server: FastifyInstance, log: Log): void {
  server.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (value) => {
    const parsed = schema.safeParse(value ?? undefined);
    if (parsed.success) return { value: parsed.data };
    return { error: httpPart === 'params' ? noSuchPath() : invalidRequest(parsed.error, value) };
  });
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  server.setNotFoundHandler((_request, reply) => answerNoSuchPath(reply));
  server.setErrorHandler(async (error, request, reply) => {
    const known = toMaestroError(error);
    if (known.code === 'payload_too_large') await discarded(request.raw);
    if (known.code === 'internal') log.error({ method: request.method, route: request.routeOptions.url, err: error }, 'a request failed');
    if (known.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
    return reply.code(known.status).send(known.toJSON());
  });
}

function noSuchPath(): MaestroError {
  return new MaestroError('not_found', `there is nothing at this path; ${ROUTES.openapi} lists what there is, and session ids are uuids`);
}

function answerNoSuchPath(reply: FastifyReply): FastifyReply {
  const error = noSuchPath();
  return reply.code(error.status).send(error.toJSON());
}

/** How long a body that is too large is read and thrown away, in milliseconds. */
const DISCARD_MS = 10_000;

/** Reads a body to its end: a client that is still sending would see a broken connection, and not why it was refused. */
async function discarded(request: IncomingMessage): Promise<void> {
  request.resume();
  await finished(request, { writable: false, signal: AbortSignal.timeout(DISCARD_MS) }).catch(() => undefined);
}
