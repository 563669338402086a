import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../../src/protocol/index.js';
import { FakeDaemon, fakeSession } from '../../support/fake-daemon.js';
import { until } from '../../support/until.js';
import { TmuxTerminal } from './tmux-terminal.js';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '../../../bin/maestro.js');
const CLEAN = 'alt=0 mouse=0 cursor=1 keys=00 insert=0';

let fake: FakeDaemon;
let session: Session | undefined;
let terminal: TmuxTerminal | undefined;

/** The daemon's tmux server. */
async function tmux(...words: string[]): Promise<string> {
  const { stdout } = await run('tmux', ['-S', join(fake.state, 'run', 'tmux.sock'), '-f', '/dev/null', ...words], {
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
  });
  return stdout.trim();
}

function host() {
  const tmux_socket = join(fake.state, 'run', 'tmux.sock');
  const sessions = { running: 1, dead: 0, dormant: 0 };
  const rest = { listen: '127.0.0.1:1', tmux_socket, tmux_version: '3', pid: 1, uptime_seconds: 1, sessions };
  return { version: '0', host_name: 'h', home: '/', state_dir: fake.state, leader: 'C-b', ...rest };
}

/** A session in a real tmux, set up as the daemon does: a window of manual size, the leader in the root table. */
async function startSession(command: string): Promise<Session> {
  const made = fakeSession({ metadata: { name: 'demo' } });
  session = made;
  const binding = ['bind', '-n', 'C-b', 'switch-client', '-T', 'maestro', ';', 'bind', '-T', 'maestro', 'd', 'detach-client'];
  await tmux(
    'new-session',
    '-d',
    '-s',
    made.id,
    '-x',
    '60',
    '-y',
    '20',
    '/bin/sh',
    '-c',
    command,
    ';',
    'set',
    '-w',
    'window-size',
    'manual',
  );
  await tmux('set', '-g', 'status', 'off', ';', ...binding);
  return made;
}

beforeEach(async () => {
  fake = await FakeDaemon.start(({ path, method }) => {
    if (path === '/api/host') return { json: host() };
    if (path === '/api/sessions') return { json: session === undefined ? [] : [session] };
    if (session !== undefined && path.startsWith(`/api/sessions/${session.id}`)) {
      if (method === 'POST' && path.endsWith('/resume')) session = { ...session, status: 'running' };
      return { json: session };
    }
    return undefined;
  });
  fake.onViewer = (socket) => {
    socket.send(JSON.stringify({ type: 'attached', position: '1:0', size: { cols: 60, rows: 20 }, status: 'running' }));
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? {} : (JSON.parse(data.toString()) as { type?: string; cols?: number; rows?: number });
      if (frame.type === 'size' && session)
        void tmux('resize-window', '-t', `=${session.id}:`, '-x', String(frame.cols), '-y', String(frame.rows)).catch(() => {});
    });
  };
});
afterEach(async () => {
  await terminal?.[Symbol.asyncDispose]();
  await tmux('kill-server').catch(() => undefined);
  await fake[Symbol.asyncDispose]();
  terminal = undefined;
  session = undefined;
});

/** Opens a terminal that runs the command, and afterwards shows its exit code and whether the terminal's settings are as before. */
async function open(words: string, env: Record<string, string> = {}): Promise<TmuxTerminal> {
  const script = `before=$(stty -g); '${process.execPath}' '${BIN}' ${words}; echo "code=$?"; [ "$before" = "$(stty -g)" ] && echo settings=same; exec cat`;
  terminal = await TmuxTerminal.open(script, {
    dir: fake.dir,
    env: { MAESTRO_STATE_DIR: fake.state, HOME: fake.dir, LANG: 'C.UTF-8', ...env },
  });
  return terminal;
}

async function endsWith(opened: TmuxTerminal, text: string | RegExp): Promise<void> {
  await opened.shows('settings=same');
  expect(await opened.screen()).toMatch(text);
  expect(await opened.modes()).toBe(CLEAN);
}

/** The process of the command itself, child of the terminal's shell. */
async function commandPid(opened: TmuxTerminal): Promise<number> {
  const shell = await opened.pid();
  const parentOf = (pid: string) => / ([0-9]+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) \w/, ''))?.[1];
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((pid) => {
      try {
        return parentOf(pid) === String(shell) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('attach');
      } catch {
        return false;
      }
    });
  return Number(found);
}

