import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MaestroPlugin } from '../../../src/cli/hook/opencode-plugin.js';
import { ReportRequestSchema } from '../../../src/protocol/index.js';
import { until } from '../../support/until.js';
import { answering, HookBench, type Request } from './hook-bench.js';

const PLUGIN = join(import.meta.dirname, '../../../dist/cli/hook/opencode-plugin.js');

/** The plugin as OpenCode loads it, in this process. */
async function loaded(bench: HookBench) {
  const before = { ...process.env };
  Object.assign(process.env, bench.env);
  try {
    const { event = never, 'chat.message': chatMessage = never } = await MaestroPlugin();
    return { event: (type: string, properties: unknown) => event({ event: { type, properties } }), chatMessage };
  } finally {
    for (const name of Object.keys(bench.env)) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
  }
}

function never(): never {
  throw new Error('the plugin has no such hook');
}

function told(requests: readonly Request[]): unknown[] {
  return requests.map(({ body }) => (JSON.parse(body) as { payload: unknown }).payload);
}

test('tells, in order, that it was loaded, and of prompts and the events that count', async () => {
  const bench = new HookBench();
  const requests = await bench.listen(answering('200 OK'));
  const { event, chatMessage } = await loaded(bench);
  await chatMessage({ sessionID: 'ses_1' });
  await event('message.part.updated', { part: 'x' });
  await event('session.updated', {});
  for (const type of ['session.status', 'permission.asked', 'permission.replied', 'question.asked', 'session.idle'])
    await event(type, { type });
  await until('all reports', () => requests.length >= 7);
  expect(told(requests)).toEqual([
    { type: 'init' },
    { type: 'chat.message', properties: { sessionID: 'ses_1' } },
    ...['session.status', 'permission.asked', 'permission.replied', 'question.asked', 'session.idle'].map((type) => ({
      type,
      properties: { type },
    })),
  ]);
  const reports = requests.map(({ body }) => ReportRequestSchema.parse(JSON.parse(body)));
  const times = reports.map(({ at }) => at);
  expect(new Set(times).size).toBe(times.length);
  expect([...times].sort((a, b) => a - b)).toEqual(times);
  expect(reports[0]).toMatchObject({ agent: 'opencode', pid: process.pid });
  expect(reports[0]?.ancestors[0]?.pid).toBe(process.ppid);
  expect(bench.spooled()).toEqual({});
});

test('leaves everything in the spool, in order, when the daemon is down', async () => {
  const bench = new HookBench();
  const { event } = await loaded(bench);
  for (let number = 0; number < 50; number += 1) await event('session.status', { number });
  await until('all reports', () => bench.reports().length === 51);
  expect(bench.reports().map(({ payload }) => payload)).toEqual([
    { type: 'init' },
    ...Array.from({ length: 50 }, (_, number) => ({ type: 'session.status', properties: { number } })),
  ]);
});

test('leaves everything in the spool when the daemon hangs, and asks it once', async () => {
  const bench = new HookBench();
  const requests = await bench.listen(() => undefined);
  const { event } = await loaded(bench);
  for (let number = 0; number < 20; number += 1) await event('session.status', { number });
  await until('all reports', () => bench.reports().length === 21);
  expect(requests).toHaveLength(1);
});

test('takes what an event holds as it is then, and no notice of what is no JSON', async () => {
  const bench = new HookBench();
  const requests = await bench.listen(answering('200 OK'));
  const { event } = await loaded(bench);
  const properties: Record<string, unknown> = { sessionID: 'ses_1' };
  await event('session.idle', properties);
  properties.self = properties;
  await event('session.error', properties);
  await event('session.error', { big: 1n });
  await event('session.status', { text: 'x'.repeat(100_000) });
  await until('all reports', () => requests.length >= 3);
  expect(told(requests)).toEqual([
    { type: 'init' },
    { type: 'session.idle', properties: { sessionID: 'ses_1' } },
    { type: 'session.status', properties: { text: 'x'.repeat(4096) } },
  ]);
});

test('does nothing outside of Maestro', async () => {
  expect(await MaestroPlugin()).toEqual({});
});

test('is a module that exports one function, as OpenCode calls each', async () => {
  const bench = new HookBench();
  const script = join(bench.dir, 'load.mjs');
  writeFileSync(
    script,
    `const m = await import(${JSON.stringify(PLUGIN)}); console.log(Object.entries(m).map(([k, v]) => k + ' ' + typeof v).join());`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  expect(output).toBe('MaestroPlugin function\n');
  expect(readFileSync(PLUGIN, 'utf8')).not.toMatch(/from '(?!node:|\.\/)/);
});
