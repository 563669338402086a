import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from './cli-error.js';
import { openDaemonLog } from './daemon-log.js';
import { LineSplitter } from './line-splitter.js';
import { shellQuote } from './shell-quote.js';
import { statePaths } from './state-dir.js';

/** The one line that the daemon writes to its standard output once it listens. */
export interface Ready {
  readonly listen: string;
  readonly socket: string;
  readonly pid: number;
  readonly warnings: readonly string[];
  readonly recovered: { readonly adopted: number; readonly dormant: number; readonly dead: number };
}

export interface DaemonStart {
  readonly stateDir: string;
  readonly listen?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The daemon's entry point. */
  readonly main?: string;
}

export interface StartedDaemon {
  readonly process: ChildProcess;
  readonly logPath: string;
  /** Where this daemon's part of the log begins. */
  readonly logOffset: number;
  /** Rejects when the daemon ended without having been ready. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<DaemonEnd>;
}

export interface DaemonEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What tells a program that it runs in a session or in a tmux: the daemon does not, wherever it is started. */
const SCRUBBED = ['MAESTRO_SESSION_ID', 'MAESTRO_RUN', 'MAESTRO_SOCKET', 'TMUX', 'TMUX_PANE'] as const;

export function daemonEnv(env: DaemonStart['env'], stateDir: string): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const result: Record<string, string> = { ...Object.fromEntries(kept), MAESTRO_STATE_DIR: stateDir };
  for (const name of SCRUBBED) delete result[name];
  const config = env.MAESTRO_CONFIG ?? '';
  if (config !== '' && !isAbsolute(config)) result.MAESTRO_CONFIG = resolve(config); // the daemon runs in /
  return result;
}

/** Starts the daemon in a process session of its own, so that no Ctrl-C and no hang-up of this terminal reaches it, logging to a file. */
export async function startDaemon({ stateDir, listen, env, main = defaultMain() }: DaemonStart): Promise<StartedDaemon> {
  const { log: logPath } = statePaths(stateDir);
  await makeStateDir(stateDir);
  const log = await openDaemonLog(logPath);
  try {
    const { size: logOffset } = await log.stat();
    const words = [main, ...(listen === undefined ? [] : ['--listen', listen])];
    const options = { cwd: '/', detached: true, env: daemonEnv(env, stateDir), stdio: ['ignore', 'pipe', log.fd] } as const;
    const process_ = spawn(process.execPath, words, { ...options, stdio: [...options.stdio] });
    const ended = endOf(process_);
    return { process: process_, logPath, logOffset, ended, ready: readyOf(process_, ended) };
  } finally {
    await log.close();
  }
}

function defaultMain(): string {
  return fileURLToPath(new URL('../launch/daemon.cjs', import.meta.url));
}

/** Only makes what is missing. The daemon checks the rest; but nothing is written where another user could have laid a trap. */
async function makeStateDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CliError('failed', `cannot make the state directory ${path}: ${(cause as Error).message}`, { cause });
  }
  const { uid, mode } = await stat(path);
  const user = process.geteuid?.() ?? uid;
  if (uid !== user) {
    throw new CliError(
      'failed',
      `${path} belongs to user ${uid}, but Maestro runs as user ${user}; set MAESTRO_STATE_DIR to another directory`,
    );
  }
  if ((mode & 0o022) !== 0) {
    throw new CliError('failed', `other users may write to ${path}; check that nobody did, then close it: chmod 700 ${shellQuote(path)}`);
  }
}

function endOf(daemon: ChildProcess): Promise<DaemonEnd> {
  return new Promise((resolve, reject) => {
    daemon.once('exit', (code, signal) => resolve({ code, signal }));
    daemon.once('error', reject);
  });
}

function readyOf(daemon: ChildProcess, ended: Promise<DaemonEnd>): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const lines = new LineSplitter();
    daemon.stdout?.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) settle(line, resolve, reject);
    });
    ended.then(({ code, signal }) => {
      // What it wrote before its end may arrive behind it.
      const refuse = () => reject(new CliError('failed', `the daemon ended before it was ready (${signal ?? `code ${code}`})`));
      if (daemon.stdout?.readableEnded ?? true) refuse();
      else daemon.stdout?.once('end', refuse);
    }, reject);
  });
}

function settle(line: string, resolve: (ready: Ready) => void, reject: (error: Error) => void): void {
  let said: Partial<Ready> & { ready?: boolean; error?: { message?: string } };
  try {
    said = JSON.parse(line);
  } catch {
    return;
  }
  if (said.error !== undefined) reject(new CliError('failed', String(said.error.message ?? 'the daemon refused to start')));
  else if (said.ready === true) resolve(readyFrom(said));
}

/** Tolerates what an older or newer daemon leaves out. */
function readyFrom(said: Partial<Ready>): Ready {
  const { listen = '', socket = '', pid = 0, warnings = [], recovered = { adopted: 0, dormant: 0, dead: 0 } } = said;
  return { listen, socket, pid, warnings, recovered };
}
