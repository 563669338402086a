import { isAbsolute, join, normalize, resolve } from 'node:path';
import { CliError } from './cli-error.js';

export interface StateDirSources {
  /** `--state-dir`; relative to the working directory. */
  readonly option?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where the daemon keeps its state, by the daemon's own rules: the option, `MAESTRO_STATE_DIR`, `XDG_STATE_HOME`, `~/.local/state`. */
export function stateDirPath({ option, env, home }: StateDirSources): string {
  if (option !== undefined) return withoutSlash(resolve(option));
  const own = env.MAESTRO_STATE_DIR ?? '';
  if (own !== '') {
    if (isAbsolute(own)) return withoutSlash(own);
    throw new CliError('usage', `MAESTRO_STATE_DIR is not an absolute path: ${own}; set it to one that begins with /`);
  }
  const xdg = env.XDG_STATE_HOME ?? '';
  if (isAbsolute(xdg)) return withoutSlash(join(xdg, 'maestro'));
  if (isAbsolute(home)) return withoutSlash(join(home, '.local', 'state', 'maestro'));
  throw new CliError('usage', 'no home directory to find sessions in; set HOME or MAESTRO_STATE_DIR to an absolute path');
}

function withoutSlash(path: string): string {
  return normalize(path).replace(/(?<=.)\/+$/, '');
}

/** Paths in the state directory that the command looks at. */
export function statePaths(root: string) {
  const run = join(root, 'run');
  return {
    root,
    run,
    sessions: join(root, 'sessions'),
    scrollbacks: join(root, 'scrollback'),
    trash: join(root, 'trash'),
    fifos: join(run, 'pty'),
    socket: join(run, 'maestro.sock'),
    tmuxSocket: join(run, 'tmux.sock'),
    log: join(root, 'daemon.log'),
  };
}
