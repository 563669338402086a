import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiError, ApiErrorSchema, ERROR_STATUS, type ErrorCode, type Host, type Session, VERSION } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { exchange, overSocket, statusOf } from '../support/raw-http.js';
import { until } from '../support/until.js';

let host: TestHost;
let session: Session;
beforeAll(async () => {
  host = await TestHost.started({ env: { MAESTRO_HOST_NAME: 'Täst', MAESTRO_LEADER: 'C-a', MAESTRO_ALLOWED_HOSTS: 'work.example' } });
  session = await host.create({ command: 'exec cat', metadata: { name: 'one' } });
});
afterAll(() => host[Symbol.asyncDispose]());

const UNKNOWN = '11111111-1111-4111-8111-111111111111';

interface Operation {
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: unknown }>> }>
  >;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

async function operations(): Promise<{ method: string; path: string; operation: Operation }[]> {
  const { body } = await host.call<OpenApi>('GET', '/api/openapi.json');
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

describe('the OpenAPI document', () => {
  test.each([
    ['GET', '/api/health'],
    ['GET', '/api/host'],
    ['GET', '/api/openapi.json'],
    ['GET', '/api/sessions'],
    ['POST', '/api/sessions'],
    ['GET', '/api/sessions/{id}'],
    ['PATCH', '/api/sessions/{id}'],
    ['DELETE', '/api/sessions/{id}'],
    ['POST', '/api/sessions/{id}/resume'],
    ['POST', '/api/sessions/{id}/stop'],
    ['POST', '/api/sessions/{id}/restart'],
    ['POST', '/api/sessions/{id}/activity'],
    ['POST', '/api/sessions/{id}/input'],
    ['POST', '/api/sessions/{id}/size'],
    ['GET', '/api/sessions/{id}/screen'],
    ['GET', '/api/sessions/{id}/scrollback'],
    ['GET', '/api/sessions/{id}/pty'],
    ['GET', '/api/events'],
    ['GET', '/api/presets'],
  ])('tells what %s %s takes and answers', async (method, path) => {
    const found = (await operations()).find((one) => one.method === method && one.path === path)?.operation;
    expect(found).toBeDefined();
    const parameters = found?.parameters ?? [];
    expect(parameters.some(({ name }) => name === 'id')).toBe(path.includes('{id}'));
    for (const parameter of parameters) expect(parameter.schema).toBeTypeOf('object');
    const takes = ['PATCH', 'POST'].includes(method) && !/\/(stop|restart)$/.test(path);
    expect(found?.requestBody?.content['application/json']?.schema === undefined).toBe(!takes);
    const good = Object.entries(found?.responses ?? {}).filter(([status]) => Number(status) < 300);
    expect(good).toHaveLength(1);
    for (const { content } of good.map(([, answer]) => answer)) {
      if (!path.endsWith('/pty')) expect(Object.values(content ?? {})[0]?.schema).toBeTypeOf('object');
    }
  });

  test('tells that a file is taken as it is', async () => {
    const found = (await operations()).find((one) => one.method === 'POST' && one.path === '/api/sessions/{id}/files')?.operation;
    expect(found?.parameters?.map(({ name }) => name).sort()).toEqual(['id', 'name']);
    expect(found?.requestBody?.content).toEqual({ 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } });
    expect(Object.keys(found?.responses ?? {})).toContain('201');
  });

  test('is OpenAPI 3.1, names the frames of the stream, and each error status with its codes', async () => {
    const { body, headers } = await host.call<OpenApi>('GET', '/api/openapi.json');
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Maestro', version: VERSION } });
    expect(Object.keys(body.components.schemas)).toEqual(expect.arrayContaining(['ServerFrame', 'ClientFrame']));
    const { responses } = body.paths['/api/sessions/{id}']?.delete ?? { responses: {} };
    for (const [code, status] of Object.entries(ERROR_STATUS)) expect(responses[status]?.description).toMatch(new RegExp(`\\b${code}\\b`));
  });

  test('lists nothing that is not there', async () => {
    for (const { method, path, operation } of await operations()) {
      if (path.startsWith('/api/auth/') || path === '/api/events' || path.endsWith('/pty')) continue;
      const answer = await host.call<ApiError>(method, path.replace('{id}', UNKNOWN), operation.requestBody ? {} : undefined);
      expect(`${method} ${path}: ${JSON.stringify(answer.body)}`).not.toContain('nothing at this path');
    }
  });
});

