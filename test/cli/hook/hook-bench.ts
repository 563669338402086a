import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { ReportRequest } from '../../../src/protocol/index.js';

const ROOT = join(import.meta.dirname, '../../..');
const REPORTER = join(ROOT, 'dist/cli/hook.cjs');
export const ID = '3f0c1a52-8a7e-4d0b-9c55-0123456789ab';
export const TOKEN = '0123456789abcdef'.repeat(4);

/** Tests run what is built. */
export async function bundleReporter(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/bundle.mjs', 'reporter'], { cwd: ROOT });
}

export interface HookEnd {
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
}

export interface HookInput {
  readonly input?: string | Buffer;
  /** Standard input is left open. */
  readonly isOpen?: boolean;
  /** A file to read instead of a pipe. */
  readonly stdin?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Request {
  readonly head: string;
  readonly body: string;
}

/** A session as a reporter sees it: its variables, and a run directory with or without a daemon. Gone after the test. */
export class HookBench {
  readonly dir = mkdtempSync(join(tmpdir(), 'm-'));
  readonly socket = join(this.dir, 'maestro.sock');
  readonly spool = join(this.dir, 'spool');
  readonly env = { MAESTRO_SESSION_ID: ID, MAESTRO_RUN: '3', MAESTRO_SOCKET: this.socket, MAESTRO_REPORT_TOKEN: TOKEN };
  readonly #children = new Set<ChildProcess>();

  constructor() {
    mkdirSync(this.spool, { mode: 0o700 });
    onTestFinished(() => {
      for (const child of this.#children) child.kill('SIGKILL');
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  start(words: readonly string[], { env, stdin }: HookInput = {}): ChildProcess {
    const child = spawn(process.execPath, [REPORTER, ...words], {
      env: { PATH: process.env.PATH, ...this.env, ...env },
      stdio: [stdin ?? 'pipe', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.stdin?.on('error', () => undefined);
    return child;
  }

  hook(words: readonly string[], options: HookInput = {}): Promise<HookEnd> {
    const child = this.start(words, options);
    const end = ended(child);
    child.stdin?.write(options.input ?? '{}');
    if (!options.isOpen) child.stdin?.end();
    return end;
  }

  /** Listens as the daemon does; `respond` gets each whole request, and hangs when it does nothing. */
  async listen(respond: (socket: Socket, request: Request) => void): Promise<Request[]> {
    const requests: Request[] = [];
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const request = wholeRequest(text);
        if (request === undefined) return;
        requests.push(request);
        respond(socket, request);
      });
    });
    await new Promise<void>((resolve) => server.listen(this.socket, resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return requests;
  }

  /** The lines in the files of the spool, by name. */
  spooled(): Readonly<Record<string, readonly string[]>> {
    const lines = (name: string) => readFileSync(join(this.spool, name), 'utf8').split('\n').filter(Boolean);
    return Object.fromEntries(readdirSync(this.spool).map((name) => [name, lines(name)]));
  }

  reports(): (ReportRequest & { id: string; token: string })[] {
    return Object.values(this.spooled())
      .flat()
      .map((line) => JSON.parse(line) as ReportRequest & { id: string; token: string });
  }
}

export function answering(status: string): (socket: Socket) => void {
  return (socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`);
}

export function ended(child: ChildProcess): Promise<HookEnd> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code: signal ?? code, output })));
}

function wholeRequest(text: string): Request | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
  return Buffer.byteLength(body) < length ? undefined : { head, body };
}
