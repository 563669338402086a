import { setTimeout as delay } from 'node:timers/promises';
import { type Account, accountOf, askForPath, type Environment, loginShell, type ShellQuestion } from './login-shell.js';
import { DEFAULT_PATH, isDirectory, joinPaths, wellKnownDirectories } from './search-path.js';

/** What a session inherits of the daemon's environment, where it is set. Everything else stays behind, see {@link sessionBaseEnv}. */
const INHERITED = [
  'TZ',
  'TMPDIR',
  // The user's agents, buses and displays.
  'SSH_AUTH_SOCK',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
  // Where programs keep their files.
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_DATA_DIRS',
  'XDG_CONFIG_DIRS',
  // How the network is reached, and who is trusted there.
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const;

/** What tells a shell where its start-up files are, beside the identity of the user. */
const SHELL_INHERITED = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'ZDOTDIR', 'TMPDIR'] as const;

export interface LoginPathOptions {
  /** The daemon's own environment. */
  readonly env: Environment;
  readonly userInfo?: Account;
  /** How long the user's shell may take, in milliseconds. */
  readonly deadlineMs?: number;
  /** After this many milliseconds a second shell is asked that reads less. */
  readonly hedgeMs?: number;
  readonly signal?: AbortSignal;
}

export interface LoginPath {
  /** Absolute directories, each once: the login shell's, then the daemon's, then well-known ones. Never empty. */
  readonly path: string;
  /** Why the login shell's are missing, or not all there. */
  readonly warning?: string;
}

/**
 * The PATH of the user's login shell, so that what was installed through nvm, brew or ~/.local/bin is found when the daemon was started by
 * launchd, systemd or cron. The shell runs as at a terminal (`-l -i`). When that fails, as where a start-up file replaces the shell, or
 * takes long, a login shell that reads less (`-l`) is asked as well. Start-up files see `MAESTRO_RESOLVING_PATH=1`.
 *
 * Never fails, but when `signal` is aborted.
 */
export async function loginPath(options: LoginPathOptions): Promise<LoginPath> {
  const { env, userInfo = accountOf(env), deadlineMs = 5000, signal } = options;
  const shell = loginShell(env, userInfo);
  const own = env.PATH ?? '';
  const home = homeOf(env, userInfo);
  const known = await wellKnownDirectories(home);
  const time = [AbortSignal.timeout(deadlineMs), ...(signal ? [signal] : [])];
  const question = { shell, env: shellEnv(env, { userInfo, shell }), cwd: (await isDirectory(home)) ? home : '/' };
  const { answer, problem } = await ask({ ...question, signal: AbortSignal.any(time) }, options.hedgeMs ?? 2000);
  signal?.throwIfAborted();
  const path = joinPaths([answer ?? '', own], known);
  if (problem === undefined) return { path };
  const lost =
    answer === undefined
      ? `the PATH of the login shell ${shell} is not known`
      : `${shell} was asked without its interactive start-up files`;
  return { path, warning: `${lost}: ${problem}; programs are looked for in ${path}` };
}

interface Asked {
  readonly answer?: string | undefined;
  /** What went wrong with the interactive shell. */
  readonly problem?: string;
}

/** An interactive shell's answer, if it comes in time; else that of a plain login shell, which is asked when the first one is late. */
async function ask(question: Omit<ShellQuestion, 'interactive'>, hedgeMs: number): Promise<Asked> {
  const over = new AbortController();
  const asked = { ...question, signal: AbortSignal.any([question.signal, over.signal]) };
  const full = askForPath({ ...asked, interactive: true }).then(
    (answer): Asked => ({ answer }),
    (error: unknown): Asked => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  const plain = Promise.race([full, delay(hedgeMs, undefined, { ref: false })]).then((early) =>
    early?.answer === undefined ? askForPath({ ...asked, interactive: false }).catch(() => undefined) : undefined,
  );
  const first = await full;
  const answer = first.answer ?? (await plain);
  over.abort();
  return { ...first, answer };
}

function shellEnv(env: Environment, { userInfo, shell }: { userInfo: Account; shell: string }): Record<string, string> {
  const { HOME, USER, LOGNAME } = identity(env, userInfo);
  const LANG = env.LANG || 'C.UTF-8';
  const PATH = env.PATH || DEFAULT_PATH;
  return { ...pick(env, SHELL_INHERITED), HOME, USER, LOGNAME, SHELL: shell, TERM: 'dumb', LANG, PATH, MAESTRO_RESOLVING_PATH: '1' };
}

export interface SessionBaseEnvOptions {
  /** The daemon's own environment. */
  readonly env: Environment;
  /** What {@link loginPath} found. */
  readonly path: string;
  readonly userInfo?: Account;
  readonly platform?: NodeJS.Platform;
}

/**
 * What every session's program starts with, beside its own variables: who the user is, PATH, a UTF-8 locale, 24-bit colour and the
 * {@link INHERITED} variables. It is the same whoever starts the daemon: neither that one's secrets, nor marks of an agent or of a tmux
 * that the daemon was started in, nor `NO_COLOR` and the like get through.
 */
export function sessionBaseEnv({
  env,
  path,
  userInfo = accountOf(env),
  platform = process.platform,
}: SessionBaseEnvOptions): Record<string, string> {
  return {
    ...pick(env, INHERITED),
    ...identity(env, userInfo),
    ...locale(env, platform),
    SHELL: loginShell(env, userInfo),
    PATH: path,
    COLORTERM: 'truecolor',
  };
}

function identity(env: Environment, { username, homedir }: Account): { HOME: string; USER: string; LOGNAME: string } {
  return { HOME: env.HOME || homedir, USER: env.USER || username, LOGNAME: env.LOGNAME || username };
}

function homeOf(env: Environment, userInfo: Account): string {
  return identity(env, userInfo).HOME;
}

/** The daemon's locale if its characters are UTF-8, as programs then draw what viewers expect; else one that every system has. */
function locale(env: Environment, platform: NodeJS.Platform): Record<string, string> {
  const effective = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  if (!isUtf8(effective, platform)) return { LANG: platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' };
  return pick(env, ['LANG', ...Object.keys(env).filter((name) => /^LC_[A-Z]+$/.test(name))]);
}

/** Only macOS has a locale that is named by its encoding alone; elsewhere, sent along by ssh, it means the plain C locale. */
function isUtf8(name: string, platform: NodeJS.Platform): boolean {
  return /^[A-Za-z]+(?:_[A-Za-z]+)?\.utf-?8(?:@\w+)?$/i.test(name) || (platform === 'darwin' && name === 'UTF-8');
}

function pick(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
