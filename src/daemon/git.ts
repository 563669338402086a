import { execa } from 'execa';

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
}

export interface GitAnswer {
  /** 128 and above where git gave up or was ended. */
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
}

/**
 * Runs git with argument arrays. It asks nobody anything, takes no variable of git's from the environment, leaves the index alone when it
 * only reads, and speaks English. Paths that are given are literal.
 */
export class Git {
  readonly #env: Record<string, string>;
  readonly #umask: string;

  constructor({ env, umask }: GitParts) {
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

  /** Whatever becomes of it. Rejects only where git cannot be started. */
  async attempt(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    const { input, maxBytes = DEFAULT_MAX_BYTES, signal } = options;
    const result = await execa('/bin/sh', ['-c', 'umask "$1"; shift; exec git "$@"', 'git', this.#umask, ...located(place), ...args], {
      cwd: place.cwd,
      env: { ...this.#env, ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }) },
      extendEnv: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
      maxBuffer: { stdout: maxBytes, stderr: 1024 * 1024 },
      ...(input === undefined ? { stdin: 'ignore' as const } : inputOf(input)),
      ...(signal === undefined ? {} : { cancelSignal: signal }),
    });
    signal?.throwIfAborted();
    if (result.exitCode === undefined && result.signal === undefined && !result.isMaxBuffer) throw notStarted(result);
    return {
      code: result.exitCode ?? 128,
      stdout: Buffer.from(result.stdout ?? []),
      stderr: Buffer.from(result.stderr ?? []).toString('utf8'),
      truncated: result.isMaxBuffer,
    };
  }
}

function located({ gitDir, workTree }: GitPlace): string[] {
  const dir = gitDir === undefined ? [] : [`--git-dir=${gitDir}`];
  const tree = workTree === undefined ? [] : [`--work-tree=${workTree}`];
  return [...SETTINGS, ...dir, ...tree];
}

function inputOf(input: NonNullable<GitOptions['input']>) {
  return typeof input === 'string' || input instanceof Uint8Array ? { input } : { stdin: [input] as const };
}

function notStarted(result: { readonly shortMessage?: string | undefined; readonly cause?: unknown }): Error {
  return new Error(`git cannot be started: ${result.shortMessage ?? 'unknown'}`, { cause: result.cause });
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
