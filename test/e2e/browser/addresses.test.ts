import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PageBench, SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { ReverseProxy } from './reverse-proxy.js';

const run = promisify(execFile);
/** Resolves to this machine. */
const NAME = 'phone.example';

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: NAME } }, foreignNames: [NAME] });
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

async function certificate(): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(bench.host.dir, 'cert.pem'), join(bench.host.dir, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', `/CN=${NAME}`];
  await run('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert]);
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
}

describe('the page works, terminal and all, where it is opened by', () => {
  test('another name and port', async () => {
    await using proxy = await ReverseProxy.to(bench.host.ready.listen);
    await worksAt(`http://${NAME}:${proxy.port}`);
  });

  test('the https of a proxy', async () => {
    await using proxy = await ReverseProxy.to(bench.host.ready.listen, { tls: await certificate() });
    await worksAt(`https://${NAME}:${proxy.port}`);
  });

  async function worksAt(origin: string): Promise<void> {
    const page = await bench.logIn({ ignoreHTTPSErrors: true }, origin);
    const sockets: string[] = [];
    page.page.on('websocket', (socket) => sockets.push(socket.url()));
    await bench.opened(SHELL, { page });
    await page.enter('echo typed-$((40 + 2))');
    await page.shows('typed-42');
    expect(new URL(page.page.url()).origin).toBe(origin);
    expect(new Set(sockets.map((url) => new URL(url).origin))).toEqual(new Set([origin.replace('http', 'ws')]));
    await page.page.reload();
    await page.shows('typed-42');
  }
});

describe('a daemon that hangs up on whoever comes', () => {
  /** With waits that double from a quarter of a second and are cut by half at most. */
  const LEAST_MS_OF_FIVE = 125 + 250 + 500 + 1000;

  test('is tried at longer and longer intervals, for the terminal and for the list', async () => {
    await using proxy = await ReverseProxy.to(bench.host.ready.listen);
    const page = await bench.logIn({}, `http://${NAME}:${proxy.port}`);
    await bench.opened(SHELL, { page });
    const before = { ...proxy.begun };
    const start = performance.now();
    proxy.cutsAfterMs = 10;
    proxy.cut();
    const took = async (kind: keyof typeof before) => {
      await until(`five more ${kind}`, () => proxy.begun[kind] - before[kind] >= 5);
      return performance.now() - start;
    };
    const [terminals, events] = await Promise.all([took('terminals'), took('events')]);
    expect(terminals).toBeGreaterThan(LEAST_MS_OF_FIVE);
    expect(events).toBeGreaterThan(LEAST_MS_OF_FIVE);
  });

  test('is tried so also where it says that all is over, and the session goes on', async () => {
    const page = await bench.blank();
    const begun: number[] = [];
    await page.page.routeWebSocket(/\/pty/, (socket) => {
      begun.push(performance.now());
      const server = socket.connectToServer();
      server.onMessage((message) => {
        socket.send(message);
        setTimeout(() => void socket.close({ code: 1000, reason: 'over' }), 10);
      });
    });
    await bench.host.create({ command: SHELL });
    await page.open(await bench.loginUrl()); // shows the session at once
    const [first, fifth] = await until('five terminals', () => begun.length >= 5 && [begun[0] ?? 0, begun[4] ?? 0]);
    expect(fifth - first).toBeGreaterThan(LEAST_MS_OF_FIVE);
  });

  test('is tried no more once it does not know the login: the page asks to sign in', async () => {
    await using proxy = await ReverseProxy.to(bench.host.ready.listen);
    const page = await bench.logIn({}, `http://${NAME}:${proxy.port}`);
    await bench.opened(SHELL, { page });
    proxy.refuses = true;
    proxy.cut();
    await page.isSignedOut();
    const { terminals, events } = proxy.begun;
    proxy.refuses = false;
    await page.page.getByLabel('Or paste the link or its code').fill(await bench.loginUrl());
    await page.button('Sign in').click();
    await page.shows('>');
    expect(proxy.begun.events - events).toBe(1);
    expect(proxy.begun.terminals - terminals).toBe(1);
  });
});
