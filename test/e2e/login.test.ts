import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiError, LoginAnswer, LoginLink } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';

const run = promisify(execFile);

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());

/** What a browser keeps after its login. */
interface Browser {
  readonly cookie: string;
  readonly secret: string;
}

const link = async () => (await host.call<LoginLink>('POST', '/api/auth/link')).body;

function as(browser: Partial<Browser>, path = '/api/sessions', init: RequestInit = {}): Promise<Response> {
  const headers: Record<string, string> = {};
  if (browser.cookie !== undefined) headers.cookie = browser.cookie;
  if (browser.secret !== undefined) headers['x-maestro-secret'] = browser.secret;
  return fetch(`http://${host.ready.listen}${path}`, { ...init, headers });
}

async function tryCode(code: string, { ready } = host): Promise<Response> {
  return fetch(`http://${ready.listen}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
}

async function logIn(): Promise<Browser> {
  const response = await tryCode((await link()).code);
  expect(response.status).toBe(200);
  const { secret } = (await response.json()) as LoginAnswer;
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', secret };
}

describe('a browser logs in by a one-time code', () => {
  test('the code is in the fragment of the URL, opens once, and gives a cookie that no page can read', async () => {
    const { url, code } = await link();
    expect(url).toBe(`http://${host.ready.listen}/#code=${code}`);
    const response = await tryCode(code);
    expect(response.headers.get('set-cookie')).toMatch(/^maestro_[0-9a-f]{12}=[^;]+; .*Path=\/; .*HttpOnly; SameSite=Strict$/i);
    expect((await tryCode(code)).status).toBe(401);
  });

  test('only both halves of a login together open the API', async () => {
    const [mine, other] = [await logIn(), await logIn()];
    expect((await as(mine)).status).toBe(200);
    for (const half of [{ cookie: mine.cookie }, { secret: mine.secret }, { cookie: mine.cookie, secret: other.secret }, {}]) {
      expect((await as(half)).status).toBe(401);
    }
  });

  test('the login holds across a restart of the daemon, and ends with a logout', async () => {
    const [mine, other] = [await logIn(), await logIn()];
    await host.restart('SIGKILL');
    const listen = await as(mine);
    expect(listen.status).toBe(200);
    expect((await as(mine, '/api/auth/logout', { method: 'POST' })).status).toBe(200);
    expect((await as(mine)).status).toBe(401);
    expect((await as(other)).status).toBe(200);
  });

  test('a WebSocket takes the secret as a subprotocol, and does not send it back', async () => {
    const { id } = await host.create({ command: 'echo hello; exec sleep 1000' });
    const { cookie, secret } = await logIn();
    const open = (protocols: string[], headers: Record<string, string>) =>
      new Promise<{ protocol?: string; status?: number }>((resolve) => {
        const socket = new WebSocket(`ws://${host.ready.listen}/api/sessions/${id}/pty`, protocols, { headers });
        socket.once('open', () => {
          resolve({ protocol: socket.protocol });
          socket.close();
        });
        socket.once('unexpected-response', (_request, response) => resolve({ status: response.statusCode ?? 0 }));
        socket.once('error', () => undefined);
      });
    const origin = `http://${host.ready.listen}`;
    expect(await open(['maestro.v1', `maestro.secret.${secret}`], { cookie, origin })).toEqual({ protocol: 'maestro.v1' });
    expect(await open(['maestro.v1'], { cookie, origin })).toEqual({ status: 401 });
    expect(await open(['maestro.v1', `maestro.secret.${secret}`], { origin })).toEqual({ status: 401 });
    expect(await open(['maestro.v1', `maestro.secret.${secret}`], { cookie, origin: 'https://evil.example' })).toEqual({ status: 403 });
  });

  test('a link cannot be made by a browser that is logged in, only with the token', async () => {
    expect((await as(await logIn(), '/api/auth/link', { method: 'POST' })).status).toBe(403);
  });
});

/** Tries the code as user 65534, who is nobody. */
async function tryAsNobody(listen: string, code: string, host = listen): Promise<string> {
  const script = `
    const [listen, code, host] = process.argv.slice(1);
    const [, hostname, port] = /^(.*):(\\d+)$/.exec(listen);
    const request = require('node:http').request({ method: 'POST', host: hostname.replace(/[[\\]]/g, ''), port, path: '/api/auth/login',
      headers: { host, 'content-type': 'application/json' } }, (answer) => {
      console.log(answer.statusCode);
      answer.pipe(process.stdout);
    });
    request.end(JSON.stringify({ code }));`;
  const options = { uid: 65_534, gid: 65_534, cwd: '/' };
  return (await run(process.execPath, ['-e', script, listen, code, host], options)).stdout;
}

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('a link that another user of the host has read', () => {
  test.each(['127.0.0.1:0', '[::1]:0', '127.0.0.5:0'])('logs nobody else in at %s, and still logs in whose it is', async (listen) => {
    await using own = await TestHost.started({ env: { MAESTRO_LISTEN: listen } });
    const { code } = (await own.call<LoginLink>('POST', '/api/auth/link')).body;
    const answer = await tryAsNobody(own.ready.listen, code);
    expect(answer).toMatch(/^403\n.*"forbidden".*this link logs in user 0/);
    expect((await tryCode(code, own)).status).toBe(200);
  });

  test('logs him in through a proxy of his, whose name is allowed', async () => {
    await using own = await TestHost.started({ env: { MAESTRO_ALLOWED_HOSTS: 'maestro.example' } });
    const { code } = (await own.call<LoginLink>('POST', '/api/auth/link')).body;
    expect(await tryAsNobody(own.ready.listen, code, 'maestro.example')).toMatch(/^200\n/);
  });
});

test('the token is replaced over the unix socket only, and every browser is logged out with it', async () => {
  const browser = await logIn();
  expect((await host.call('POST', '/api/auth/rotate')).status).toBe(404);
  const old = host.token;
  expect((await host.callLocal('POST', '/api/auth/rotate')).status).toBe(200);
  expect((await fetch(`http://${host.ready.listen}/api/sessions`, { headers: { authorization: `Bearer ${old}` } })).status).toBe(401);
  expect((await as(browser)).status).toBe(401);
  await host.restart();
  expect(host.token).not.toBe(old);
  expect((await host.call('GET', '/api/sessions')).status).toBe(200);
});

test('wrong codes are slowed down', async () => {
  const { code } = await link();
  for (let n = 0; n < 10; n += 1) expect((await tryCode(`wrong-${n}`)).status).toBe(401);
  const locked = await tryCode(code);
  expect(locked.status).toBe(403);
  expect(((await locked.json()) as ApiError).error.message).toContain('wait');
});

test('every answer carries the security headers', async () => {
  for (const path of ['/api/health', '/']) {
    const { headers } = await fetch(`http://${host.ready.listen}${path}`, { headers: { authorization: `Bearer ${host.token}` } });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});
