import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import type { Host, Session } from '../../protocol/index.js';
import { connectTo } from '../connect.js';
import { failureOf } from '../failure.js';
import { runningHost } from '../running-daemon.js';
import { statePaths } from '../state-dir.js';
import { type Finding, fail, ok, warn } from './finding.js';

const UUID_LENGTH = 36;
/** Other pipes there are the daemon's stock. */
const SESSION_FIFO = /^[0-9a-f-]{36}\.\d+\.fifo$/;

/** Whether a daemon answers, and what lies about that should not. */
export async function daemonFindings(stateDir: string): Promise<Finding[]> {
  const paths = statePaths(stateDir);
  try {
    const host = await runningHost(stateDir);
    if (host === undefined) return [warn('daemon', 'no daemon runs', 'maestro up --detach')];
    const sessions = await connectTo(stateDir).sessions();
    return [
      hostFinding(host),
      warningFinding(sessions),
      await fifoFinding(paths.fifos, sessions),
      controlClientFinding(await controlClients(host.tmux_socket), host.pid),
    ];
  } catch (error) {
    return [fail('daemon', failureOf(error).message, `look at its log: ${paths.log}`)];
  }
}

function hostFinding({ version, pid, scheme = 'http', listen, sessions }: Host): Finding {
  return ok('daemon', `Maestro ${version} answers: pid ${pid}, ${scheme}://${listen}, ${sessions.running} sessions running`);
}

function warningFinding(sessions: readonly Session[]): Finding {
  const flagged = sessions.filter(({ warning }) => warning !== undefined);
  const [first] = flagged;
  if (first === undefined) return ok('sessions', `${sessions.length} sessions, none flagged`);
  return warn(
    'sessions',
    `${flagged.length} of ${sessions.length} sessions need a look; ${first.id}: ${first.warning}`,
    'maestro ls shows which',
  );
}

async function fifoFinding(directory: string, sessions: readonly Session[]): Promise<Finding> {
  const running = new Set(sessions.filter(({ status }) => status === 'running').map(({ id }) => id));
  const names = await readdir(directory).catch(() => []);
  const stale = names.filter((name) => SESSION_FIFO.test(name) && !running.has(name.slice(0, UUID_LENGTH)));
  if (stale.length === 0) return ok('pipes', 'no pipe is left over');
  return warn(
    'pipes',
    `${stale.length} pipes of sessions that do not run are left over`,
    'the daemon clears them at its next start: maestro down; maestro up --detach',
  );
}

export interface ControlClient {
  readonly pid: number;
  readonly parent: number;
}

export function controlClientFinding(clients: readonly ControlClient[] | undefined, daemon: number): Finding {
  if (clients === undefined) return warn('tmux clients', 'tmux could not be asked for its clients');
  const foreign = clients.filter(({ parent }) => parent !== daemon);
  if (foreign.length === 0) return ok('tmux clients', 'no foreign control client');
  const pids = foreign.map(({ pid }) => pid).join(' ');
  return warn('tmux clients', `control clients that are not the daemon's hold tmux: ${pids}`, `if nobody needs them: kill -9 ${pids}`);
}

async function controlClients(socket: string): Promise<ControlClient[] | undefined> {
  const lines = await run('tmux', ['-S', socket, '-f', '/dev/null', 'list-clients', '-F', '#{client_control_mode} #{client_pid}']);
  const pids = lines?.flatMap((line) => (line.startsWith('1 ') ? [Number(line.slice(2))] : []));
  if (pids === undefined) return undefined;
  return Promise.all(pids.map(async (pid) => ({ pid, parent: Number((await run('ps', ['-o', 'ppid=', '-p', String(pid)]))?.[0] ?? 0) })));
}

function run(program: string, words: string[]): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 5000 }, (error, stdout) => resolve(error ? undefined : stdout.split('\n')));
  });
}
