import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { MaestroError, SessionIdSchema } from '../../protocol/index.js';
import { invariant } from '../invariant.js';
import { nodeFiles } from './file-layer.js';
import { storageFailed } from './storage-error.js';

/** The umask that `main` sets before it makes anything, so that no file of any library or child is ever open to others. */
export const claimedUmask = 0o077;

const DIRECTORY_MODE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

/** The longest path that a socket address holds, in bytes, its closing NUL left out. */
const SOCKET_PATH_LIMIT = { linux: 107, darwin: 103 } as const;

export interface StateDirEnv {
  readonly MAESTRO_STATE_DIR?: string | undefined;
  readonly XDG_STATE_HOME?: string | undefined;
}

/** Where the state lives. A relative `XDG_STATE_HOME` is ignored, as the XDG base directory specification wants it. */
export function stateDirPath(env: StateDirEnv, home: string): string {
  const own = env.MAESTRO_STATE_DIR ?? '';
  if (own !== '') {
    if (isAbsolute(own)) return withoutSlash(own);
    throw new MaestroError('invalid_request', `MAESTRO_STATE_DIR is not an absolute path: ${own}; set it to one that begins with /`);
  }
  const xdg = env.XDG_STATE_HOME ?? '';
  if (isAbsolute(xdg)) return withoutSlash(join(xdg, 'maestro'));
  if (isAbsolute(home)) return withoutSlash(join(home, '.local', 'state', 'maestro'));
  throw new MaestroError('invalid_request', 'no home directory to keep sessions in; set HOME or MAESTRO_STATE_DIR to an absolute path');
}

function withoutSlash(path: string): string {
  return normalize(path).replace(/(?<=.)\/+$/, '');
}

/** The paths of everything that Maestro keeps. Ids are checked before they become part of one. */
export class StateDir {
  readonly root: string;
  readonly sessions: string;
  readonly scrollbacks: string;
  /** What the agents of sessions did of late. */
  readonly transitions: string;
  /** Files that were sent to sessions. */
  readonly uploads: string;
  readonly trash: string;
  /** Records of the worktrees that Maestro makes. */
  readonly worktreeRecords: string;
  /** Where worktrees are made unless the config says otherwise. */
  readonly worktrees: string;
  /** Records of what was saved of worktrees. */
  readonly salvages: string;
  readonly trust: string;
  readonly projects: string;
  readonly run: string;
  readonly ptyDir: string;
  readonly pasteDir: string;
  /** Reports that could not be delivered to the daemon. */
  readonly spool: string;
  /** What agents are started with, such as settings made for one session. */
  readonly agents: string;
  readonly token: string;
  /** Made into the tokens that reports of sessions carry. */
  readonly reportKey: string;
  readonly browserSessions: string;
  readonly daemonJson: string;
  readonly socket: string;
  readonly tmuxSocket: string;
  readonly tmuxJson: string;
  readonly lock: string;

  /** Names the paths and touches nothing; {@link StateDir.open} makes and checks the directories. */
  constructor(root: string) {
    this.root = root;
    this.sessions = join(root, 'sessions');
    this.scrollbacks = join(root, 'scrollback');
    this.transitions = join(root, 'transitions');
    this.uploads = join(root, 'uploads');
    this.trash = join(root, 'trash');
    this.worktreeRecords = join(root, 'worktree-records');
    this.worktrees = join(root, 'worktrees');
    this.salvages = join(root, 'salvage');
    this.trust = join(root, 'trust.json');
    this.projects = join(root, 'projects.json');
    this.run = join(root, 'run');
    this.ptyDir = join(this.run, 'pty');
    this.pasteDir = join(this.run, 'paste');
    this.spool = join(this.run, 'spool');
    this.agents = join(root, 'agents');
    this.token = join(root, 'token');
    this.reportKey = join(root, 'report-key');
    this.browserSessions = join(root, 'browser-sessions.json');
    this.daemonJson = join(root, 'daemon.json');
    this.socket = join(this.run, 'maestro.sock');
    this.tmuxSocket = join(this.run, 'tmux.sock');
    this.tmuxJson = join(this.run, 'tmux.json');
    this.lock = join(this.run, 'daemon.lock');
  }

