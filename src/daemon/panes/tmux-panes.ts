import type { Size } from '../../protocol/index.js';
import type { PaneSnapshot } from '../pane-snapshot.js';
import { isSame, type ProcessIdentity } from '../process-identity.js';
import { KnownPanes } from './known-panes.js';
import { captured, screenCommands } from './pane-capture.js';
import { PaneCreator } from './pane-creator.js';
import { PaneInput } from './pane-input.js';
import type { ListedPane } from './pane-list.js';
import { PaneLister } from './pane-lister.js';
import { PANE_OPTION } from './pane-options.js';
import { adoptCommands, lookCommands, parseSnapshot } from './pane-snapshot.js';
import type { CaptureOptions, NewPane, Pane, PaneInfo, Panes, TmuxState } from './panes.js';
import { endStuckPipes } from './stuck-pipes.js';
import type { TmuxControl } from './tmux-control.js';
import { bodiesOf, failureError, isMissing } from './tmux-failure.js';
import { TmuxLink } from './tmux-link.js';
import { type Command, command } from './tmux-quote.js';
import { TmuxServer, type TmuxServerOptions } from './tmux-server.js';

export interface TmuxPanesOptions extends TmuxServerOptions {
  /** How long tmux may take to answer, in milliseconds; 10 s unless given. */
  readonly timeoutMs?: number;
  /** Some program may have ended: list the sessions. Comes within milliseconds, but can be missed; a slow poll stays necessary. */
  readonly onDeath?: () => void;
  readonly onStateChange?: (state: TmuxState) => void;
}

const TIMEOUT_MS = 10_000;

/** {@link Panes} on a tmux server of Maestro's own. Ending it leaves the server and every session as they are. */
export class TmuxPanes implements Panes, AsyncDisposable {
  readonly #server: TmuxServer;
  readonly #timeoutMs: number;
  readonly #link: TmuxLink;
  readonly #creator: PaneCreator;
  readonly #lister: PaneLister;
  readonly #input: PaneInput;
  readonly #known = new KnownPanes();
  #life: ProcessIdentity | undefined;

