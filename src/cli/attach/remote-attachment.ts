import type { MaestroClient } from '../../client/maestro-client.js';
import { type PtyState, ReconnectingPty } from '../../client/reconnecting-pty.js';
import type { SocketClose } from '../../client/transport.js';
import { type Exit, parsePosition, type ServerFrame, type Size } from '../../protocol/index.js';
import { printable } from '../printable.js';
import { LeaderFilter, type Wish } from './leader-filter.js';
import { type EndSignal, takeTerminal } from './raw-terminal.js';
import { RemoteScreen } from './remote-screen.js';
import { TerminalGuard } from './terminal-guard.js';

export interface RemoteAttachmentOptions {
  readonly client: MaestroClient;
  /** Holds back what the daemon sends, and lets it come again. */
  readonly flow: { pause(): void; resume(): void };
  readonly sessionId: string;
  /** What to call the session. Printable. */
  readonly name: string;
  readonly leader: string;
  size(): Size;
}

/**
 * Why the session is shown no more.
 *
 * - `detached`: the user asked for it
 * - `signal`: this program was told to end, or the terminal is gone
 * - `over`: the daemon says that there is nothing more to come; `exit` is there when the program ended while it was shown
 */
export type RemoteEnd =
  | { readonly why: 'detached' }
  | { readonly why: 'signal'; readonly signal: EndSignal }
  | { readonly why: 'over'; readonly close: SocketClose; readonly reason: string | undefined; readonly exit: Exit | undefined };

/** A key that sends a sequence sends it at once: what is incomplete for so long is a key of its own, such as Escape. */
const KEY_WITHIN_MS = 30;
/** A connection that is back within this time is not worth a notice. */
const NOTICE_AFTER_MS = 1000;
const LAST_OUTPUT_WITHIN_MS = 5000;
const LET_GO_WITHIN_MS = 500;

/** Shows a session in the terminal on standard input and output, over as many connections as it takes. */
export class RemoteAttachment {
  readonly #options: RemoteAttachmentOptions;
  readonly #screen: RemoteScreen;
  readonly #keys: LeaderFilter;
  readonly #pty: ReconnectingPty;
  readonly #ended: Promise<RemoteEnd>;
  #end: (end: RemoteEnd) => void = () => {};
  #hasEnded = false;
  #exit: Exit | undefined;
  /** A notice covers the last line. */
  #isCovered = false;
  #keyTimer: NodeJS.Timeout | undefined;
  #noticeTimer: NodeJS.Timeout | undefined;

  /** Shows `options.sessionId` until it ends. The terminal is put back before this resolves. */
  static async show(options: RemoteAttachmentOptions): Promise<RemoteEnd> {
    return new RemoteAttachment(options).#run();
  }

