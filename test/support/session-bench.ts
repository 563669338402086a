import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type Clock, systemClock } from '../../src/daemon/clock.js';
import { BUILT_IN_PRESETS } from '../../src/daemon/config/built-in-presets.js';
import { every } from '../../src/daemon/every.js';
import { Git } from '../../src/daemon/git.js';
import type { Panes } from '../../src/daemon/panes/panes.js';
import { ProcessTree } from '../../src/daemon/panes/process-tree.js';
import { TmuxPanes } from '../../src/daemon/panes/tmux-panes.js';
import { Projects } from '../../src/daemon/projects/projects.js';
import { openSessions, type Sessions } from '../../src/daemon/session/open-sessions.js';
import { Recovery, type RecoverySummary } from '../../src/daemon/session/recovery.js';
import type { WorktreeKeeper } from '../../src/daemon/session/worktree-keeper.js';
import { type FileLayer, nodeFiles } from '../../src/daemon/store/file-layer.js';
import { ReportKey } from '../../src/daemon/store/report-key.js';
import { ReportSpool } from '../../src/daemon/store/report-spool.js';
import { ScrollbackStore } from '../../src/daemon/store/scrollback-store.js';
import { SidecarStore } from '../../src/daemon/store/sidecar-store.js';
import { StateDir } from '../../src/daemon/store/state-dir.js';
import { Tombstones } from '../../src/daemon/store/tombstones.js';
import { TrustStore } from '../../src/daemon/store/trust-store.js';
import type { SpawnPreset } from '../../src/protocol/index.js';
import { isAlive } from './daemon-process.js';
import { Parking } from './parking.js';
import { until } from './until.js';

const built = (path: string): string => fileURLToPath(new URL(`../../dist/cli/${path}`, import.meta.url));

const REPORTER = { nodePath: process.execPath, hookFile: built('hook.cjs'), pluginFile: built('hook/opencode-plugin.js') };

export interface BenchOptions {
  /** Wraps what reaches tmux; by default nothing is between. */
  readonly panes?: (panes: Panes) => Panes;
  readonly files?: FileLayer;
  readonly git?: Git;
  readonly clock?: Clock;
  /** How long a resumed program has to live, in milliseconds; a minute unless given. */
  readonly confirmMs?: number;
  readonly presets?: readonly SpawnPreset[];
}

/** One daemon's sessions in this process, over real tmux and real files, with calls that can be parked and crashes at will. */
export class SessionBench implements AsyncDisposable {
  readonly dir: string;
  readonly stateDir: StateDir;
  #tmux: TmuxPanes | undefined;
  #sessions: Sessions | undefined;
  #parking: Parking<Panes> | undefined;
  #worktrees: Parking<WorktreeKeeper> | undefined;
  #stop = new AbortController();

  private constructor(dir: string, stateDir: StateDir) {
    this.dir = dir;
    this.stateDir = stateDir;
  }

  static async create(options: BenchOptions = {}): Promise<SessionBench> {
    const dir = await mkdtemp(join(tmpdir(), 'm-'));
    const bench = new SessionBench(dir, await StateDir.open(join(dir, 'state')));
    await bench.open(options);
    return bench;
  }

