import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Which tmux to run against which server, in which environment. */
export interface TmuxProgram {
  readonly tmuxPath: string;
  readonly socketPath: string;
  readonly env: Readonly<Record<string, string>>;
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
    const { stdout } = await run(program.tmuxPath, [...globalArgs(program, { start }), ...words], {
      env: program.env,
      cwd: '/',
      ...limits,
    });
    return stdout;
  } catch (error) {
    const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean };
    throw new Error(stderr?.trim() || (killed ? 'no answer' : message), { cause: error });
  }
}
