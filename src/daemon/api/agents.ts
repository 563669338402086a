import { z } from 'zod';
import {
  AgentInfoSchema,
  ConversationSchema,
  ExplanationSchema,
  REPORT_LIMIT,
  ReportRequestSchema,
  ResumeManyRequestSchema,
  ResumeProgressSchema,
  ROUTES,
} from '../../protocol/index.js';
import type { ApiParts } from './api-parts.js';
import type { AuthReach } from './auth.js';
import { errorAnswers, IdParamsSchema, ONE_SESSION as ONE, onSession, type Routes } from './routes.js';

/** A report as it may be sent: JSON takes more room than what it stands for, where it holds characters that are written as `\u…`. */
const REPORT_BODY_LIMIT = 2 * REPORT_LIMIT;

const ReportAnswerSchema = z.object({ believed: z.boolean(), why: z.string().optional() });

/** The routes for agents: what they are, what they do, and which conversations they have. Reports come over the unix socket only. */
export function agentRoutes(routes: Routes, parts: ApiParts, { isLocal }: AuthReach): void {
  const { manager, activities, agents } = parts;
  routes.get(ROUTES.agents, { schema: { response: { 200: z.array(AgentInfoSchema), ...errorAnswers() } } }, async () => agents.list());
  routes.get(
    `${ONE}/explanation`,
    { schema: { params: IdParamsSchema, response: { 200: ExplanationSchema, ...errorAnswers() } } },
    async (request) => activities.explain(request.params.id),
  );
  routes.post(`${ONE}/seen`, { schema: onSession }, async (request) => manager.seen(request.params.id));
  routes.get(
    `${ONE}/conversations`,
    { schema: { params: IdParamsSchema, response: { 200: z.array(ConversationSchema), ...errorAnswers() } } },
    async (request) => manager.conversations(request.params.id),
  );
  resumeRoutes(routes, parts);
  if (isLocal) reportRoute(routes, parts);
}

function resumeRoutes(routes: Routes, { resumes }: ApiParts): void {
  const progress = { response: { 200: ResumeProgressSchema, ...errorAnswers() } };
  routes.get(ROUTES.resumes, { schema: progress }, async () => resumes.progress);
  routes.post(ROUTES.resumes, { schema: { body: ResumeManyRequestSchema.optional(), ...progress } }, async (request) =>
    resumes.add(request.body?.ids),
  );
}

function reportRoute(routes: Routes, { reports }: ApiParts): void {
  routes.post(
    `${ONE}/report`,
    {
      bodyLimit: REPORT_BODY_LIMIT,
      schema: { params: IdParamsSchema, body: ReportRequestSchema, response: { 200: ReportAnswerSchema, ...errorAnswers() } },
    },
    async (request) => {
      const token = /^Bearer ([0-9a-f]+)$/.exec(request.headers.authorization ?? '')?.[1];
      return reports.take(request.params.id, request.body, token);
    },
  );
}