  get sessions(): Sessions {
    if (!this.#sessions) throw new Error('the bench is closed');
    return this.#sessions;
  }

  get manager(): Sessions['manager'] {
    return this.sessions.manager;
  }

  get tmux(): TmuxPanes {
    if (!this.#tmux) throw new Error('the bench is closed');
    return this.#tmux;
  }

  /** What makes and removes worktrees, with calls that can be parked. */
  get worktrees(): Parking<WorktreeKeeper> {
    if (!this.#worktrees) throw new Error('the bench is closed');
    return this.#worktrees;
  }

  get parking(): Parking<Panes> {
    if (!this.#parking) throw new Error('the bench is closed');
    return this.#parking;
  }

  /** A daemon starts: recovery runs before this resolves. `lastSign` is what the daemon before left, where its tmux is gone too. */
  async open(options: BenchOptions & { readonly lastSign?: number } = {}): Promise<RecoverySummary> {
    const { stateDir: dir } = this;
    const files = options.files ?? nodeFiles;
    const path = process.env.PATH ?? '';
    const tmux = await TmuxPanes.start({
      runDir: dir.run,
      tmuxPath: 'tmux',
      home: this.dir,
      path,
      leader: 'C-b',
      onDeath: () => this.#sessions?.context.poll(),
      onStateChange: (state) => {
        if (state === 'gone') this.#sessions?.watcher.tmuxLost();
      },
    });
    this.#tmux = tmux;
    this.#parking = new Parking<Panes>(options.panes ? options.panes(tmux) : tmux);
    const baseEnv = { PATH: path, HOME: this.dir, LANG: 'C.UTF-8', SHELL: '/bin/sh' };
    const git = options.git ?? new Git({ env: baseEnv, umask: 0o022 });
    this.#sessions = openSessions({
      stateDir: dir,
      panes: this.#parking.object,
      processes: new ProcessTree({ servers: () => (tmux.serverIdentity ? [tmux.serverIdentity.pid] : []) }),
      presets: options.presets ?? BUILT_IN_PRESETS,
      baseEnv,
      home: this.dir,
      umask: 0o022,
      agents: {
        key: await ReportKey.open(dir),
        spool: ReportSpool.open(dir),
        reporter: REPORTER,
        startingAtOnce: 2,
      },
      worktrees: {
        directory: dir.worktrees,
        ports: { first: 20_000, last: 29_999 },
        salvageRetentionMs: 0,
        trust: await TrustStore.load(dir.trust),
      },
      projects: new Projects({
        git,
        home: this.dir,
        roots: [],
        depth: 1,
        ignore: [],
        exclude: [],
        clock: systemClock,
      }),
      wrapWorktrees: (keeper) => {
        this.#worktrees = new Parking(keeper);
        return this.#worktrees.object;
      },
      replayBytes: 64 * 1024,
      confirmMs: options.confirmMs ?? 60_000,
      clock: options.clock ?? systemClock,
      git,
      log: pino({ level: 'silent' }),
      stores: {
        sidecars: new SidecarStore({ dir, files }),
        scrollbacks: new ScrollbackStore({ dir, files }),
        tombstones: new Tombstones({ dir, files }),
      },
    });
    const summary = await new Recovery(this.#sessions.context, { lastSignBeforeLoss: options.lastSign }).run();
    this.#stop = new AbortController();
    void every(100, () => this.#sessions?.watcher.beat(), { signal: this.#stop.signal, onError: () => undefined });
    return summary;
  }

  /** The daemon is gone in this instant: nothing it was doing goes on, and nothing is flushed. Panes and programs live on. */
  async crash(): Promise<void> {
    const { context } = this.sessions;
    this.#stop.abort();
    const entries = context.registry.entries();
    await this.#tmux?.[Symbol.asyncDispose]();
    context.activities.close();
    this.sessions.sources[Symbol.dispose]();
    this.#sessions = undefined;
    await Promise.all(entries.map((entry) => entry.live?.bridge[Symbol.asyncDispose]()));
  }

  /** Everything on disk and in tmux that belongs to a session. */
  async traces(id: string): Promise<string[]> {
    const dirs = ['sessions', 'scrollback', 'run/pty'];
    const files = (await Promise.all(dirs.map((dir) => readdir(join(this.stateDir.root, dir))))).flat();
    const panes = (await this.tmux.listSessions()).map((pane) => `pane ${pane.sessionId}`);
    return [...files, ...panes].filter((name) => name.includes(id));
  }

  /** Ids of every session record on disk. */
  async recorded(): Promise<string[]> {
    const names = await readdir(this.stateDir.sessions);
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  }

  async sidecar(id: string): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(this.stateDir.sidecar(id), 'utf8')) as Record<string, unknown>;
  }

  async dead(id: string): Promise<void> {
    await until(`${id} to be dead`, () => this.manager.get(id).status === 'dead');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const entry of this.#sessions?.context.registry.entries() ?? [])
      await this.#sessions?.manager.kill(entry.id).catch(() => undefined);
    this.#stop.abort();
    this.#sessions?.sources[Symbol.dispose]();
    const pid = this.#tmux?.serverIdentity?.pid;
    await this.#tmux?.[Symbol.asyncDispose]();
    if (pid !== undefined) {
      process.kill(pid, 'SIGKILL');
      // A zombie is gone too: whoever started the server may be long in waiting for it.
      await until('the tmux server to be gone', () => !isAlive(pid));
    }
    await rm(this.dir, { recursive: true, force: true });
  }
}
