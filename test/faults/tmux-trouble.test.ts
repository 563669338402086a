import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { TmuxSandbox } from '../support/tmux-server.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

/** A server on a socket of its own that is no tmux. */
class Impostor implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(answer: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
  }

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(path, resolve));
    await chmod(path, 0o700);
  }

  /** Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Ends the clients that this process has at the sandbox's server, so that it has to come in again. */
async function cutOff(sandbox: TmuxSandbox): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
  const clients = stdout.split('\n').filter((line) => line.includes(sandbox.socketPath) && line.includes(' -C '));
  expect(clients).toHaveLength(2);
  for (const line of clients) process.kill(Number(line.trim().split(' ')[0]), 'SIGKILL');
}

/** Whether a request is refused as it is to be while tmux cannot be reached. */
const isRefused = (request: Promise<unknown>) =>
  request.then(
    () => false,
    (error: { code?: string }) => error.code === 'tmux_unavailable',
  );

describe('L3: with something else in place of the socket of tmux', () => {
  const things: Readonly<Record<string, (path: string) => Promise<AsyncDisposable | undefined>>> = {
    'a file': async (path) => void (await writeFile(path, 'no socket')),
    'a directory': async (path) => void (await mkdir(path)),
    'a server that says nothing': async (path) => {
      const impostor = new Impostor(() => undefined);
      await impostor.listen(path);
      return impostor;
    },
    'a server that talks garbage': async (path) => {
      const impostor = new Impostor((socket) => socket.end(Buffer.alloc(5000, 0xa5)));
      await impostor.listen(path);
      return impostor;
    },
    'a server that hangs up': async (path) => {
      const impostor = new Impostor((socket) => socket.destroy());
      await impostor.listen(path);
      return impostor;
    },
  };

  /** What tmux cannot make way for, or what cannot be told from a tmux that is stopped: it has to go first. */
  const mustGo = new Set(['a directory', 'a server that says nothing']);

  test.each(Object.keys(things))(
    '%s: nothing is said to be gone, no second server is started, and the link heals by itself',
    async (name) => {
      await using sandbox = await TmuxSandbox.create();
      const states: string[] = [];
      const panes = await sandbox.start({ timeoutMs: 700, onStateChange: (state) => states.push(state) });
      await until('tmux to be up', () => panes.state === 'up');
      const fifo = await sandbox.fifo();
      const pane = await panes.newSessionPiped(sandbox.spec('exec cat', fifo));
      const server = panes.serverIdentity;
      await rm(sandbox.socketPath);
      const thing = await things[name]?.(sandbox.socketPath);
      try {
        await cutOff(sandbox);
        if (mustGo.has(name)) {
          await until('a refusal', () => isRefused(panes.sendBytes(pane, Buffer.from('x'))));
          await thing?.[Symbol.asyncDispose]();
          await rm(sandbox.socketPath, { recursive: true, force: true });
        }
        await until('tmux to be reached', async () => !(await isRefused(panes.sendBytes(pane, Buffer.from('words\r')))));
        await fifo.until('words');
      } finally {
        await thing?.[Symbol.asyncDispose]();
      }
      expect([states.includes('gone'), panes.serverIdentity]).toEqual([false, server]);
      // What has just been reached may be cut off once more: an attempt that the other server had taken ends now.
      const sessions = await until('tmux to answer', () => panes.listSessions().catch(() => undefined));
      expect(sessions.map(({ sessionId, dead }) => [sessionId, dead])).toEqual([[pane.sessionId, false]]);
    },
  );
});

describe('L3: a tmux whose answers are garbage', () => {
  /** A tmux that, for control clients, does what the file `mode` beside it says. */
  async function fakeTmux(sandbox: TmuxSandbox): Promise<{ path: string; mode(what: string): Promise<void>; mend(): Promise<void> }> {
    const { stdout } = await run('sh', ['-c', 'command -v tmux']);
    const [real, path, mode] = [stdout.trim(), join(sandbox.root, 'tmux'), join(sandbox.root, 'mode')];
    const script = `#!/bin/sh
case " $* " in *" -C "*) what="$(cat ${mode} 2>/dev/null)" ;; *) what= ;; esac
case "$what" in
  binary) head -c 200000 /dev/urandom; exec cat > /dev/null ;;
  cut) ${real} "$@" < /dev/null | head -c 90; exit 1 ;;
  unasked) printf '%%begin 1 1 0\\n%%end 1 1 0\\n%%begin 2 2 1\\nnobody asked\\n%%end 2 2 1\\n'; exec cat > /dev/null ;;
  *) exec ${real} "$@" ;;
esac
`;
    await writeFile(path, script);
    await chmod(path, 0o755);
    return { path, mode: (what) => writeFile(mode, what), mend: () => rm(mode, { force: true }) };
  }

  test.each(['binary', 'cut', 'unasked'])(
    '%s: requests are refused in time, nothing is said to be gone, and all heals by itself',
    async (what) => {
      await using sandbox = await TmuxSandbox.create();
      const fake = await fakeTmux(sandbox);
      const states: string[] = [];
      const panes = await sandbox.start({ tmuxPath: fake.path, timeoutMs: 700, onStateChange: (state) => states.push(state) });
      await until('tmux to be up', () => panes.state === 'up');
      const fifo = await sandbox.fifo();
      const pane = await panes.newSessionPiped(sandbox.spec('exec cat', fifo));
      await fake.mode(what);
      await cutOff(sandbox);
      await until('a refusal', () => isRefused(panes.sendBytes(pane, Buffer.from('x'))));
      await expect(panes.listSessions()).rejects.toMatchObject({ code: 'tmux_unavailable' });
      expect(states).not.toContain('gone');
      await fake.mend();
      await until('the pane', async () =>
        (await panes.listSessions()).some(({ sessionId, dead }) => sessionId === pane.sessionId && !dead),
      );
      await panes.sendBytes(pane, Buffer.from('words\r'));
      await fifo.until('words');
    },
  );
});
