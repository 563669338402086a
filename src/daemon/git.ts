import { execa } from 'execa';
import { MaestroError } from '../protocol/index.js';
import { endGroupAfter } from './time-limit.js';

/** Where a command runs. With `gitDir` git looks for no repository: one whose link is broken can never lead it to a parent's. */
export interface GitPlace {
  readonly cwd: string;
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  /** Another index than the repository's own. */
  readonly indexFile?: string | undefined;
}

export interface GitOptions {
  /** Standard input. */
  readonly input?: Uint8Array | string | AsyncIterable<Uint8Array> | undefined;
  /** The most bytes of standard output. What comes over it ends the command, which then fails with {@link GitError.truncated}. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For what reads or writes a whole worktree, which may take as long as the disk and the user's filters need. */
  readonly patient?: boolean | undefined;
}

export interface GitAnswer {
  /** 128 where git gave up. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly truncated: boolean;
}

/** git refused or failed. `stderr` is git's own text, in English. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly args: readonly string[];
  readonly code: number;
  readonly stderr: string;
  readonly truncated: boolean;

  constructor(args: readonly string[], { code, stderr, truncated }: Pick<GitAnswer, 'code' | 'stderr' | 'truncated'>) {
    super(`git ${args[0] ?? ''} failed (${code}): ${lastLine(stderr)}`);
    this.args = args;
    this.code = code;
    this.stderr = stderr;
    this.truncated = truncated;
  }
}

/**
 * git is not there, did not answer in time, or was ended by somebody: it has said neither yes nor no, so that nothing may be concluded.
 */
export class GitUnavailable extends MaestroError {
  /** It ran, so that it may be this repository that it cannot cope with. */
  readonly hasRun: boolean;

  constructor(args: readonly string[], { problem, hasRun }: Unavailable) {
    super('internal', `git ${args[0] ?? ''} ${problem}, then try again`);
    this.hasRun = hasRun;
  }
}

/** How long git may take, in milliseconds. */
const TIMEOUT_MS = { usual: 2 * 60_000, patient: 30 * 60_000 };

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** The file system monitor and the untracked cache may be late, and lateness is what must not be when work is counted. */
const SETTINGS = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false', '-c', 'core.quotePath=false'],
  ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'advice.detachedHead=false', '-c', 'core.fsync=committed,reference'],
];

interface GitParts {
  /** What git is started with; its own variables in it are left out. */
  readonly env: Readonly<Record<string, string>>;
  /** The umask of the user, for what git writes: the daemon's own keeps everybody out. */
  readonly umask: number;
  /** How long git may take, in milliseconds; some minutes unless given. */
  readonly timeoutMs?: number;
}

/**
 * Runs git with argument arrays. It asks nobody anything, takes no variable of git's from the environment, leaves the index alone when it
 * only reads, and speaks English. Paths that are given are literal.
 */
export class Git {
  readonly #env: Record<string, string>;
  readonly #umask: string;
  readonly #timeoutMs: typeof TIMEOUT_MS;

  constructor({ env, umask, timeoutMs }: GitParts) {
    this.#timeoutMs = timeoutMs === undefined ? TIMEOUT_MS : { usual: timeoutMs, patient: timeoutMs };
    const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || name === 'GIT_SSH_COMMAND' || name === 'GIT_SSH');
    this.#env = {
      ...Object.fromEntries(kept),
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'true',
    };
    this.#umask = umask.toString(8);
  }

  /** Standard output. Rejects with {@link GitError} unless the exit code is 0. */
  async run(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    const answer = await this.attempt(place, args, options);
    if (answer.code !== 0 || answer.truncated) throw new GitError(args, answer);
    return answer.stdout;
  }

  /** Standard output as text, without the line end. */
  async text(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.run(place, args, options)).toString('utf8').replace(/\n$/, '');
  }

  /** Whatever git says. Rejects with {@link GitUnavailable} where it says nothing. */
  async attempt(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    const { input, maxBytes = DEFAULT_MAX_BYTES, signal, patient = false } = options;
    const running = execa('/bin/sh', ['-c', 'umask "$1"; shift; exec git "$@"', 'git', this.#umask, ...located(place), ...args], {
      cwd: place.cwd,
      env: { ...this.#env, ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }) },
      extendEnv: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
      // In a process group of its own: filters, hooks and helpers that git started must not outlive it and hold its output open.
      detached: true,
      maxBuffer: { stdout: maxBytes, stderr: 1024 * 1024 },
      ...(input === undefined ? { stdin: 'ignore' as const } : inputOf(input)),
      ...(signal === undefined ? {} : { cancelSignal: signal }),
    });
    const limitMs = patient ? this.#timeoutMs.patient : this.#timeoutMs.usual;
    const limit = endGroupAfter(limitMs, running.pid);
    const result = await running;
    limit.lift();
    signal?.throwIfAborted();
    if (limit.isOver) throw new GitUnavailable(args, tooLate(limitMs));
    if (result.isMaxBuffer) return answerOf(result, 128);
    if (result.exitCode === undefined) throw new GitUnavailable(args, notEnded(result));
    if (result.exitCode === NOT_FOUND) throw new GitUnavailable(args, { problem: NOT_INSTALLED, hasRun: false });
    return answerOf(result, result.exitCode);
  }
}

/** What a shell says of a program that it does not find. */
const NOT_FOUND = 127;
const NOT_INSTALLED = 'cannot be run, as git is not installed or not on the PATH of the daemon; install it';

interface GitResult {
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  readonly isMaxBuffer: boolean;
}

function answerOf({ stdout, stderr, isMaxBuffer }: GitResult, code: number): GitAnswer {
  return {
    code,
    stdout: bytesOf(stdout),
    stderr: bytesOf(stderr).toString('utf8'),
    truncated: isMaxBuffer,
  };
}

function bytesOf(output: unknown): Buffer {
  return output instanceof Uint8Array ? Buffer.from(output) : Buffer.alloc(0);
}

function located({ gitDir, workTree }: GitPlace): string[] {
  const dir = gitDir === undefined ? [] : [`--git-dir=${gitDir}`];
  const tree = workTree === undefined ? [] : [`--work-tree=${workTree}`];
  return [...SETTINGS, ...dir, ...tree];
}

function inputOf(input: NonNullable<GitOptions['input']>) {
  return typeof input === 'string' || input instanceof Uint8Array ? { input } : { stdin: [input] as const };
}

interface Unavailable {
  readonly problem: string;
  readonly hasRun: boolean;
}

function tooLate(limitMs: number): Unavailable {
  return { problem: `did not answer within ${limitMs / 1000} s; see what it waits for (\`ps\`)`, hasRun: true };
}

function notEnded({
  signal,
  shortMessage,
}: {
  readonly signal?: string | undefined;
  readonly shortMessage?: string | undefined;
}): Unavailable {
  if (signal !== undefined) return { problem: `was ended by ${signal}; see who did it (\`dmesg\`)`, hasRun: true };
  return { problem: `cannot be started (${shortMessage ?? 'unknown'}); see whether its directory is there`, hasRun: false };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** The records of output that ends each with NUL (`-z`). */
export function records(output: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    const stop = end < 0 ? output.length : end;
    found.push(output.subarray(at, stop));
    at = stop + 1;
  }
  return found;
}
