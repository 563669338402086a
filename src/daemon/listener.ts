import { chmod, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Host } from '../protocol/index.js';
import { MaestroError, VERSION } from '../protocol/index.js';
import { hostPresets } from './agents/presets.js';
import type { Access, ApiParts } from './api/api-parts.js';
import { cookieName } from './api/auth.js';
import { listenOnTcp } from './api/listen.js';
import { LoginCodes } from './api/login-codes.js';
import { OpenStreams } from './api/open-streams.js';
import { type ApiServer, buildServer, type Certificate } from './api/server.js';
import { TcpGuard } from './api/tcp-guard.js';
import { formatTime, systemClock } from './clock.js';
import type { ClockWatch } from './clock-watch.js';
import type { Config } from './config.js';
import type { Log } from './log.js';
import { bootId } from './process-identity.js';
import type { Sessions } from './session/open-sessions.js';
import { ProjectBranches } from './session/project-branches.js';
import { BrowserSessions } from './store/browser-sessions.js';
import type { DaemonJson, DaemonRecord } from './store/daemon-json.js';
import type { StateDir } from './store/state-dir.js';
import { loadToken, rotateToken, tokenMatches } from './store/token.js';

interface ListenerParts {
  readonly config: Config;
  readonly stateDir: StateDir;
  readonly sessions: Sessions;
  readonly panes: { readonly version: string; readonly socketPath: string };
  readonly daemonJson: DaemonJson;
  readonly clockWatch: ClockWatch;
  /** The record of the daemon before. */
  readonly former: DaemonRecord | undefined;
  readonly options: { readonly home: string; readonly log: Log; readonly onShutdown: () => void };
}

/** The API on the unix socket and on loopback TCP, the same routes on both. */
export class Listener {
  /** `host:port` of the TCP side. */
  readonly address: string;
  /** What was wrong with what it needs, and what could not be written down of where it listens. */
  readonly warnings: readonly string[];
  readonly #servers: readonly ApiServer[];
  readonly #socket: string;
  /** Those that took the place of a unix socket that was deleted. */
  readonly #more: Server[] = [];

  private constructor({ address, warnings, servers, socket }: ListenerState) {
    this.address = address;
    this.warnings = warnings;
    this.#servers = servers;
    this.#socket = socket;
  }

  static async open(parts: ListenerParts): Promise<Listener> {
    const { config, stateDir, former } = parts;
    const warnings: string[] = [];
    const access = await openAccess(stateDir, { isSecure: config.tls !== undefined, onDamaged: (warning) => warnings.push(warning) });
    const certificate = await readCertificate(config.tls);
    let port = 0;
    const { allowedHosts } = config;
    const guard = new TcpGuard({ host: urlHost(config.listen.host), port: () => port, allowedHosts, access, clock: systemClock });
    const api = apiParts({ ...parts, access }, () => address(config.listen.host, port));
    const tcp = await buildServer(api, guard, { certificate });
    const unix = await buildServer(api);
    const servers = [tcp, unix];
    try {
      port = await listenOnTcp(tcp, config.listen, rememberedPort(config, former));
      await unix.listen({ path: stateDir.socket });
      await chmod(stateDir.socket, 0o600);
    } catch (error) {
      await Promise.all(servers.map((server) => server.close()));
      throw error;
    }
    const listen = address(config.listen.host, port);
    warnings.push(...(await noteStart(parts, listen)));
    return new Listener({ address: listen, warnings, servers, socket: stateDir.socket });
  }

