import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { ApiErrorSchema, ERROR_STATUS, type Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { exchange } from '../support/raw-http.js';
import { FUZZ_TIMEOUT, fuzz, HALF_CHARACTER } from './fuzz-runs.js';
import { type Answered, ask, type Given, hostileQuery, hostileSegments, hostileTexts, spoiledBody, type Target } from './http-requests.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly answer: z.ZodType | undefined;
}

/** A body for each route that takes one, as it would be taken. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/sessions': {
    cwd: '/tmp',
    command: 'exec sleep 5',
    env: { A: 'b' },
    metadata: { name: 'x' },
    preset: 'shell',
    size: { cols: 80, rows: 24 },
    worktree: { base_repo: '/tmp', branch: 'x' },
  },
  '/api/sessions/{id}': { metadata: { name: 'fuzz', deep: { a: 1 } } },
  '/api/sessions/{id}/activity': { state: 'idle', message: 'hi', agent_session: 'abc', run: 1 },
  '/api/sessions/{id}/input': { text: 'hi', submit: false, keys: ['Enter'] },
  '/api/sessions/{id}/size': { cols: 80, rows: 24 },
  '/api/auth/login': { code: 'none' },
  '/api/projects/trust': { repo: '/tmp', hash: `sha256:${'0'.repeat(64)}` },
  '/api/salvage/{id}/restore': { path: '/nope/restored' },
};
/** These do what they say to the daemon or the session that the test needs. */
const SPARED = new Set([
  'POST /api/shutdown',
  'POST /api/auth/rotate',
  'POST /api/sessions/{id}/stop',
  'POST /api/sessions/{id}/restart',
  'GET /api/events',
]);
const NOBODY = '11111111-1111-4111-8111-111111111111';

let host: TestHost;
let repo: GitRepo;
let session: Session;
let operations: Operation[];
const targets = () => [{ socketPath: host.ready.socket }, { listen: host.ready.listen, token: host.token }] as const;

beforeAll(async () => {
  repo = await GitRepo.create();
  await repo.commit('one');
  host = await TestHost.started();
  session = await host.create({ command: 'stty raw -echo; exec cat > /dev/null', cwd: repo.path });
  operations = await documented();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>;
}

async function documented(): Promise<Operation[]> {
  const { text } = await ask(targets()[0], { method: 'GET', path: '/api/openapi.json' });
  const { paths, components } = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: object };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], responses }]) => {
      const schema = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
      const answer = schema === undefined ? undefined : z.fromJSONSchema({ ...schema, $defs: components.schemas } as never);
      return { method: method.toUpperCase(), path, query: parameters.filter((one) => one.in === 'query').map(({ name }) => name), answer };
    }),
  );
}

/** Whatever can be made by a request, apart from what the session shows. */
async function made(): Promise<unknown> {
  const ids = (await host.sessions()).map(({ id }) => id);
  const files = ['sessions', 'worktree-records', 'salvage', 'scrollback', 'trash', 'run/pty'].map((name) => [
    name,
    filesIn(join(host.state, name)),
  ]);
  const git = await Promise.all([repo.git('for-each-ref'), repo.git('worktree', 'list'), repo.git('status', '--porcelain')]);
  return { ids, files, git, panes: await host.panes(), home: filesIn(host.home), projects: filesIn(repo.root) };
}

function filesIn(directory: string): string[] {
  try {
    return (
      readdirSync(directory)
        // The spare fifos are made anew in the background.
        .filter((name) => !name.endsWith('.bin') && !name.startsWith('spare-'))
        .sort()
    );
  } catch {
    return [];
  }
}

