import { spawn } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { MaestroError } from '../../protocol/index.js';
import type { StateDir } from './state-dir.js';
import { storageFailed } from './storage-error.js';

const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;

/** Longer than any healthy file system takes for a lock that is not waited for. */
const LOCK_TIMEOUT_MS = 10_000;

const PERL_FLOCK = 'use Fcntl ":flock"; open(F, "+<&=3") or exit 2; exit(flock(F, LOCK_EX|LOCK_NB) ? 0 : $!{EWOULDBLOCK} ? 1 : 2)';

/** Programs that lock their file descriptor 3: util-linux has one, and perl is on every macOS. Status 1 is "held by another". */
export const LOCKERS: readonly (readonly [string, ...string[]])[] = [
  ['flock', '-n', '3'],
  ['perl', '-e', PERL_FLOCK],
];

/** Fixed, so that neither a bare PATH nor settings such as PERL5OPT decide whether the lock works. */
const LOCKER_ENV = { PATH: '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin', LC_ALL: 'C' };

const NO_LOCKER =
  'neither flock nor perl could lock the state directory, so two daemons that start in the same instant would not notice each other; install util-linux or perl';

export interface DaemonLockOptions {
  readonly lockers?: readonly (readonly [string, ...string[]])[];
}

/**
 * The right to be the one daemon of a state directory.
 *
 * It is a kernel lock (flock) on `run/daemon.lock`. Node cannot take one, so a child locks the descriptor that it inherits; the lock
 * belongs to the open file that both share, so it outlives the child, and the kernel drops it at any death of this process. Node opens
 * with O_CLOEXEC, so that no later child, tmux least of all, holds it on. The file is never deleted: a lock on a deleted file excludes
 * nobody. Its content tells people who holds it and decides nothing, as a pid may have been given to another process.
 */
export class DaemonLock implements AsyncDisposable {
  #fd: number | undefined;
  /** Why the lock is weaker than it should be, if so. */
  readonly warning: string | undefined;

  private constructor(fd: number, warning: string | undefined) {
    this.#fd = fd;
    this.warning = warning;
  }

  /**
   * Takes the lock, and removes the socket file of a daemon that has died. Rejects with `already_running` when another daemon has the
   * lock, or answers on the socket although its lock file was deleted.
   */
  static async acquire(dir: StateDir, options: DaemonLockOptions = {}): Promise<DaemonLock> {
    const fd = openLock(dir.lock);
    try {
      const locked = await lock(fd, options.lockers ?? LOCKERS);
      if (locked === 'held') throw alreadyRunning(dir);
      const socket = await probeSocket(dir.socket);
      if (socket === 'answers') throw alreadyRunning(dir);
      if (socket === 'stale') await removeSocket(dir.socket);
      writeHolder(fd);
      return new DaemonLock(fd, locked === 'unavailable' ? NO_LOCKER : undefined);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Gives the lock up; the caller has closed the socket by then. */
  release(): Promise<void> {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}

function openLock(path: string): number {
  try {
    return openSync(path, OPEN_FLAGS, 0o600);
  } catch (error) {
    throw storageFailed('open', path, error);
  }
}

async function lock(fd: number, lockers: readonly (readonly [string, ...string[]])[]): Promise<'locked' | 'held' | 'unavailable'> {
  for (const locker of lockers) {
    const status = await exitStatus(locker, fd);
    if (status === 0) return 'locked';
    if (status === 1) return 'held';
  }
  return 'unavailable';
}

/** The status of a program that has `fd` as its descriptor 3; undefined when it could not run or was ended. */
function exitStatus([file, ...args]: readonly [string, ...string[]], fd: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'ignore', 'ignore', fd],
      env: LOCKER_ENV,
      cwd: '/',
      timeout: LOCK_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => resolve(code ?? undefined));
  });
}

/** Whether a process accepts connections on the socket. A stopped one does too: the kernel connects on its behalf. */
export function probeSocket(path: string): Promise<'answers' | 'stale' | 'absent'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('answers');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('absent');
      else resolve(error.code === 'ECONNREFUSED' || error.code === 'ENOTSOCK' ? 'stale' : 'answers');
    });
  });
}

async function removeSocket(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw storageFailed('delete', path, error);
  }
}

function alreadyRunning(dir: StateDir): MaestroError {
  const pid = holder(dir.lock);
  const who = pid === undefined ? 'another Maestro daemon' : `another Maestro daemon (pid ${pid})`;
  const text = `${who} runs on ${dir.root}; \`maestro status\` shows it, \`maestro down\` stops it`;
  return new MaestroError('already_running', text, { details: { state_dir: dir.root, ...(pid === undefined ? {} : { pid }) } });
}

/** The pid in the lock file, unless it is that of an earlier holder which has died. */
function holder(path: string): number | undefined {
  try {
    const pid = Number(/^([1-9]\d{0,9}) /.exec(readFileSync(path, 'utf8'))?.[1]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

/** Emptied first: on a full disk nothing at all is better than the pid of a former holder. */
function writeHolder(fd: number): void {
  try {
    ftruncateSync(fd);
    writeSync(fd, `${process.pid} since ${new Date().toISOString()}\n`, 0);
  } catch {
    // The lock holds without it; only the refusal of a second daemon cannot name this one.
  }
}
