import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LoginAnswer, LoginLink, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { upgradeStatus } from '../support/pty-viewer.js';
import { exchange } from '../support/raw-http.js';
import { until } from '../support/until.js';

const MARK = `words-${randomUUID()}`;

let host: TestHost;
let session: Session;
beforeAll(async () => {
  host = await TestHost.started();
  session = await host.create({ command: `echo ${MARK}; exec cat`, metadata: { name: MARK } });
  await host.shows(session.id, MARK);
});
afterAll(() => host[Symbol.asyncDispose]());

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly takesBody: boolean;
}

/** Every operation that the daemon says it has. */
async function operations(): Promise<Operation[]> {
  const { body } = await host.call<{ paths: Record<string, Record<string, { requestBody?: unknown }>> }>('GET', '/api/openapi.json');
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      takesBody: requestBody !== undefined,
    })),
  );
}

interface Raw {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** What comes back for a request whose address is sent as it stands. */
function ask({ method, target, headers = [], body = '' }: Raw): Promise<string> {
  const lines = [`${method} ${target} HTTP/1.1`, ...(headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${host.ready.listen}`])];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return exchange(host.ready.listen, [...lines, ...headers, ...length, 'Connection: close', '', body].join('\r\n'));
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const withId = (path: string, id = session.id) => path.replace('{id}', id);
const bearer = () => `Authorization: Bearer ${host.token}`;
const JSON_TYPE = 'Content-Type: application/json';

/** Addresses that mean the same route to a server that decodes them. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/api/', '/%61%70%69/'),
  (path) => path.replace('/api/', '/ap%69/'),
  (path) => `http://${host.ready.listen}${path}`,
  (path) => `http://elsewhere.example${path}`,
  (path) => `https://x/${path}`,
  (path) => `${path}?x=/s/`,
  (path) => `${path}?`,
  (path) => `${path};/s/`,
  (path) => `/${path}`,
  (path) => `/s/..${path}`,
  (path) => `/.${path}`,
  (path) => path.replace('/api/', '/API/'),
];

describe('every route', () => {
  test('is shut without the token, however its address is spelled, and tells nothing', async () => {
    const all = (await operations()).filter(({ path }) => path !== '/api/auth/login');
    expect(all.length).toBeGreaterThan(30);
    for (const { method, path } of all) {
      for (const spell of SPELLINGS) {
        const target = withId(spell(path));
        const answer = await ask({ method, target });
        const isPage = statusOf(answer) === 200 && /<div id="root">/.test(answer);
        expect(`${method} ${target} ${isPage ? 'page' : statusOf(answer)}`).toMatch(/ (?:401|404|page)$/);
        expect(answer).not.toContain(MARK);
      }
      expect(statusOf(await ask({ method, target: withId(path) }))).toBe(401);
    }
    expect(await host.session(session.id)).toMatchObject({ status: 'running', metadata: { name: MARK } });
  });

  test('is shut to a token in its query, and to other schemes', async () => {
    for (const { method, path } of await operations()) {
      if (path === '/api/auth/login') continue;
      for (const query of ['token', 'access_token', 'authorization', 'secret']) {
        expect(statusOf(await ask({ method, target: `${withId(path)}?${query}=${host.token}` }))).toBe(401);
      }
      const basic = Buffer.from(`:${host.token}`).toString('base64');
      expect(statusOf(await ask({ method, target: withId(path), headers: [`Authorization: Basic ${basic}`] }))).toBe(401);
    }
  });

  test('is shut to another host name and to pages of other origins, whatever they have to show', async () => {
    const port = host.ready.listen.split(':')[1];
    const foreign = [
      'Host: evil.example',
      `Host: evil.example:${port}`,
      `Origin: http://evil.example:${port}`,
      'Origin: null',
      'Origin: file://',
      `Origin: http://127.0.0.1:${Number(port) + 1}`,
      `Origin: http://${host.ready.listen}.evil.example`,
    ];
    for (const { method, path } of await operations()) {
      for (const line of foreign) {
        for (const spell of SPELLINGS.slice(0, 2)) {
          const answer = await ask({ method, target: withId(spell(path)), headers: [bearer(), line] });
          expect(`${method} ${path} ${line} ${statusOf(answer)}`).toMatch(/ 403$/);
          expect(answer).not.toMatch(/access-control-allow/i);
        }
      }
    }
  });

  test('that takes a body takes JSON that is called so, and nothing that a form can send', async () => {
    const taking = (await operations()).filter(({ takesBody }) => takesBody);
    expect(taking.length).toBeGreaterThan(6);
    for (const { method, path } of taking) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json+x']) {
        const answer = await ask({ method, target: withId(path), headers: [bearer(), `Content-Type: ${type}`], body: '{}' });
        expect(`${method} ${path} ${type} ${statusOf(answer)}`).toMatch(/ 415$/);
      }
    }
  });

  test('that takes an id takes a uuid, and no way out of a directory', async () => {
    const ids = [
      '..%2f..%2f..%2fetc%2fpasswd',
      '%2e%2e%2f%2e%2e%2ftoken',
      '..%5c..%5ctoken',
      '%252e%252e%252ftoken',
      '..%00',
      `${session.id}%00`,
      `${session.id}%2f..%2f..%2ftoken`,
      `${session.id}.json`,
      `%20${session.id}`,
      `${session.id}%0a`,
      '-',
      '__proto__',
    ];
    for (const { method, path } of (await operations()).filter((one) => one.path.includes('{id}') && !one.path.endsWith('/pty'))) {
      for (const id of ids) {
        const type = path.endsWith('/files') ? 'Content-Type: application/octet-stream' : JSON_TYPE;
        const answer = await ask({ method, target: withId(path, id), headers: [bearer(), type], body: '{}' });
        expect(`${method} ${path} ${id} ${statusOf(answer)}`).toMatch(/ 404$/);
        expect(answer).not.toContain(host.token);
      }
    }
    expect(await host.session(session.id)).toMatchObject({ status: 'running' });
  });
});

describe('a terminal', () => {
  test('opens to nobody without a login, however its address is spelled, and whoever is refused is hung up on', async () => {
    for (const spell of SPELLINGS.slice(1)) {
      const path = spell(`/api/sessions/${session.id}/pty`);
      if (path.startsWith('http')) continue;
      const heard = await firstFrame(path);
      expect(`${path} ${heard}`).not.toContain('attached');
    }
    for (const target of [`http://${host.ready.listen}/api/sessions/${session.id}/pty`, `/api/sessions/${session.id}/pty`, '/api/%zz']) {
      const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==', 'Sec-WebSocket-Version: 13'];
      const lines = [`GET ${target} HTTP/1.1`, `Host: ${host.ready.listen}`, 'Connection: Upgrade', ...upgrade, '', ''];
      // All of it comes only once the daemon has hung up, so that nobody can pile up connections that were refused.
      expect(statusOf(await exchange(host.ready.listen, lines.join('\r\n')))).toBe(target === '/api/%zz' ? 404 : 401);
    }
  });

  test('takes the token from a header or a subprotocol, never from its address', async () => {
    const path = `/api/sessions/${session.id}/pty`;
    for (const query of ['token', 'access_token', 'secret'])
      expect(await upgradeStatus(host, `${path}?${query}=${host.token}`, {})).toBe(401);
    expect(await upgradeStatus(host, path, { authorization: `Bearer ${host.token}`, origin: 'null' })).toBe(403);
    expect(await upgradeStatus(host, path, { authorization: `Bearer ${host.token}`, host: 'evil.example' })).toBe(403);
    expect(await upgradeStatus(host, path, { authorization: `Bearer ${host.token}` })).toBe(101);
  });

  test('that is sent more than it may be, in one message or in parts, is closed and hinders nobody', async () => {
    for (const fin of [true, false]) {
      const socket = new WebSocket(`ws://${host.ready.listen}/api/sessions/${session.id}/pty`, {
        headers: { authorization: `Bearer ${host.token}` },
      });
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      await new Promise((resolve) => socket.once('open', resolve));
      socket.on('error', () => undefined);
      for (let sent = 0; sent < 6 && socket.readyState === WebSocket.OPEN; sent += 1)
        socket.send(Buffer.alloc(1024 * 1024), { fin: false });
      socket.send(Buffer.alloc(5 * 1024 * 1024), { fin });
      // Hung up on in the middle of what it sends, it may miss why.
      expect([1009, 1006]).toContain(await closed);
    }
    expect((await host.call('GET', '/api/health')).body).toEqual({ ok: true });
  });

  /** What a viewer without a login hears first: a frame, or the status of a refusal. */
  function firstFrame(path: string): Promise<string> {
    const socket = new WebSocket(`ws://${host.ready.listen}${path}`);
    return new Promise((resolve) => {
      socket.once('message', (data) => resolve(String(data)));
      socket.once('unexpected-response', (request, response) => {
        request.destroy();
        resolve(String(response.statusCode));
      });
      socket.once('close', (code) => resolve(String(code)));
      socket.on('error', () => undefined);
    });
  }
});

test.each([
  '/..%2f..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/%2e%2e/package.json',
  '/assets/..%2f..%2fdaemon%2fmain.js',
  '/assets/%2e%2e/%2e%2e/daemon/main.js',
  '/..%5c..%5cdaemon%5cmain.js',
  '/s/..%2f..%2fdaemon%2fmain.js',
  '//etc/passwd',
  '/%00',
  '/index.html%00.js',
])('the page has no file at %s', async (target) => {
  const answer = await ask({ method: 'GET', target });
  const isPage = statusOf(answer) === 200 && /<div id="root">/.test(answer);
  expect(isPage || [400, 401, 403, 404].includes(statusOf(answer))).toBe(true);
  expect(answer).not.toMatch(/"name": "maestro"|main\.js\.map|root:x:/);
});

describe('a body of 100 MB', () => {
  const MEGABYTE = Buffer.alloc(1024 * 1024, 0x20);

  /** Sends such a body, and resolves with all that came back. */
  function flood(headers: readonly string[], frame: (part: Buffer) => Buffer, end: string): Promise<string> {
    const [name = '', port] = host.ready.listen.split(':');
    return new Promise((resolve) => {
      const socket = connect(Number(port), name);
      let [text, sent] = ['', 0];
      const more = () => {
        while (sent < 100 && socket.writable) {
          sent += 1;
          if (!socket.write(frame(MEGABYTE))) return;
        }
        if (sent === 100) socket.write(end);
        sent += 1;
      };
      socket.setEncoding('latin1').on('data', (part: string) => {
        text += part;
        if (text.includes('\r\n\r\n')) socket.end();
      });
      socket.on('drain', more).on('error', () => undefined);
      socket.once('close', () => resolve(text));
      socket.write([...headers, `Host: ${host.ready.listen}`, JSON_TYPE, '', ''].join('\r\n'));
      more();
    });
  }

  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${host.ready.pid}/status`, 'utf8'))?.[1]) / 1024;

  test.each([
    ['announced', 'Content-Length: 104857600', (part: Buffer) => part, ''],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      (part: Buffer) => Buffer.concat([Buffer.from('100000\r\n'), part, Buffer.from('\r\n')]),
      '0\r\n\r\n',
    ],
  ] as const)('%s is refused without being kept, and others are served meanwhile', async (_how, length, frame, end) => {
    const before = memory();
    const flooding = flood(['POST /api/sessions HTTP/1.1', bearer(), length], frame, end);
    const unknown = flood(['POST /api/sessions HTTP/1.1', length], frame, end);
    expect((await host.call('GET', '/api/health')).body).toEqual({ ok: true });
    expect(await flooding).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
    // Who is not known need not be told: it may be hung up on.
    expect(await unknown).toMatch(/^(?:HTTP\/1\.1 401 .*)?$/s);
    expect(memory() - before).toBeLessThan(90);
    expect((await host.session(session.id)).status).toBe('running');
  });
});

test('hundreds of requests that never end keep nobody from being served', async () => {
  const [name = '', port] = host.ready.listen.split(':');
  const beginnings = [
    '',
    'G',
    `GET /api/sessions HTTP/1.1\r\nHost: ${host.ready.listen}\r\nX-Slow: `,
    `POST /api/sessions HTTP/1.1\r\nHost: ${host.ready.listen}\r\n${bearer()}\r\n${JSON_TYPE}\r\nContent-Length: 1000\r\n\r\n{"cwd":`,
    `POST /api/auth/login HTTP/1.1\r\nHost: ${host.ready.listen}\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ];
  const slow: Socket[] = [];
  const before = descriptors();
  try {
    for (let n = 0; n < 400; n += 1) {
      const socket = connect(Number(port), name);
      slow.push(socket);
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(beginnings[n % beginnings.length] ?? '');
    }
    const feed = setInterval(() => {
      for (const socket of slow) socket.write('1');
    }, 50);
    try {
      const words = `still-${randomUUID()}`;
      expect((await host.call('POST', `/api/sessions/${session.id}/input`, { text: words, submit: true })).status).toBe(200);
      await host.shows(session.id, words);
      const { id } = await host.create({ command: 'echo made; exec sleep 100' });
      await host.shows(id, 'made');
      expect((await host.kill(id)).status).toBe(200);
    } finally {
      clearInterval(feed);
    }
  } finally {
    for (const socket of slow) socket.destroy();
  }
  await until('the connections to be let go of', () => descriptors() < before + 50);
});

const descriptors = () => readdirSync(`/proc/${host.ready.pid}/fd`).length;

describe('two instances on one host', () => {
  test('have logins of their own: neither half of one opens the other, and a logout of one ends nothing there', async () => {
    await using other = await TestHost.started();
    const [mine, theirs] = [await logIn(host), await logIn(other)];
    expect(mine.cookie.split('=')[0]).not.toBe(theirs.cookie.split('=')[0]);
    const both = `${mine.cookie}; ${theirs.cookie}`;
    // The browser sends both cookies to both ports; each page has its own secret.
    expect(await enter(host, both, mine.secret)).toBe(200);
    expect(await enter(other, both, theirs.secret)).toBe(200);
    expect(await enter(host, both, theirs.secret)).toBe(401);
    expect(await enter(other, both, mine.secret)).toBe(401);
    const renamed = mine.cookie.replace(/^[^=]+/, theirs.cookie.split('=')[0] ?? '');
    expect(await enter(other, renamed, mine.secret)).toBe(401);
    const out = await fetch(`http://${other.ready.listen}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: both, 'x-maestro-secret': theirs.secret },
    });
    expect(out.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual([theirs.cookie.split('=')[0]]);
    expect(await enter(other, both, theirs.secret)).toBe(401);
    expect(await enter(host, both, mine.secret)).toBe(200);
    const token = { headers: { authorization: `Bearer ${host.token}` } };
    expect((await fetch(`http://${other.ready.listen}/api/sessions`, token)).status).toBe(401);
    const { code } = (await host.call<LoginLink>('POST', '/api/auth/link')).body;
    expect((await redeem(other, code)).status).toBe(401);
    expect((await redeem(host, code)).status).toBe(200);
  });

  async function logIn(at: TestHost): Promise<{ cookie: string; secret: string }> {
    const response = await redeem(at, (await at.call<LoginLink>('POST', '/api/auth/link')).body.code);
    const { secret } = (await response.json()) as LoginAnswer;
    return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', secret };
  }

  function redeem(at: TestHost, code: string): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return fetch(`http://${at.ready.listen}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify({ code }) });
  }

  async function enter(at: TestHost, cookie: string, secret: string): Promise<number> {
    return (await fetch(`http://${at.ready.listen}/api/sessions`, { headers: { cookie, 'x-maestro-secret': secret } })).status;
  }
});

test('a one-time code that is tried by many at once opens once', async () => {
  const { code } = (await host.call<LoginLink>('POST', '/api/auth/link')).body;
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`http://${host.ready.listen}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify({ code }) }))
        .status;
    }),
  );
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
});
