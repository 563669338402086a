import { z } from 'zod';
import {
  ActivityRequestSchema,
  CreateSessionRequestSchema,
  InputRequestSchema,
  InputResultSchema,
  KillQuerySchema,
  KillResultSchema,
  PatchSessionRequestSchema,
  ResumeRequestSchema,
  ROUTES,
  ScreenQuerySchema,
  ScrollbackQuerySchema,
  SessionSchema,
  SizeSchema,
} from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import { answer, errorAnswers, IdParamsSchema, ONE_SESSION as ONE, onSession, type Routes } from './routes.js';

/** The routes that make, show, change and end sessions. */
export function sessionRoutes(routes: Routes, parts: ApiParts): void {
  const { manager } = parts;
  routes.get(ROUTES.sessions, { schema: { response: { 200: z.array(SessionSchema), ...errorAnswers() } } }, async () => manager.list());
  routes.post(
    ROUTES.sessions,
    { schema: { body: CreateSessionRequestSchema, response: { 201: SessionSchema, ...errorAnswers() } } },
    async (request, reply) => reply.code(201).send(await manager.create(request.body)),
  );
  routes.get(ONE, { schema: onSession }, async (request) => manager.get(request.params.id));
  routes.patch(ONE, { schema: { ...onSession, body: PatchSessionRequestSchema } }, async (request) =>
    manager.patch(request.params.id, request.body),
  );
  routes.delete(
    ONE,
    { schema: { params: IdParamsSchema, querystring: KillQuerySchema, response: { 200: KillResultSchema, ...errorAnswers() } } },
    async (request) => manager.kill(request.params.id, request.query),
  );
  lifeRoutes(routes, parts);
  terminalRoutes(routes, parts);
}

function lifeRoutes(routes: Routes, { manager }: ApiParts): void {
  routes.post(`${ONE}/resume`, { schema: { ...onSession, body: ResumeRequestSchema.optional() } }, async (request) =>
    manager.resume(request.params.id, request.body),
  );
  routes.post(`${ONE}/stop`, { schema: onSession }, async (request) => manager.stop(request.params.id));
  routes.post(`${ONE}/restart`, { schema: onSession }, async (request) => manager.restart(request.params.id));
  routes.post(`${ONE}/activity`, { schema: { ...onSession, body: ActivityRequestSchema } }, async (request) =>
    manager.report(request.params.id, request.body),
  );
}

function terminalRoutes(routes: Routes, { manager }: ApiParts): void {
  routes.post(
    `${ONE}/input`,
    {
      schema: {
        params: IdParamsSchema,
        body: InputRequestSchema,
        response: { 200: InputResultSchema, ...errorAnswers() },
      },
    },
    async (request) => manager.input(request.params.id, request.body),
  );
  routes.post(`${ONE}/size`, { schema: { ...onSession, body: SizeSchema } }, async (request) =>
    manager.resize(request.params.id, request.body),
  );
  routes.get(
    `${ONE}/screen`,
    { schema: { params: IdParamsSchema, querystring: ScreenQuerySchema, response: bytes('what tmux shows', 'text/plain') } },
    async (request, reply) => {
      const { format, history } = request.query;
      const screen = await manager.screen(request.params.id, { ansi: format === 'ansi', history: history ?? 0 });
      return reply.type('text/plain; charset=utf-8').send(screen);
    },
  );
  routes.get(
    `${ONE}/scrollback`,
    {
      schema: {
        params: IdParamsSchema,
        querystring: ScrollbackQuerySchema,
        response: bytes('what is stored, byte for byte, or its tail', 'application/octet-stream'),
      },
    },
    async (request, reply) => reply.type('application/octet-stream').send(await manager.scrollback(request.params.id, request.query.tail)),
  );
}

function bytes(description: string, type: string) {
  return { 200: answer(description, type, z.custom<Buffer>()), ...errorAnswers() };
}
