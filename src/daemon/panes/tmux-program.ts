import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Which tmux to run against which server, in which environment. */
export interface TmuxProgram {
  readonly tmuxPath: string;
  readonly socketPath: string;
  readonly env: Readonly<Record<string, string>>;
  /** Words ahead of what is to outlive the service that the daemon may be; none where it is no service. */
  readonly launcher: readonly string[];
}

/** A process to be started: which file, with which arguments, in which environment. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** tmux as it is started to last. What launches it has this process's environment, and tmux its own all the same. */
export function lasting({ tmuxPath, env, launcher }: TmuxProgram, args: readonly string[]): Start {
  const [file, ...words] = launcher;
  if (file === undefined) return { file: tmuxPath, args, env };
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return { file, args: [...words, 'env', '-i', ...assignments, tmuxPath, ...args], env: process.env };
}

/** What comes before a command. No configuration file is read, and only `start` lets a command start a server. */
export function globalArgs({ socketPath }: TmuxProgram, { start = false } = {}): string[] {
  return ['-u', ...(start ? [] : ['-N']), '-S', socketPath, '-f', '/dev/null'];
}

export interface OnceOptions {
  readonly start?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Runs one tmux command in a process of its own. Rejects with tmux's words, or with what kept it from saying any. */
export async function tmuxOnce(program: TmuxProgram, words: readonly string[], options: OnceOptions = {}): Promise<string> {
  const { start = false, signal, timeoutMs = 0 } = options;
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL' as const, maxBuffer: 1 << 24, ...(signal ? { signal } : {}) };
  try {
    const args = [...globalArgs(program, { start }), ...words];
    const { file, args: all, env } = start ? lasting(program, args) : { file: program.tmuxPath, args, env: program.env };
    const { stdout } = await run(file, all, { env, cwd: '/', ...limits });
    return stdout;
  } catch (error) {
    const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean };
    throw new Error(stderr?.trim() || (killed ? 'no answer' : message), { cause: error });
  }
}