  private constructor(options: RemoteAttachmentOptions) {
    const { client, flow, sessionId, leader, size } = options;
    this.#options = options;
    this.#keys = new LeaderFilter(leader);
    this.#screen = new RemoteScreen({ fd: 1, size, onFull: () => flow.pause(), onDrained: () => flow.resume() });
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#pty = new ReconnectingPty(
      { open: (events, ptyOptions) => client.openPty(sessionId, events, ptyOptions) },
      {
        onOutput: (bytes) => this.#screen.output(bytes),
        onReset: () => this.#reset(),
        onFrame: (frame) => this.#receive(frame),
        onState: (state) => this.#follow(state),
      },
    );
  }

  async #run(): Promise<RemoteEnd> {
    const guard = new TerminalGuard(() => this.#screen.leave());
    const release = this.#takeTerminal();
    try {
      this.#screen.begin();
      this.#pty.setSize(this.#options.size());
      const end = await this.#ended;
      release();
      this.#stop();
      const isOver = end.why === 'over';
      await this.#screen.end({ complete: isOver, withinMs: isOver ? LAST_OUTPUT_WITHIN_MS : LET_GO_WITHIN_MS });
      return end;
    } finally {
      release();
      this.#stop();
      guard.restore({ clean: false });
    }
  }

  #stop(): void {
    this.#hasEnded = true;
    clearTimeout(this.#keyTimer);
    clearTimeout(this.#noticeTimer);
    this.#pty.close();
  }

  #takeTerminal(): () => void {
    return takeTerminal({
      onKeys: (bytes) => this.#type(bytes),
      onResize: () => this.#resize(),
      onSignal: (signal) => this.#finish({ why: 'signal', signal }),
    });
  }

  #type(bytes: Buffer): void {
    clearTimeout(this.#keyTimer);
    for (const wish of this.#keys.feed(bytes)) this.#obey(wish);
    if (!this.#keys.isHolding) return;
    this.#keyTimer = setTimeout(() => {
      for (const wish of this.#keys.flush()) this.#obey(wish);
    }, KEY_WITHIN_MS);
  }

  #obey(wish: Wish): void {
    if (this.#hasEnded) return;
    if (this.#isCovered && this.#pty.state.kind === 'live') this.#uncover(); // the help was read
    if (wish === 'detach') this.#finish({ why: 'detached' });
    else if (wish === 'help') this.#help();
    else if (wish === 'unknown') this.#screen.bell();
    else if (!this.#pty.sendInput(wish)) this.#refuse();
  }

  /** Keys are for the program as the user sees it now, so none of them waits for the connection. */
  #refuse(): void {
    this.#screen.bell();
    if (this.#pty.state.kind === 'live') return; // more waits for the network than is sensible
    this.#pty.nudge();
    this.#tellCutOff();
  }

  #help(): void {
    const leader = printable(this.#options.leader);
    if (this.#pty.state.kind !== 'live') this.#tellCutOff();
    else this.#cover(`${leader} d detaches; ${leader} ${leader} sends ${leader}; ${leader} ? shows this, until the next key`);
  }

  #resize(): void {
    this.#pty.setSize(this.#options.size());
    if (this.#isCovered && this.#pty.state.kind !== 'live') this.#tellCutOff();
  }

  #receive(frame: ServerFrame): void {
    if (frame.type === 'exit') this.#exit = frame.exit;
    if (frame.type === 'error') this.#screen.bell();
    if (frame.type !== 'attached') return;
    const position = parsePosition(frame.position);
    const goesOn = position?.epoch === this.#pty.position?.epoch && position?.offset === this.#pty.position?.offset;
    if (this.#isCovered && goesOn) this.#uncover(); // else a reset comes by itself
  }

  #follow(state: PtyState): void {
    clearTimeout(this.#noticeTimer);
    if (state.kind === 'over') this.#finish({ why: 'over', close: state.close, reason: state.reason, exit: this.#exit });
    if (state.kind !== 'cut_off') return;
    const waitMs = Math.max(0, state.since + NOTICE_AFTER_MS - Date.now());
    if (!this.#hasEnded) this.#noticeTimer = setTimeout(() => this.#tellCutOff(), waitMs);
  }

  #tellCutOff(): void {
    const { state } = this.#pty;
    if (state.kind !== 'cut_off') return;
    const reason = state.reason !== undefined ? ` (${printable(state.reason)})` : '';
    const leader = printable(this.#options.leader);
    this.#cover(`cut off from ${this.#options.name}${reason}; trying again. Keys are refused; ${leader} d detaches`);
  }

  #cover(text: string): void {
    this.#isCovered = true;
    this.#screen.notice(text);
  }

  /** What is under the notice comes back by a fresh replay. */
  #uncover(): void {
    this.#isCovered = false;
    this.#pty.resync();
  }

  #finish(end: RemoteEnd): void {
    this.#hasEnded = true;
    this.#end(end);
  }

  #reset(): void {
    this.#isCovered = false;
    this.#screen.reset();
  }
}