describe('both ways in', () => {
  const socket = () => host.ready.socket;

  test('carry the same routes: the unix socket without a token, TCP with it', async () => {
    for (const path of ['/api/health', '/api/host', '/api/presets', '/api/sessions', `/api/sessions/${session.id}`, '/api/openapi.json']) {
      const local = await overSocket(socket(), 'GET', path);
      const remote = await host.call(path === '/api/host' ? 'GET' : 'GET', path);
      expect(local.status).toBe(200);
      expect(remote.status).toBe(200);
      if (path !== '/api/host' && path !== '/api/openapi.json') expect(local.body).toEqual(remote.body);
      expect(await statusOf(host.ready.listen, path, [`Host: ${host.ready.listen}`])).toBe(401);
    }
    const made = await overSocket(socket(), 'POST', '/api/sessions', { cwd: host.dir, command: 'exec cat' });
    const { id } = made.body as Session;
    expect(made.status).toBe(201);
    expect((await host.session(id)).status).toBe('running');
    expect((await overSocket(socket(), 'POST', `/api/sessions/${id}/input`, { text: 'words' })).body).toEqual({ delivered: true });
    await host.shows(id, 'words');
    expect((await overSocket(socket(), 'DELETE', `/api/sessions/${id}`)).body).toEqual({ removed: true, worktree: 'none' });
    expect((await overSocket(socket(), 'GET', `/api/sessions/${id}`)).status).toBe(404);
  });

  test('an answer is not kept by any cache, and tells a browser to guess nothing', async () => {
    const { headers } = await host.call('GET', '/api/sessions');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
});

describe('the error table', () => {
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    host.call<ApiError>(method, path, body, headers);
  const one = () => `/api/sessions/${session.id}`;

  async function resting(): Promise<string> {
    const { id } = await host.create({ command: 'true' });
    await host.reaches(id, 'dead');
    return `/api/sessions/${id}`;
  }

  const cases: Partial<Record<ErrorCode, () => Promise<{ status: number; body: ApiError }>>> = {
    invalid_request: () => call('POST', '/api/sessions', {}),
    unauthorized: () => call('GET', '/api/sessions', undefined, { authorization: 'Bearer wrong' }),
    forbidden: () => call('GET', '/api/sessions', undefined, { origin: 'https://evil.example' }),
    not_found: () => call('GET', `/api/sessions/${UNKNOWN}`),
    already_running: () => call('POST', `${one()}/resume`),
    cwd_missing: () => call('POST', '/api/sessions', { cwd: '/nonexistent', command: 'true' }),
    not_running: async () => call('GET', `${await resting()}/screen`),
    waiting: async () => {
      await call('POST', `${one()}/activity`, { state: 'waiting' });
      const answer = await call('POST', `${one()}/input`, { text: 'x' });
      await call('POST', `${one()}/activity`, { state: 'idle' });
      return answer;
    },
    payload_too_large: () => call('POST', '/api/sessions', `"${'x'.repeat(4 * 1024 * 1024)}"`),
    unsupported_media_type: () => call('POST', '/api/sessions', '{}', { 'content-type': 'text/plain' }),
    agent_not_found: async () => {
      await using other = await TestHost.started({ env: { PATH: '/usr/bin:/bin' } });
      return await other.call<ApiError>('POST', '/api/sessions', { cwd: '/', preset: 'claude' });
    },
    storage_failed: async () => {
      const sessions = join(host.state, 'sessions');
      await rename(sessions, `${sessions}.away`);
      try {
        return await call('PATCH', one(), { metadata: { a: 1 } });
      } finally {
        await rename(`${sessions}.away`, sessions);
      }
    },
  };

  test.each(Object.entries(cases))('%s has the status of the table, a message and nothing else', async (code, provoke) => {
    const { status, body } = await provoke();
    expect(ApiErrorSchema.parse(body)).toEqual(body);
    expect(body.error.code).toBe(code);
    expect(status).toBe(ERROR_STATUS[code as ErrorCode]);
    expect(body.error.message.length).toBeGreaterThan(10);
  });

  test('a change that could not be written is not shown either, and works once it can', async () => {
    expect((await host.session(session.id)).metadata).toEqual({ name: 'one' });
    expect((await host.call('PATCH', one(), { metadata: { a: 1 } })).status).toBe(200);
    expect(await host.sidecar(session.id)).toMatchObject({ metadata: { name: 'one', a: 1 } });
    await host.call('PATCH', one(), { metadata: { a: null } });
  });
});

describe('what is no request of this API', () => {
  test('gets an error of the table by whatever method on whatever path, never a 5xx', async () => {
    const paths = [...new Set((await operations()).map(({ path }) => path.replace('{id}', UNKNOWN)))];
    const more = [
      '/',
      '/api',
      '/api/',
      '/api/sessions/',
      '//api/sessions',
      '/api/%zz',
      '/api/sessions/%00',
      `/api/sessions/${'x'.repeat(300)}`,
      '/%2e%2e/etc',
    ];
    for (const path of [...paths, ...more]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (path === '/api/events' && method === 'GET') continue;
        for (const body of [undefined, '{', '[]', 'null', '"x"', '{"constructor":{"prototype":{}}}']) {
          const answer = await overSocket(host.ready.socket, method, path, body);
          expect(`${method} ${path} ${body} ${answer.status}`).toMatch(/ [24]\d\d$/);
          if (answer.status >= 400) expect(ApiErrorSchema.parse(answer.body)).toEqual(answer.body);
        }
      }
    }
    expect((await host.session(session.id)).status).toBe('running');
  });

  test.each([
    ['nested too deeply', `{"cwd":"/","command":"true","metadata":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}`],
    ['nested far too deeply', `${'['.repeat(1_000_000)}`],
    ['not UTF-8', Buffer.concat([Buffer.from('{"cwd":"/","command":"echo '), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
    ['half a surrogate pair in a key', '{"cwd":"/","command":"true","metadata":{"\\udc00":1}}'],
    ['a number beyond all', '{"cwd":"/","command":"true","size":{"cols":1e999,"rows":24}}'],
  ])('a body that is %s is an invalid_request', async (_what, body) => {
    const before = (await host.sessions()).length;
    const answer = await fetch(`http://${host.ready.listen}/api/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } });
    expect(await host.sessions()).toHaveLength(before);
  });

  test('metadata as deep as may be sent is kept, and comes back after a restart', async () => {
    const depth = 95;
    const { id } = await host.create({ command: 'true', metadata: { deep: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) } });
    const { metadata } = await host.reaches(id, 'dead');
    await host.restart();
    expect((await host.session(id)).metadata).toEqual(metadata);
    session = await host.session(session.id);
  });

  test('bytes that are no HTTP are answered with an error of the table, or hung up on, and the daemon goes on', async () => {
    const auth = `Authorization: Bearer ${host.token}`;
    const head = (line: string, ...headers: string[]) => [line, `Host: ${host.ready.listen}`, ...headers, '', ''].join('\r\n');
    const garbage = [
      'nonsense\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
      Buffer.from(Array.from({ length: 2000 }, (_, n) => (n * 7919) % 256)),
      head('GET /api/sessions HTTP/9.9'),
      head('GET  HTTP/1.1'),
      head('GET /api/sessions HTTP/1.1', 'Bad Header'),
      head('GET /api/sessions HTTP/1.1', `X: ${'x'.repeat(100_000)}`),
      head('POST /api/sessions HTTP/1.1', auth, 'Content-Length: nope'),
      head('POST /api/sessions HTTP/1.1', auth, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      `${head('POST /api/sessions HTTP/1.1', auth, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n`,
    ];
    for (const bytes of garbage) {
      const answer = await exchange(host.ready.listen, bytes);
      if (answer === '') continue;
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
      expect(`${bytes.slice(0, 40)} ${body}`).toContain('"error":{"code":"invalid_request"');
    }
    expect((await host.call('GET', '/api/health')).body).toEqual({ ok: true });
  });
});

test('GET /api/host tells of the daemon, and counts sessions by status', async () => {
  const dead = await host.create({ command: 'true' });
  await host.reaches(dead.id, 'dead');
  const { body } = await host.call<Host>('GET', '/api/host');
  const sessions = await host.sessions();
  const count = (status: string) => sessions.filter((one) => one.status === status).length;
  expect(body).toEqual({
    version: VERSION,
    host_name: 'Täst',
    home: host.home,
    state_dir: host.state,
    leader: 'C-a',
    listen: host.ready.listen,
    scheme: 'http',
    tmux_socket: join(host.state, 'run', 'tmux.sock'),
    tmux_version: expect.stringMatching(/^\d+\.\d+/),
    pid: host.ready.pid,
    uptime_seconds: expect.any(Number),
    sessions: { running: count('running'), dead: count('dead'), dormant: count('dormant') },
  });
  expect(Number.isInteger(body.uptime_seconds)).toBe(true);
  expect(body.uptime_seconds).toBeGreaterThanOrEqual(0);
});

test('without settings the host name is that of the system, and the leader C-b', async () => {
  await using other = await TestHost.started();
  expect((await other.call<Host>('GET', '/api/host')).body).toMatchObject({ host_name: hostname(), leader: 'C-b' });
  expect(homedir()).not.toBe(other.home);
});

describe('PATCH is a merge patch (RFC 7396) of the metadata', () => {
  const path = () => `/api/sessions/${session.id}`;
  const patch = (metadata: unknown) => host.call<Session>('PATCH', path(), { metadata });

  test('null removes, objects merge, anything else replaces', async () => {
    const { id } = await host.create({
      command: 'true',
      metadata: { name: 'n', a: 1, b: { x: 1, y: { z: 2 } }, list: [1, { q: 1 }], s: 'text' },
    });
    await host.reaches(id, 'dead');
    const steps: readonly [unknown, unknown][] = [
      [{}, { name: 'n', a: 1, b: { x: 1, y: { z: 2 } }, list: [1, { q: 1 }], s: 'text' }],
      [
        { a: null, absent: null },
        { name: 'n', b: { x: 1, y: { z: 2 } }, list: [1, { q: 1 }], s: 'text' },
      ],
      [{ b: { x: null, y: { w: 3 } } }, { name: 'n', b: { y: { z: 2, w: 3 } }, list: [1, { q: 1 }], s: 'text' }],
      [
        { list: [{ r: null }], s: { deep: { gone: null, kept: 0 } } },
        { name: 'n', b: { y: { z: 2, w: 3 } }, list: [{ r: null }], s: { deep: { kept: 0 } } },
      ],
      [
        { b: 'flat', name: null },
        { b: 'flat', list: [{ r: null }], s: { deep: { kept: 0 } } },
      ],
      [
        { constructor: 1, toString: 'x', '': 0, 'é😀': true },
        { b: 'flat', list: [{ r: null }], s: { deep: { kept: 0 } }, constructor: 1, toString: 'x', '': 0, 'é😀': true },
      ],
    ];
    for (const [metadata, expected] of steps) {
      const { status, body } = await host.call<Session>('PATCH', `/api/sessions/${id}`, { metadata });
      expect([status, body.metadata]).toEqual([200, expected]);
      expect((await host.sidecar(id)).metadata).toEqual(expected);
    }
  });

  test('touches updated_at and nothing else', async () => {
    const before = await host.session(session.id);
    const { body } = await patch({ touched: true });
    expect(body).toEqual({ ...before, metadata: { ...before.metadata, touched: true }, updated_at: body.updated_at });
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    await patch({ touched: null });
  });

  test('50 at once, of different keys, all hold', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `k${n}`);
    await Promise.all(keys.map((key, n) => patch({ [key]: n })));
    expect((await host.session(session.id)).metadata).toMatchObject(Object.fromEntries(keys.map((key, n) => [key, n])));
    expect((await host.sidecar(session.id)).metadata).toEqual((await host.session(session.id)).metadata);
    await patch(Object.fromEntries(keys.map((key) => [key, null])));
  });
});

describe('the Host header', () => {
  const status = (lines: readonly string[]) =>
    statusOf(host.ready.listen, '/api/sessions', [`Authorization: Bearer ${host.token}`, ...lines]);
  const port = () => host.ready.listen.split(':')[1];

  test('must name this daemon: a page whose name was made to resolve here gets nothing, though it had the token', async () => {
    for (const name of [
      'evil.example',
      `evil.example:${port()}`,
      `127.0.0.1.evil.com:${port()}`,
      '127.0.0.1',
      'localhost',
      '[::1]',
      '127.0.0.1:1',
      `127.0.0.1:${port()}.evil.com`,
      `127.0.0.1:0${port()}`,
      `user@127.0.0.1:${port()}`,
      `0.0.0.0:${port()}`,
      `127.1:${port()}`,
      `2130706433:${port()}`,
      'notwork.example',
      'x.work.example',
      '',
    ]) {
      expect(`${name} ${await status([`Host: ${name}`])}`).toBe(`${name} 403`);
    }
    for (const name of [
      `127.0.0.1:${port()}`,
      `localhost:${port()}`,
      `LOCALHOST:${port()}`,
      `[::1]:${port()}`,
      'work.example',
      'work.example:443',
    ])
      expect(`${name} ${await status([`Host: ${name}`])}`).toBe(`${name} 200`);
  });

  test('must be there, and the first one counts', async () => {
    expect(await status([])).toBe(400);
    expect(await status(['Host: evil.example', `Host: 127.0.0.1:${port()}`])).toBe(403);
    const old = await exchange(host.ready.listen, `GET /api/sessions HTTP/1.0\r\nAuthorization: Bearer ${host.token}\r\n\r\n`);
    expect(old).toMatch(/^HTTP\/1\.1 403/);
  });

  test('is checked on every route, before the token is', async () => {
    for (const path of [
      '/api/health',
      '/api/host',
      '/api/openapi.json',
      '/api/events',
      '/api/nope',
      '/',
      `/api/sessions/${session.id}/pty`,
    ])
      expect(`${path} ${await statusOf(host.ready.listen, path, ['Host: evil.example'])}`).toBe(`${path} 403`);
  });
});

describe('listen', () => {
  let other: TestHost;
  let taken: Server | undefined;
  afterEach(async () => {
    await new Promise((resolve) => (taken ? taken.close(resolve) : resolve(undefined)));
    taken = undefined;
    await other[Symbol.asyncDispose]();
  });

  /** Takes a port of the loopback address, or finds that somebody has it already. */
  async function take(port: number): Promise<number> {
    const server = createServer((socket) => socket.destroy());
    taken = server;
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        taken = undefined;
        if (error.code === 'EADDRINUSE') resolve(port);
        else reject(error);
      });
      server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
  }

  test('a taken default moves on to a free port, which is remembered', async () => {
    other = await TestHost.create({ env: { MAESTRO_LISTEN: '' } });
    await take(7433);
    const { listen } = await other.start();
    expect(listen).toMatch(/^127\.0\.0\.1:7[45]\d\d$/);
    expect(listen).not.toBe('127.0.0.1:7433');
    expect(JSON.parse(await readFile(join(other.state, 'daemon.json'), 'utf8'))).toMatchObject({ listen });
    await new Promise((resolve) => (taken ? taken.close(resolve) : resolve(undefined)));
    taken = undefined;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) expect((await other.restart(signal)).listen).toBe(listen);
  });

  test('a taken explicit one is refused, naming it and what to do; nothing is left in the way of the next start', async () => {
    other = await TestHost.create();
    const address = `127.0.0.1:${await take(0)}`;
    for (const settings of [{ env: { MAESTRO_LISTEN: address } }, { args: ['--listen', address] }]) {
      expect(await other.refusal(settings)).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(new RegExp(`${address}.*in use.*--listen`, 's')),
      });
    }
    expect(existsSync(join(other.state, 'run', 'maestro.sock'))).toBe(false);
    await other.start();
    expect((await other.call('GET', '/api/health')).status).toBe(200);
  });

  test('a flag wins over the environment, and that over the file', async () => {
    other = await TestHost.create();
    await mkdir(join(other.home, '.config', 'maestro'), { recursive: true });
    await writeFile(join(other.home, '.config', 'maestro', 'config.toml'), 'listen = "127.0.0.2:0"\nhost_name = "from the file"\n');
    expect((await other.start({ env: { MAESTRO_LISTEN: '' } })).listen).toMatch(/^127\.0\.0\.2:/);
    await other.end();
    expect((await other.start({ env: { MAESTRO_LISTEN: '127.0.0.3:0' } })).listen).toMatch(/^127\.0\.0\.3:/);
    await other.end();
    const { listen } = await other.start({ env: { MAESTRO_LISTEN: '127.0.0.3:0' }, args: ['--listen', '127.0.0.4:0'] });
    expect(listen).toMatch(/^127\.0\.0\.4:/);
    expect((await other.call<Host>('GET', '/api/host')).body).toMatchObject({ host_name: 'from the file', listen });
  });

  test('an address that others could reach is refused', async () => {
    other = await TestHost.create();
    for (const address of ['0.0.0.0:0', '[::]:0', '192.0.2.1:7433']) {
      const refused = await other.refusal({ env: { MAESTRO_LISTEN: address } });
      expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/MAESTRO_LISTEN.*loopback/s) });
    }
  });
});

describe('a start that is refused', () => {
  test('for a socket path over 107 bytes names the path and the limit, and makes nothing', async () => {
    await using other = await TestHost.create();
    const state = join(other.dir, 'x'.repeat(100));
    const refused = await other.refusal({ env: { MAESTRO_STATE_DIR: state } });
    expect(refused.code).toBe('invalid_request');
    expect(refused.message).toContain(join(state, 'run', 'maestro.sock'));
    expect(refused.message).toMatch(/\b107\b.*MAESTRO_STATE_DIR/s);
    expect(existsSync(state)).toBe(false);
  });

  test.each([
    ['an unknown key', 'host_name = "x"\n\nlisten_on = "127.0.0.1:1"\n', /config\.toml:3: listen_on: unknown key.*listen/s],
    ['a wrong type', '# a comment\npty_replay_bytes = true\n', /config\.toml:2: pty_replay_bytes: expected a size.*true/s],
    ['a value out of range', 'pty_replay_bytes = 10\n', /config\.toml:1: pty_replay_bytes: expected a size from 256/],
    ['a key in a table', '[projects]\nroots = ["relative"]\n', /config\.toml:2: projects\.roots\[0\]: expected an absolute path/],
    [
      'a preset',
      '[[presets]]\nid = "x"\ncommand = "y"\n\n[[presets]]\nid = "Bad Id"\ncommand = "z"\n',
      /config\.toml:6: presets\[1\]\.id: must match/,
    ],
    ['no TOML', 'host_name = "x"\nlisten = \n', /config\.toml:2:\d+: not valid TOML/],
  ])('for %s in the file names file, line, key and what was expected', async (_what, text, message) => {
    await using other = await TestHost.create();
    const path = join(other.dir, 'config.toml');
    await writeFile(path, text);
    const refused = await other.refusal({ env: { MAESTRO_CONFIG: path } });
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(message) });
    expect(refused.message).toContain(path);
    expect(existsSync(other.state)).toBe(false);
  });

  test('for a variable or a flag names it, and all that is wrong at once', async () => {
    await using other = await TestHost.create();
    const { message } = await other.refusal({
      env: { MAESTRO_LEADER: 'C-m', MAESTRO_PTY_REPLAY_BYTES: '1' },
      args: ['--listen', 'nowhere'],
    });
    expect(message.split('\n')).toHaveLength(3);
    expect(message).toMatch(/^MAESTRO_LEADER: expected/m);
    expect(message).toMatch(/^MAESTRO_PTY_REPLAY_BYTES: expected/m);
    expect(message).toMatch(/^--listen: expected/m);
  });
});

test('a daemon that is asked to over its socket stops, and not over TCP', async () => {
  await using other = await TestHost.started();
  const { id } = await other.create({ command: 'exec cat' });
  expect((await other.call('POST', '/api/shutdown')).status).toBe(404);
  expect((await overSocket(other.ready.socket, 'POST', '/api/shutdown')).status).toBe(202);
  await until('the daemon to be gone', () => other.log.includes('"stopped"'));
  expect(other.processes(id).length).toBeGreaterThan(0);
  await rm(join(other.state, 'daemon.json'));
  await other.restart();
  expect((await other.session(id)).status).toBe('running');
});
