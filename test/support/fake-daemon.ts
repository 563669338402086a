import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Session } from '../../src/protocol/index.js';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed JSON, or undefined for an empty body. */
  readonly body: unknown;
}

/** What the fake answers: JSON by default; a string or bytes go out as they are. A function answers by itself. */
export type Answer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly status?: number; readonly raw: string | Uint8Array }
  | ((response: ServerResponse) => void);

export type Routes = (asked: Asked) => Answer | undefined;

/** A state directory with a server on its unix socket that answers as a test wants. Remembers all that it was asked. */
export class FakeDaemon implements AsyncDisposable {
  readonly dir: string;
  readonly state: string;
  readonly asked: Asked[] = [];
  /** Sockets of `/pty`, in the order in which they came, with what they sent. */
  readonly viewers: { readonly socket: WebSocket; readonly path: string; readonly sent: (string | Buffer)[] }[] = [];
  routes: Routes;
  onViewer: (socket: WebSocket) => void = () => {};
  #server: Server | undefined;

  private constructor(dir: string, routes: Routes) {
    this.dir = dir;
    this.state = join(dir, 'state');
    this.routes = routes;
  }

  static async start(routes: Routes = () => undefined): Promise<FakeDaemon> {
    const fake = new FakeDaemon(await mkdtemp(join(tmpdir(), 'm-')), routes);
    await mkdir(join(fake.state, 'run'), { recursive: true, mode: 0o700 });
    await fake.listen();
    return fake;
  }

  get socketPath(): string {
    return join(this.state, 'run', 'maestro.sock');
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      const viewer = { socket, path: request.url ?? '', sent: [] as (string | Buffer)[] };
      this.viewers.push(viewer);
      socket.on('message', (data, isBinary) => viewer.sent.push(isBinary ? (data as Buffer) : data.toString()));
      this.onViewer(socket);
    });
    this.#server = server;
    await rm(this.socketPath, { force: true });
    await new Promise<void>((resolve) => server.listen(this.socketPath, resolve));
  }

  /** Goes away as a daemon that is killed does. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const { socket } of this.viewers) socket.terminate();
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, headers, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
    this.asked.push(asked);
    const answer = this.routes(asked) ?? { status: 404, json: { error: { code: 'not_found', message: `no route ${path}` } } };
    if (typeof answer === 'function') answer(response);
    else if ('raw' in answer) response.writeHead(answer.status ?? 200).end(answer.raw);
    else response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
  }
}

let made = 0;

/** A session as a daemon tells it; each has an id of its own. */
export function fakeSession(given: Partial<Session> = {}): Session {
  made += 1;
  const id = `${made.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const at = '2026-01-02T03:04:05.000Z';
  return {
    id,
    status: 'running',
    created_at: at,
    updated_at: at,
    cwd: '/srv',
    command: 'cat',
    env: {},
    metadata: {},
    size: { cols: 80, rows: 24 },
    ...given,
  };
}
