import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, isAbsolute } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the system's user database says of this user. */
export interface Account {
  readonly username: string;
  readonly homedir: string;
  readonly shell: string | null;
}

/** This user's account; one made up of the environment where the database has none, as in a container that runs under any uid. */
export function accountOf(env: Environment): Account {
  try {
    return userInfo();
  } catch {
    return { username: env.USER || env.LOGNAME || String(process.getuid?.() ?? 0), homedir: env.HOME || '/', shell: null };
  }
}

/** What an account has whose owner may not log in. */
const NO_SHELLS = new Set(['nologin', 'false', 'true']);

/**
 * The user's login shell: `SHELL`, else the account's, else `/bin/sh`. A `SHELL` of `/bin/sh` gives way to the account's, as cron sets
 * it for everybody.
 */
export function loginShell(env: Environment, account: Account): string {
  const given = env.SHELL ?? '';
  const own = account.shell ?? '';
  return (given === '/bin/sh' ? [own, given] : [given, own]).find(isShell) ?? '/bin/sh';
}

function isShell(path: string): boolean {
  if (!isAbsolute(path) || NO_SHELLS.has(basename(path))) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ShellQuestion {
  readonly shell: string;
  /** Also reads what the shell reads only for a person at a terminal, such as `.bashrc` and `.zshrc`. */
  readonly interactive: boolean;
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Start-up files may print; one that never stops is given up at this many bytes. */
const OUTPUT_LIMIT = 1024 * 1024;

/** How long a shell that has answered may take to leave by itself, in milliseconds. */
const LEAVE_MS = 300;

/**
 * Starts a login shell and asks for the PATH that its programs get. Rejects with the reason when none comes before `signal` is aborted.
 *
 * The shell has a process session of its own and no input, so that start-up files which ask, or which take the terminal, find none; the
 * whole process group is killed at the end.
 */
export async function askForPath({ shell, interactive, env, cwd, signal }: ShellQuestion): Promise<string> {
  signal.throwIfAborted();
  const mark = randomUUID();
  // One program with one quoted argument reads the same in every shell: sh, bash, zsh, fish, tcsh, nu.
  const question = `/bin/sh -c 'printf %s ${mark} "$PATH" ${mark}'`;
  const { argv0, flags } = loginFlags(shell, interactive);
  const child = spawn(shell, [...flags, '-c', question], { argv0, cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, killer) => resolve(killer === null ? `it ended with status ${code}` : `it was ended by ${killer}`));
  });
  try {
    const path = await Promise.race([answer(child.stdout, mark), failure(ended, child.stdout), aborted(signal)]);
    await Promise.race([ended, delay(LEAVE_MS)]);
    return path;
  } finally {
    child.stdout.destroy();
    killGroup(child.pid);
  }
}

/** csh takes `-l` only alone; a name with a dash in front makes a login shell of it too. */
function loginFlags(shell: string, interactive: boolean): { argv0: string; flags: string[] } {
  const isCsh = /^t?csh$/.test(basename(shell));
  const flags = [...(isCsh ? [] : ['-l']), ...(interactive ? ['-i'] : [])];
  return { argv0: isCsh ? `-${basename(shell)}` : shell, flags };
}

/** What stands between the two marks. Pending for ever when they do not come; rejects when too much else does. */
function answer(stdout: NodeJS.ReadableStream, mark: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, path, end] = text.split(mark, 3);
      if (path !== undefined && end !== undefined) resolve(path);
      else if (text.length > OUTPUT_LIMIT) reject(new Error('its start-up files print without end'));
    });
  });
}

/** Rejects once the shell has ended and all that it printed was read. A process that it left behind may hold the pipe open. */
async function failure(ended: Promise<string>, stdout: NodeJS.ReadableStream): Promise<never> {
  const drained = new Promise((resolve) => stdout.once('close', resolve));
  const how = await ended;
  await Promise.race([drained, delay(LEAVE_MS)]);
  throw new Error(`${how} before it gave an answer`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it gave no answer in time')), { once: true });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of the group has ended.
  }
}