  /**
   * Makes what is missing, with mode 0700, and refuses what is not safe: a directory that another user owns or may write (`forbidden`),
   * a socket path that is too long (`invalid_request`), what cannot be made (`storage_failed`).
   */
  static async open(root: string): Promise<StateDir> {
    const dir = new StateDir(root);
    for (const path of [dir.socket, dir.tmuxSocket]) assertSocketPath(path);
    for (const path of dir.directories) await makePrivate(path);
    return dir;
  }

  /** Every directory, parents first. */
  get directories(): readonly string[] {
    return [
      this.root,
      this.sessions,
      this.scrollbacks,
      this.transitions,
      this.uploads,
      this.trash,
      this.worktreeRecords,
      this.salvages,
      this.agents,
      this.run,
      this.ptyDir,
      this.pasteDir,
      this.spool,
    ];
  }

  sidecar(id: string): string {
    return join(this.sessions, `${checked(id)}.json`);
  }

  scrollback(id: string): string {
    return join(this.scrollbacks, `${checked(id)}.bin`);
  }

  transitionLog(id: string): string {
    return join(this.transitions, `${checked(id)}.jsonl`);
  }

  uploadsOf(id: string): string {
    return join(this.uploads, checked(id));
  }

  tombstone(id: string): string {
    return join(this.trash, checked(id));
  }

  fifo(id: string, epoch: number): string {
    invariant(Number.isSafeInteger(epoch) && epoch >= 0, 'an epoch counts armings');
    return join(this.ptyDir, `${checked(id)}.${epoch}.fifo`);
  }
}

function checked(id: string): string {
  invariant(SessionIdSchema.safeParse(id).success, 'only a uuid becomes part of a path');
  return id;
}

/** Throws `invalid_request` for a path that is longer than a socket address holds. */
export function assertSocketPath(path: string, platform: NodeJS.Platform = process.platform): void {
  const limit = platform === 'darwin' ? SOCKET_PATH_LIMIT.darwin : SOCKET_PATH_LIMIT.linux;
  const bytes = Buffer.byteLength(path);
  if (bytes <= limit) return;
  const text = `the socket path ${path} has ${bytes} bytes, and a socket can have ${limit}; set MAESTRO_STATE_DIR to a shorter path`;
  throw new MaestroError('invalid_request', text, { details: { path, bytes, limit } });
}

async function makePrivate(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
    const mode = await safeMode(path);
    if (mode !== DIRECTORY_MODE) await chmod(path, DIRECTORY_MODE);
    if (first !== undefined) await syncParents(path, first);
  } catch (error) {
    throw error instanceof MaestroError ? error : storageFailed('use the directory', path, error);
  }
}

/** The permissions of the directory at `path`, or behind a link there, once it is certain that nobody else can change it. */
async function safeMode(path: string): Promise<number> {
  const { uid, mode } = await stat(path);
  const user = process.geteuid?.() ?? uid;
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  if (uid !== user) {
    const fix = `take it over if it is yours (\`sudo chown -R ${user} ${quoted}\`), or set MAESTRO_STATE_DIR to another directory`;
    throw new MaestroError('forbidden', `${path} belongs to user ${uid}, but Maestro runs as user ${user}; ${fix}`, { details: { path } });
  }
  if ((mode & WRITABLE_BY_OTHERS) !== 0) {
    const fix = `check that nobody put anything into it, then close it: \`chmod 700 ${quoted}\``;
    const text = `other users may write to ${path} (mode ${(mode & 0o7777).toString(8)}); ${fix}`;
    throw new MaestroError('forbidden', text, { details: { path } });
  }
  return mode & 0o777;
}

/** Makes the names of all directories from `first` down to `path` durable, where their parents may be read at all. */
async function syncParents(path: string, first: string): Promise<void> {
  for (let at = path; ; at = dirname(at)) {
    await nodeFiles.syncDirectory(dirname(at)).catch(() => undefined);
    if (at === first || at === dirname(at)) return;
  }
}
