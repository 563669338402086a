import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliver } from '../../../src/cli/hook/deliver.js';
import { answering, HookBench, ID, TOKEN } from './hook-bench.js';

const AMPLE_MS = 30_000;

const session = ({ socket }: HookBench) => ({ id: ID, run: 1, socket, token: TOKEN });

test.each([
  ['200 OK', 'delivered'],
  ['202 Accepted', 'delivered'],
  ['400 Bad Request', 'refused'],
  ['403 Forbidden', 'refused'],
  ['410 Gone', 'refused'],
  ['500 Internal Server Error', 'failed'],
  ['503 Service Unavailable', 'failed'],
  ['301 Moved Permanently', 'failed'],
])('what the daemon answers with %s is %s', async (status, delivery) => {
  const bench = new HookBench();
  await bench.listen(answering(status));
  expect(await deliver(session(bench), '{}', AMPLE_MS)).toBe(delivery);
});

test('an answer may come in pieces, and its end is not waited for', async () => {
  const bench = new HookBench();
  await bench.listen((socket) => {
    socket.write('HTTP/1.');
    setImmediate(() => socket.write('1 200'));
  });
  expect(await deliver(session(bench), '{}', AMPLE_MS)).toBe('delivered');
});

test.each(['', 'HTTP/1.1', 'no HTTP at all'])('a connection that ends with %j has failed', async (answer) => {
  const bench = new HookBench();
  await bench.listen((socket) => socket.end(answer));
  expect(await deliver(session(bench), '{}', AMPLE_MS)).toBe('failed');
});

test('a daemon that does not answer is given up', async () => {
  const bench = new HookBench();
  await bench.listen(() => undefined);
  expect(await deliver(session(bench), '{}', 20)).toBe('failed');
});

test.each<readonly [string, (bench: HookBench) => void]>([
  ['there is none', () => undefined],
  ['it is a file', ({ socket }) => writeFileSync(socket, '')],
])('a socket cannot be reached when %s', async (_, prepare) => {
  const bench = new HookBench();
  prepare(bench);
  expect(await deliver(session(bench), '{}', AMPLE_MS)).toBe('failed');
});

test('a path that is too long for a socket is a failure like any other', async () => {
  const bench = new HookBench();
  expect(await deliver({ ...session(bench), socket: `/${'x'.repeat(300)}` }, '{}', AMPLE_MS)).toBe('failed');
});