function residentMiB(): number {
  const kiB = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${host.ready.pid}/status`, 'utf8'))?.[1];
  return Number(kiB) / 1024;
}

/** An answer is as documented, or a refusal in the one form. */
function judge({ status, type, text }: Answered, given: Given, answer?: z.ZodType): void {
  const about = `${given.method} ${given.path.slice(0, 200)} ${given.body?.subarray(0, 300).toString() ?? ''}: ${status} ${text.slice(0, 300)}`;
  if (given.method === 'HEAD') {
    expect(status, about).toBeLessThan(500);
    return;
  }
  if (status < 300) {
    if (answer === undefined) return;
    const checked = answer.safeParse(JSON.parse(text));
    expect(checked.error, about).toBeUndefined();
    return;
  }
  expect(type, about).toContain('application/json');
  const { error } = ApiErrorSchema.strict().parse(JSON.parse(text));
  expect(status, about).toBe(ERROR_STATUS[error.code]);
  expect(status < 500 || status === 503 || status === 507, about).toBe(true);
  expect(error.message, about).not.toBe('');
  expect(HALF_CHARACTER.test(error.message), about).toBe(false);
}

const anOperation = fc.nat().map((at) => {
  const asked = operations.filter(({ method, path }) => !SPARED.has(`${method} ${path}`));
  return asked[at % asked.length] as Operation;
});

function requestOf(operation: Operation): fc.Arbitrary<Given> {
  const { method, path, query } = operation;
  const isKill = method === 'DELETE';
  const id = isKill
    ? fc.oneof(fc.constant(NOBODY), hostileSegments)
    : fc.oneof(
        { weight: 4, arbitrary: fc.constant(session.id) },
        { weight: 1, arbitrary: fc.constant(NOBODY) },
        { weight: 1, arbitrary: hostileSegments },
      );
  const body = BODIES[path];
  return fc
    .record({
      id,
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant(method) },
        {
          weight: 1,
          arbitrary:
            isKill || path.endsWith('{id}')
              ? fc.constantFrom('PUT', 'POST', 'OPTIONS')
              : fc.constantFrom('PUT', 'HEAD', 'OPTIONS', 'TRACE', 'SEARCH'),
        },
      ),
      query: query.length === 0 ? fc.constantFrom('', '', '?x=1', '?__proto__=1&__proto__=2') : hostileQuery(query),
      body: body === undefined ? fc.constant(undefined) : spoiledBody(body),
      headers: fc.oneof(
        { weight: 6, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Record<string, string>>(
            { 'content-type': 'text/plain' },
            { 'content-type': 'application/json; charset=utf-16' },
            { 'content-type': '' },
            { expect: 'banana' },
            { accept: 'image/png' },
            { cookie: '\xff=\xfe; ;;=' },
            { 'x-http-method-override': 'DELETE' },
            { 'content-encoding': 'gzip' },
            { range: 'bytes=9-1' },
            { 'accept-version': '9' },
          ),
        },
      ),
    })
    .map((drawn) => ({
      method: drawn.method,
      path: path.replace('{id}', drawn.id) + drawn.query,
      headers: drawn.headers,
      body: drawn.body,
    }));
}

test(
  'whatever is asked for wrongly is refused in the one form, over both transports, and nothing is made',
  async () => {
    const before = await made();
    const requests = anOperation.chain((operation) => requestOf(operation).map((given) => ({ operation, given })));
    await fuzz(
      fc.asyncProperty(requests, fc.nat({ max: 1 }), async ({ operation, given }, over) => {
        const answered = await ask(targets()[over] as Target, given);
        judge(answered, given, given.method === operation.method ? operation.answer : undefined);
        if (operation.path === '/api/sessions' && answered.status === 201) await host.kill((JSON.parse(answered.text) as Session).id);
      }),
      500,
    );
    const after = (await made()) as Record<string, unknown>;
    const withoutTrash = ({ files, ...rest }: Record<string, unknown>) => ({
      ...rest,
      files: (files as [string, string[]][]).filter(([name]) => name !== 'trash'),
    });
    expect(withoutTrash(after)).toEqual(withoutTrash(before as Record<string, unknown>));
    expect(residentMiB()).toBeLessThan(600);
    expect(host.log.split('\n').filter((line) => line.includes('a request failed'))).toEqual([]);
  },
  FUZZ_TIMEOUT,
);

test(
  'C3, C4: a worktree that is asked for in odd words is made and removed again as a whole, or never made',
  async () => {
    const { trash: _trash, ...before } = (await made()) as Record<string, unknown>;
    const words = fc.oneof(
      hostileTexts,
      fc.constantFrom(
        'HEAD',
        'HEAD^{tree}',
        'HEAD@{9}',
        ':/one',
        '@',
        'main',
        'refs/heads/main',
        '-b',
        '--detach',
        'a/../b',
        'a//b',
        '.a',
        'a.',
        'a.lock/b',
        'é/ü',
        'a\u0301',
        'x'.repeat(240),
        `${'y'.repeat(200)}/z`,
      ),
    );
    const request = fc.record({
      branch: words,
      base: fc.option(words, { nil: undefined }),
      create_branch: fc.option(fc.boolean(), { nil: undefined }),
      base_repo: fc.oneof({ weight: 5, arbitrary: fc.constant(repo.path) }, { weight: 1, arbitrary: words }),
    });
    await fuzz(
      fc.asyncProperty(request, async (worktree) => {
        const given = { method: 'POST', path: '/api/sessions', body: Buffer.from(JSON.stringify({ command: 'exec sleep 100', worktree })) };
        const answered = await ask(targets()[0], given);
        judge(answered, given);
        if (answered.status === 201) expect((await host.kill((JSON.parse(answered.text) as Session).id, '?force=true')).status).toBe(200);
      }),
      15,
    );
    const { trash: _later, ...after } = (await made()) as Record<string, unknown>;
    const withoutTrash = ({ files, ...rest }: Record<string, unknown>) => ({
      ...rest,
      files: (files as [string, string[]][]).filter(([name]) => name !== 'trash'),
    });
    expect(withoutTrash(after)).toEqual(withoutTrash(before));
  },
  FUZZ_TIMEOUT,
);

test(
  'a path with tricks in it leads nowhere',
  async () => {
    const paths = fc
      .array(fc.oneof(hostileSegments, fc.constantFrom('api', 's', 'assets', 'sessions', 'index.html', 'theme.js', 'etc', 'passwd')), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => `/${parts.join('/')}`.slice(0, 15_000));
    await fuzz(
      fc.asyncProperty(paths, fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD'), fc.nat({ max: 1 }), async (path, method, over) => {
        const answered = await ask(targets()[over] as Target, { method, path });
        expect(answered.text).not.toContain('root:x:0:0');
        judge(answered, { method, path });
      }),
      150,
    );
  },
  FUZZ_TIMEOUT,
);

test(
  'what is no HTTP is answered with 400 or with nothing, and the daemon goes on',
  async () => {
    const lines = fc.array(
      fc.oneof(
        fc.constantFrom(
          'GET / HTTP/1.1',
          'GET /api/health HTTP/1.0',
          'POST /api/sessions HTTP/1.1',
          'Host: x',
          'Content-Length: 5',
          'Content-Length: -1',
          'Transfer-Encoding: chunked',
          'Upgrade: websocket',
          'Connection: Upgrade',
          'x'.repeat(20_000),
          '',
        ),
        hostileTexts.map((text) => text.slice(0, 3000)),
      ),
      { maxLength: 8 },
    );
    await fuzz(
      fc.asyncProperty(lines, async (given) => {
        const answer = await exchange(host.ready.listen, Buffer.from(`${given.join('\r\n')}\r\nConnection: close\r\n\r\n\r\n0\r\n\r\n`));
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? '400';
        expect(Number(status)).toBeLessThan(500);
      }),
      20,
    );
    expect((await ask(targets()[0], { method: 'GET', path: '/api/health' })).status).toBe(200);
  },
  FUZZ_TIMEOUT,
);

test(
  'an upgrade on a route that is no WebSocket is refused, and the daemon goes on',
  async () => {
    const paths = operations
      .filter(({ method, path }) => method === 'GET' && !path.endsWith('/pty'))
      .map(({ path }) => path.replace('{id}', session.id));
    for (const path of [...paths, '/', '/nope', '/api/events']) {
      const outcome = await new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${host.ready.listen}${path}`, {
          headers: { authorization: `Bearer ${host.token}` },
          handshakeTimeout: 5000,
        });
        socket.once('unexpected-response', (request, response) => {
          request.destroy();
          resolve(String(response.statusCode));
        });
        socket.once('open', () => socket.once('close', (code) => resolve(`closed ${code}`)));
        socket.once('error', (error) => resolve(error.message));
      });
      expect([path, outcome]).toEqual([path, expect.not.stringMatching(/^5|timed out/)]);
    }
    expect((await ask(targets()[0], { method: 'GET', path: '/api/health' })).status).toBe(200);
  },
  FUZZ_TIMEOUT,
);

