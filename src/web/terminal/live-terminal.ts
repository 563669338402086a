import { Backoff, type MaestroClient, type PtyState, ReconnectingPty } from '../../client/index.js';
import type { Position, ServerFrame, Size } from '../../protocol/index.js';
import { onComeback } from '../parts/comeback.js';
import { Store } from '../parts/store.js';
import type { TerminalScreen } from './terminal-screen.js';

export interface LiveState {
  readonly pty: PtyState;
  readonly size: Size;
  /** Whose size it is; undefined until the daemon has told. */
  readonly owner: boolean | undefined;
  /** The terminal is not as large as its room: another viewer owns the size. */
  readonly letterboxed: boolean;
  /** Keys that were pressed in vain since the terminal was last live. */
  readonly refused: number;
}

export interface LiveTerminalOptions {
  readonly client: MaestroClient;
  readonly sessionId: string;
  readonly screen: TerminalScreen;
  readonly size: Size;
  /** Asks for the size of its room from the start. A phone does not, until it is told to. */
  readonly claimsSize: boolean;
}

/** Output is acknowledged each time that this much of it has been shown, in bytes. */
const ACK_EVERY = 32 * 1024;
/** How long a window must keep a size before it is asked for, in milliseconds. */
const SETTLE_MS = 80;

/** Connects a {@link TerminalScreen} with the running session, for as long as it is shown. */
export class LiveTerminal extends Store<LiveState> {
  readonly #options: LiveTerminalOptions;
  readonly #gone = new AbortController();
  readonly #reopening = new Backoff();
  readonly #encoder = new TextEncoder();
  #pty: ReconnectingPty;
  #claimsSize: boolean;
  #asked: Size | undefined;
  #acknowledged: Position | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #reopenTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveTerminalOptions) {
    super({ pty: { kind: 'connecting' }, size: options.size, owner: undefined, letterboxed: false, refused: 0 });
    this.#options = options;
    this.#claimsSize = options.claimsSize;
    this.#pty = this.#open(undefined);
    const { signal } = this.#gone;
    document.addEventListener('visibilitychange', () => this.#pty.setVisible(isVisible()), { signal });
    onComeback(() => this.nudge(), signal);
  }

  type(text: string): void {
    this.send(this.#encoder.encode(text));
  }

  send(bytes: Uint8Array): void {
    if (!this.#pty.sendInput(bytes)) this.#update({ refused: this.value.refused + 1 });
  }

  /** The room has another size now. */
  roomChanged(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#roomSettled(), SETTLE_MS);
  }

  /** This viewer's size, from now on. */
  takeOver(): void {
    this.#claimsSize = true;
    this.#claim();
  }

  nudge(): void {
    this.#pty.nudge();
  }

  dispose(): void {
    this.#gone.abort();
    clearTimeout(this.#settling);
    clearTimeout(this.#reopenTimer);
    this.#pty.close();
  }

  #open(after: Position | undefined): ReconnectingPty {
    const { client, sessionId, screen } = this.#options;
    const pty = new ReconnectingPty(
      { open: (events, stream) => client.openPty(sessionId, events, stream), after },
      {
        onReset: () => screen.reset(),
        onOutput: (bytes, position) => screen.write(bytes, () => this.#shown(position)),
        onFrame: (frame) => this.#receive(frame),
        onState: (state) => this.#become(state),
      },
    );
    pty.setVisible(isVisible());
    const size = this.#claimsSize ? screen.fittingSize() : undefined;
    if (size !== undefined) pty.setSize(size);
    this.#asked = size;
    return pty;
  }

  #receive(frame: ServerFrame): void {
    if (frame.type === 'attached') this.#sized(frame.size, this.value.owner);
    else if (frame.type === 'size') this.#sized(frame.size, frame.owner);
  }

  #sized(size: Size, owner: boolean | undefined): void {
    this.#options.screen.resize(size);
    this.#update({ size, owner });
    // Typing made us the owner, with a size that our room no longer has.
    if (owner === true && this.#claimsSize && !isSame(this.#asked, this.#options.screen.fittingSize())) this.#claim();
  }

  #roomSettled(): void {
    this.#options.screen.showEnd();
    const isOurs = this.#claimsSize && this.value.owner !== false;
    if (isOurs && !isSame(this.#asked, this.#options.screen.fittingSize())) this.#claim();
    else this.#update({});
  }

  #claim(): void {
    const size = this.#options.screen.fittingSize();
    if (size === undefined) return;
    this.#asked = size;
    this.#pty.setSize(size);
  }

  #shown(position: Position): void {
    const last = this.#acknowledged;
    if (last?.epoch === position.epoch && Math.abs(position.offset - last.offset) < ACK_EVERY) return;
    this.#acknowledged = position;
    this.#pty.acknowledge(position);
  }

  #become(pty: PtyState): void {
    if (pty.kind === 'live') this.#reopening.reset();
    this.#update(pty.kind === 'live' ? { pty, refused: 0 } : { pty });
    // The page leaves this terminal when the session has no program any more; until it hears of that, or when it was started again
    // meanwhile, there may be more to see.
    if (pty.kind === 'over' && !this.#gone.signal.aborted) {
      this.#reopenTimer = setTimeout(() => {
        this.#pty = this.#open(this.#pty.position);
      }, this.#reopening.next());
    }
  }

  #update(change: Partial<LiveState>): void {
    if (this.#gone.signal.aborted) return;
    const next = { ...this.value, ...change };
    const room = this.#options.screen.fittingSize();
    this.set({ ...next, letterboxed: next.owner !== true && room !== undefined && !isSame(room, next.size) && !this.#isSettling(next) });
  }

  /** Our size has been asked for and not been answered yet: no reason to draw a box for a moment. */
  #isSettling({ owner }: LiveState): boolean {
    return owner === undefined && this.#claimsSize;
  }
}

function isSame(a: Size | undefined, b: Size | undefined): boolean {
  return a?.cols === b?.cols && a?.rows === b?.rows;
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}
