import { fastify } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { projectRoutes } from '../../../src/daemon/api/projects.js';
import type { Routes } from '../../../src/daemon/api/routes.js';
import { type BranchList, type PathCompletions, type Project, ROUTES } from '../../../src/protocol/index.js';

const project: Project = { path: '/src/tool', name: 'tool', bare: false, branch: 'main', sessions: [] };
const completions: PathCompletions = { entries: [{ path: '/src', name: 'src', repository: false }], truncated: true };

const branches: BranchList = { branches: [], truncated: false };

let server: Routes;
let prefixes: string[];
beforeEach(() => {
  prefixes = [];
  server = fastify().withTypeProvider<ZodTypeProvider>();
  server.setValidatorCompiler<z.ZodType>(({ schema }) => (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? { value: parsed.data } : { error: Object.assign(new Error('refused'), { statusCode: 400 }) };
  });
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  const complete = async (prefix: string) => {
    prefixes.push(prefix);
    return completions;
  };
  const list = async ({ repo }: { repo: string }) => {
    prefixes.push(repo);
    return branches;
  };
  projectRoutes(server, { projects: { list: async () => [project], complete }, branches: { list } });
});
afterEach(() => server.close());

test('GET /api/projects tells the projects', async () => {
  const answer = await server.inject(ROUTES.projects);
  expect([answer.statusCode, answer.json()]).toEqual([200, [project]]);
});

test('GET /api/paths completes the prefix that was given, to the letter', async () => {
  const answer = await server.inject({ url: ROUTES.paths, query: { prefix: '~/a b/ü&' } });
  expect([answer.statusCode, answer.json()]).toEqual([200, completions]);
  expect(prefixes).toEqual(['~/a b/ü&']);
});

test.each(['', 'prefix=a%00b', `prefix=/${'x'.repeat(4096)}`, 'prefix=/a&prefix=/b', 'prefix=/a&more=1'])(
  'GET /api/paths?%s is refused',
  async (query) => {
    expect((await server.inject(`${ROUTES.paths}?${query}`)).statusCode).toBe(400);
    expect(prefixes).toEqual([]);
  },
);

test('GET /api/projects/branches tells the branches of the repository that was given', async () => {
  const answer = await server.inject({ url: ROUTES.branches, query: { repo: '~/a b' } });
  expect([answer.statusCode, answer.json(), prefixes]).toEqual([200, branches, ['~/a b']]);
  for (const query of ['', 'repo=', 'repo=/a&more=1']) expect((await server.inject(`${ROUTES.branches}?${query}`)).statusCode).toBe(400);
});