  /** The unix socket was deleted: listens on a new one of its name, for the same server. */
  async listenAgain(): Promise<void> {
    const unix = this.#servers[1];
    if (unix === undefined) return;
    const more = createServer((socket) => unix.server.emit('connection', socket));
    await new Promise<void>((resolve, reject) => {
      more.once('error', reject);
      more.listen(this.#socket, resolve);
    });
    this.#more.push(more);
    await chmod(this.#socket, 0o600);
  }

  /** Takes no new connections, runs `finish`, then ends the connections there are. */
  async close(finish: () => Promise<void>): Promise<void> {
    await finish();
    for (const server of this.#more) server.close();
    await Promise.all(this.#servers.map((server) => server.close()));
    await rm(this.#socket, { force: true });
  }
}

interface ListenerState {
  readonly address: string;
  readonly warnings: readonly string[];
  readonly servers: readonly ApiServer[];
  readonly socket: string;
}

/** On a full disk the daemon runs all the same, as that is when sessions are most in need of being ended: what failed is the answer. */
async function noteStart({ daemonJson, clockWatch }: ListenerParts, listen: string): Promise<string[]> {
  const now = formatTime(systemClock.now());
  try {
    await daemonJson.write({
      last_sign_of_life: now,
      pid: process.pid,
      started: now,
      boot: await bootId(),
      listen,
      doubted_at: clockWatch.doubtedAt,
    });
    return [];
  } catch (error) {
    if (error instanceof MaestroError && error.code === 'storage_failed') return [error.message];
    throw error;
  }
}

/** Where a daemon with the default address listened the last time, so that an address once printed stays good. */
function rememberedPort(config: Config, former: DaemonRecord | undefined): number | undefined {
  const match = /^(.*):(\d+)$/.exec(former?.listen ?? '');
  return !config.listen.explicit && match?.[1] === config.listen.host ? Number(match[2]) : undefined;
}

function address(host: string, port: number): string {
  return `${urlHost(host)}:${port}`;
}

/** An IPv6 address stands in brackets there. */
function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

async function readCertificate(tls: Config['tls']): Promise<Certificate | undefined> {
  if (tls === undefined || tls === 'proxy') return undefined;
  const read = (file: string): Promise<Buffer> =>
    readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw new MaestroError('invalid_request', `tls: ${file} cannot be read (${error.code ?? error.message})`);
    });
  const [cert, key] = await Promise.all([read(tls.cert), read(tls.key)]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new MaestroError('invalid_request', `tls: ${tls.cert} and ${tls.key} are no certificate and its key in PEM form`, {
      cause: error,
    });
  }
  return { cert, key };
}

interface AccessOptions {
  readonly isSecure: boolean;
  readonly onDamaged: (warning: string) => void;
}

async function openAccess({ token: path, browserSessions, root }: StateDir, { isSecure, onDamaged }: AccessOptions): Promise<Access> {
  const browsers = await BrowserSessions.load(browserSessions);
  let token = await loadToken(path, { onDamaged });
  return {
    acceptsToken: (given) => tokenMatches(given, token),
    cookie: cookieName(root),
    isSecure,
    browsers,
    codes: new LoginCodes(systemClock),
    streams: new OpenStreams(),
    rotate: async () => {
      // The browsers first: when the disk refuses the second step, the token is not one that nobody knows of.
      await browsers.closeAll();
      token = await rotateToken(path);
    },
  };
}

function apiParts(
  { config, stateDir, sessions, panes, options, access }: ListenerParts & { access: Access },
  listen: () => string,
): ApiParts {
  const { manager, context, worktrees, changes, uploads, projects, activities, reports, resumes, catalogue } = sessions;
  const { salvages, projectSetups } = context;
  const started = systemClock.monotonic();
  const host = (): Host => {
    const statuses = manager.list().map((session) => session.status);
    const count = (status: string): number => statuses.filter((one) => one === status).length;
    return {
      version: VERSION,
      host_name: config.hostName,
      home: options.home,
      state_dir: stateDir.root,
      leader: config.leader,
      listen: listen(),
      scheme: access.isSecure ? 'https' : 'http',
      tmux_socket: panes.socketPath,
      tmux_version: panes.version,
      pid: process.pid,
      uptime_seconds: Math.floor((systemClock.monotonic() - started) / 1000),
      sessions: { running: count('running'), dead: count('dead'), dormant: count('dormant') },
    };
  };
  return {
    manager,
    activities,
    reports,
    resumes,
    agents: catalogue,
    changes,
    uploads,
    worktrees,
    salvages,
    projectSetups,
    branches: new ProjectBranches({ git: context.git, home: options.home }),
    projects,
    host,
    presets: () => hostPresets(context.presets, context.path),
    access,
    clock: systemClock,
    log: options.log,
    shutdown: options.onShutdown,
  };
}