const clientFrames = fc.oneof(
  fc.constantFrom(
    '{}',
    '[]',
    'null',
    '{"type":"size"}',
    '{"type":"size","cols":1e400,"rows":24}',
    '{"type":"size","cols":-5,"rows":0.5}',
    '{"type":"ack","position":"9:9"}',
    '{"type":"ack","position":"999999999999999:999999999999999"}',
    '{"type":"resync"}',
    '{"type":"visibility","visible":"no"}',
    '{"type":"__proto__"}',
    '{"type":"visibility","visible":false}',
    '{"__proto__":{"type":"resync"}}',
  ),
  hostileTexts,
  fc.constant('['.repeat(100_000)),
);
const frames = fc.array(
  fc.record({
    data: fc.oneof(
      { weight: 5, arbitrary: clientFrames },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)) },
    ),
    fin: fc.boolean(),
  }),
  { maxLength: 12 },
);

test(
  'frames of a viewer that make no sense harm nobody',
  async () => {
    await using watcher = await PtyViewer.open(host, session.id);
    await watcher.frame('attached');
    await fuzz(
      fc.asyncProperty(frames, async (sent) => {
        const socket = new WebSocket(`ws://${host.ready.listen}/api/sessions/${session.id}/pty`, {
          headers: { authorization: `Bearer ${host.token}` },
        });
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
        const over = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)));
        socket.on('error', () => undefined);
        let isFirst = true;
        for (const { data, fin } of sent) {
          socket.send(data, { fin, binary: isFirst ? typeof data !== 'string' : false });
          isFirst = fin;
        }
        if (!isFirst) socket.send('', { fin: true });
        socket.close(1000);
        expect([1000, 1007]).toContain(await over); // 1007: text that is no UTF-8
      }),
      25,
    );
    expect(watcher.closeCode).toBeUndefined();
    expect((await host.session(session.id)).status).toBe('running');
  },
  FUZZ_TIMEOUT,
);

test(
  'a frame over 4 MiB, bytes that are no frame and text that is no UTF-8 end that connection alone',
  async () => {
    await using watcher = await PtyViewer.open(host, session.id);
    await watcher.frame('attached');
    await using viewer = await PtyViewer.open(host, session.id);
    viewer.type(Buffer.alloc(4 * 1024 * 1024 + 1));
    expect((await viewer.closed).code).toBe(1009);
    const head = [
      `GET /api/sessions/${session.id}/pty HTTP/1.1`,
      `Host: ${host.ready.listen}`,
      `Authorization: Bearer ${host.token}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n');
    await fuzz(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array({ minLength: 200, maxLength: 400 }), fc.constant(Uint8Array.of(0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28))),
        async (bytes) => {
          // Unmasked, so that it is wrong whatever else it says.
          const rest = Buffer.from(bytes);
          if (rest.length > 100) rest[1] = (rest[1] as number) & 0x7f;
          await exchange(host.ready.listen, Buffer.concat([Buffer.from(head), rest]));
        },
      ),
      8,
    );
    expect(watcher.closeCode).toBeUndefined();
    expect((await host.session(session.id)).status).toBe('running');
    expect(residentMiB()).toBeLessThan(600);
  },
  FUZZ_TIMEOUT,
);