  private constructor(server: TmuxServer, options: TmuxPanesOptions) {
    this.#server = server;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    const link = new TmuxLink({
      server,
      timeoutMs: this.#timeoutMs,
      onStateChange: options.onStateChange ?? (() => {}),
      onConnected: (control) => this.#connected(control),
      onDeath: options.onDeath ?? (() => {}),
    });
    this.#link = link;
    this.#creator = new PaneCreator(link);
    this.#lister = new PaneLister({ link, server });
    this.#input = new PaneInput({ link, pasteDir: server.pasteDir });
  }

  /**
   * Connects to the server that `runDir` tells of, or starts one. Resolves with state `silent` when there is one that does not answer.
   * Rejects with `tmux_unavailable` when tmux is missing, too old or does not start, and with `invalid_request` for a bad leader key
   * or a socket path that is too long.
   */
  static async start(options: TmuxPanesOptions): Promise<TmuxPanes> {
    const panes = new TmuxPanes(await TmuxServer.open(options), options);
    await panes.#link.connect();
    return panes;
  }

  get state(): TmuxState {
    return this.#link.state;
  }

  /** tmux's version, such as `3.3a`. */
  get version(): string {
    return this.#server.version;
  }

  get socketPath(): string {
    return this.#server.socketPath;
  }

  /** The server's process as last seen, whether it still runs or not. */
  get serverIdentity(): ProcessIdentity | undefined {
    return this.#server.identity;
  }

  /** Resolves once the server answers, a fresh one if the last has ended. */
  ensureServer(): Promise<void> {
    return this.#link.ensureServer();
  }

  /** Ends pipe shells that wait for a reader of a fifo in `fifoDir`; see {@link endStuckPipes}. Resolves with their number. */
  endStuckPipes(fifoDir: string): Promise<number> {
    return endStuckPipes(fifoDir, this.#server.identity?.pid);
  }

  /** The socket is gone: a server that lives makes it again. */
  restoreSocket(): Promise<void> {
    return this.#server.restoreSocket();
  }

  async newSessionPiped(spec: NewPane): Promise<Pane> {
    if (this.#link.state === 'gone') await this.#link.ensureServer();
    const created = await this.#creator.create(spec);
    this.#known.note(created);
    const { sessionId, paneId, pid } = created;
    return { sessionId, paneId, pid };
  }

  async killSession(pane: Pane): Promise<void> {
    const known = this.#known.find(pane);
    if (known === undefined || this.#link.state === 'gone') return;
    // The pane by itself as well: people may have put it in a second session.
    const kills = [command('kill-session', '-t', known.tmuxSession), command('kill-pane', '-t', known.paneId)];
    for (const reply of await Promise.all(kills.map((kill) => this.#link.run([kill])))) {
      if (!reply.ok && !isMissing(reply.failure)) throw failureError(reply.failure, pane.sessionId);
    }
    this.#known.forget(pane);
  }

  pulse(): Promise<string> {
    return this.#lister.pulse();
  }

  async listSessions(): Promise<PaneInfo[]> {
    const panes = await this.#lister.list();
    for (const pane of panes) this.#known.note(pane);
    return panes.map(withoutTmuxSession);
  }

  async paneInfo(sessionId: string): Promise<PaneInfo | undefined> {
    return (await this.listSessions()).find((pane) => pane.marked && pane.sessionId === sessionId);
  }

  async record(pane: Pane): Promise<string | undefined> {
    const [body] = await this.#run(pane, [command('show-options', '-q', '-v', '-t', this.#known.tmuxSession(pane), PANE_OPTION.record)]);
    return body === undefined || body.length === 0 ? undefined : body.toString();
  }

  async setRecord(pane: Pane, record: string): Promise<void> {
    await this.#run(pane, [command('set-option', '-t', this.#known.tmuxSession(pane), '--', PANE_OPTION.record, record)]);
  }

  async adopt(pane: Pane, fifo: string): Promise<PaneSnapshot> {
    return parseSnapshot(await this.#run(pane, adoptCommands(pane.paneId, fifo)));
  }

  async look(pane: Pane, history: number): Promise<PaneSnapshot> {
    return parseSnapshot(await this.#run(pane, lookCommands(pane.paneId, history)));
  }

  async sendBytes(pane: Pane, bytes: Uint8Array): Promise<void> {
    this.#known.tmuxSession(pane);
    await this.#input.sendBytes(pane, bytes);
  }

  async sendKeys(pane: Pane, keys: readonly string[]): Promise<void> {
    this.#known.tmuxSession(pane);
    await this.#input.sendKeys(pane, keys);
  }

  async paste(pane: Pane, text: string): Promise<void> {
    this.#known.tmuxSession(pane);
    await this.#input.paste(pane, text);
  }

  async resizeWindow(pane: Pane, { cols, rows }: Size): Promise<void> {
    await this.#run(pane, [command('resize-window', '-t', pane.paneId, '-x', String(cols), '-y', String(rows))]);
  }

  async capturePane(pane: Pane, options: CaptureOptions): Promise<Buffer> {
    const [shown = Buffer.alloc(0)] = captured(await this.#run(pane, screenCommands(pane.paneId, options)), 1);
    return shown;
  }

  /** Lets go of tmux: ends the daemon's own clients and nothing else. Idempotent, and never waits for a server that is silent. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#link[Symbol.asyncDispose]();
  }

  async #run(pane: Pane, commands: readonly Command[]): Promise<readonly Buffer[]> {
    this.#known.tmuxSession(pane);
    return bodiesOf(await this.#link.run(commands), pane.sessionId);
  }

  async #connected(control: TmuxControl): Promise<void> {
    const { identity } = this.#server;
    if (isSame(this.#life, identity)) {
      await this.#creator.endForgotten(control, this.#timeoutMs);
      return;
    }
    this.#life = identity;
    this.#known.clear();
    this.#lister.clear();
    this.#creator.clear();
  }
}

function withoutTmuxSession({ tmuxSession: _, ...pane }: ListedPane): PaneInfo {
  return pane;
}