const WITH_MODES = `printf '\\033[?1000h\\033[?1006h\\033[?2004h\\033[?1004h\\033[?1h\\033=\\033[?25lHELLO'; exec cat`;

describe('attach', () => {
  test('shows the session in the terminal’s size, passes keys on, and detaches with leader d', async () => {
    const { id } = await startSession(`stty size; ${WITH_MODES}`);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    await until(
      'the window to have the size',
      async () => (await tmux('display', '-p', '-t', `=${id}:`, '#{window_width}x#{window_height}')) === '100x30',
    );
    await opened.type('typed', 'Enter');
    await opened.shows(/typed\s+typed/);
    await opened.resize(90, 25);
    await until(
      'the window to follow',
      async () => (await tmux('display', '-p', '-t', `=${id}:`, '#{window_width}x#{window_height}')) === '90x25',
    );
    await opened.type('C-b', 'd');
    // Not the line before: the outer tmux may drop it when it is resized while the alternate screen is on.
    await endsWith(opened, /detached from demo, which keeps running\. Reattach: maestro attach demo\ncode=0\n/);
    expect(await tmux('has-session', '-t', `=${id}`)).toBe('');
    expect(fake.viewers[0]?.path).toBe(`/api/sessions/${id}/pty?stream=0`);
    expect(fake.viewers[0]?.socket.readyState).toBe(3);
  });

  test('works inside another tmux, and under a terminal type that nobody knows', async () => {
    await startSession(WITH_MODES);
    const opened = await open('attach demo', { TMUX: '/tmp/x,1,0', TERM: 'nonsense' });
    await opened.shows('HELLO');
    await opened.type('C-b', 'd');
    await endsWith(opened, /attached to demo: C-b d detaches\n+detached from demo, which keeps running\..*\ncode=0\n/);
  });

  test('tells that the session is seen, when it is shown and when it is left', async () => {
    const { id } = await startSession(WITH_MODES);
    const opened = await open('attach demo');
    const seen = () => fake.asked.filter(({ method, path }) => method === 'POST' && path === `/api/sessions/${id}/seen`).length;
    await opened.shows('HELLO');
    await until('it to be seen', () => seen() === 1);
    await opened.type('C-b', 'd');
    await endsWith(opened, /detached from demo.*code=0/s);
    expect(seen()).toBe(2);
  });

  test('takes nothing of the caller’s environment into the session', async () => {
    const { id } = await startSession(WITH_MODES);
    const opened = await open('attach demo', { SSH_AUTH_SOCK: '/secret', DISPLAY: ':9' });
    await opened.shows('HELLO');
    expect(await tmux('show-environment', '-t', `=${id}`)).not.toMatch(/secret|:9/);
  });

  test('tells how the program ended', async () => {
    const made = await startSession(`${WITH_MODES.replace('exec cat', 'read line')}; exit 3`);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    const at = new Date().toISOString();
    setTimeout(() => {
      session = { ...made, status: 'dead', exit: { code: 3, reason: 'exited', at } };
    }, 200);
    await opened.type('Enter');
    await endsWith(opened, /demo exited with code 3\ncode=0/);
  });

  test('tells that the session was killed, and that it was started again', async () => {
    const { id } = await startSession(WITH_MODES);
    const opened = await open(`attach ${id.slice(0, 8)}; '${process.execPath}' '${BIN}' attach demo`);
    await opened.shows('HELLO');
    await tmux('kill-session', '-t', `=${id}`, ';', 'new-session', '-d', '-s', id, 'echo AGAIN; cat');
    await opened.shows('AGAIN');
    session = undefined;
    await tmux('kill-session', '-t', `=${id}`);
    await endsWith(opened, /demo was started again\. Reattach: maestro attach demo\nattached to demo: .*\n+demo was killed\ncode=0/);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s puts the terminal back and leaves the session alone', async (signal) => {
    const { id } = await startSession(WITH_MODES);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    process.kill(await commandPid(opened), signal);
    await endsWith(opened, signal === 'SIGTERM' ? /code=143/ : /code=129/);
    expect(await tmux('has-session', '-t', `=${id}`)).toBe('');
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)('a tmux client that gets %s from elsewhere leaves a usable terminal', async (signal) => {
    await startSession(WITH_MODES);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    process.kill(Number(await tmux('list-clients', '-F', '#{client_pid}')), signal);
    await endsWith(opened, /maestro: demo is no longer shown.*Reattach: maestro attach demo\ncode=1/s);
  });

  test('a tmux server that is killed leaves a usable terminal', async () => {
    await startSession(WITH_MODES);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    process.kill(Number(await tmux('display', '-p', '#{pid}')), 'SIGKILL');
    await endsWith(opened, /maestro: demo is no longer shown.*server exited.*\s+code=1/s);
  });

  test('a daemon that goes away and comes back is connected to again, silently', async () => {
    const { id } = await startSession(WITH_MODES);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    await fake.stop();
    await opened.resize(70, 22);
    await opened.type('still', 'Enter');
    await opened.shows(/still\s+still/);
    await fake.listen();
    await until(
      'the window to have the size',
      async () => (await tmux('display', '-p', '-t', `=${id}:`, '#{window_width}x#{window_height}')) === '70x22',
    );
    await fake.stop();
    await tmux('kill-session', '-t', `=${id}`);
    await endsWith(opened, /demo's terminal has closed, and no daemon answers that could say why; maestro doctor looks into it\s+code=0/);
  });

  test('T5: a terminal that is used again takes its size back from another viewer', async () => {
    await startSession(WITH_MODES);
    const opened = await open('attach demo');
    await opened.shows('HELLO');
    const viewer = await until('the viewer', () => fake.viewers[0]);
    await until('its size', () => viewer.sent.length > 0);
    viewer.sent.length = 0;
    viewer.socket.send(JSON.stringify({ type: 'size', size: { cols: 40, rows: 10 }, owner: false }));
    await until('it to be used and to say so', async () => {
      await opened.type('x');
      return viewer.sent.some((frame) => frame.toString() === '{"type":"size","cols":100,"rows":30}');
    });
  });
});

describe('attach is refused', () => {
  test('for a session that does not run, unless it is to be resumed first', async () => {
    const made = await startSession(WITH_MODES);
    session = { ...made, status: 'dormant' };
    const opened = await open(`attach demo; '${process.execPath}' '${BIN}' attach demo --resume`);
    await opened.shows('HELLO');
    expect(fake.asked.map(({ method, path }) => `${method} ${path}`)).toContain(`POST /api/sessions/${made.id}/resume`);
    await opened.type('C-b', 'd');
    await endsWith(opened, /maestro: demo is dormant; maestro resume demo brings it back.*code=0/s);
  });

  test('inside the session itself, and where the daemon has nothing to show', async () => {
    const { id } = await startSession(WITH_MODES);
    fake.onViewer = (socket) => {
      socket.send(JSON.stringify({ type: 'error', code: 'not_running', message: 'demo does not run' }));
      socket.close(4409);
    };
    const opened = await open(`attach demo; MAESTRO_SESSION_ID=${id} '${process.execPath}' '${BIN}' attach demo`);
    await endsWith(opened, /maestro: demo does not run\nmaestro: this terminal is demo itself\ncode=1/);
  });
});

test('read and ls at a terminal show nothing that it would act on', async () => {
  const made = await startSession(WITH_MODES);
  session = { ...made, metadata: { name: 'e\x1b[?1049hvil' } };
  const routes = fake.routes;
  fake.routes = (asked) =>
    asked.path.endsWith('/scrollback') ? { raw: 'o\x1b[?1049hne\x1b[31m\r\ntwo\x1b]0;x\x07\x1b[?1000h' } : routes(asked);
  const read = `'${process.execPath}' '${BIN}' read ${made.id} --scrollback`;
  const opened = await open(`ls; ${read}; ${read} --ansi`);
  await endsWith(opened, /e\\x1b\[\?1049hvil.*one\ntwo\none\ntwo\ncode=0/s);
});

test('kill at a terminal asks before it ends a session that runs', async () => {
  await startSession(WITH_MODES);
  const opened = await open('kill demo');
  await opened.shows('Kill demo, with all that it runs? [y/N]');
  await opened.type('n', 'Enter');
  await endsWith(opened, /maestro: nothing was killed\ncode=1/);
  expect(fake.asked.every(({ method }) => method === 'GET')).toBe(true);
});
