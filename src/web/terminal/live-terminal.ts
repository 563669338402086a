import { Backoff, type MaestroClient, type PtyState, ReconnectingPty } from '../../client/index.js';
import { CLOSE_CODE, type Position, type ServerFrame, type Size } from '../../protocol/index.js';
import { onComeback } from '../parts/comeback.js';
import { Store } from '../parts/store.js';
import { Acknowledgements } from './acknowledgements.js';
import { PastMark } from './past-mark.js';
import type { ReplayCache, ReplayRecording } from './replay-cache.js';
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
  readonly replays: ReplayCache;
  readonly size: Size;
  /** Asks for the size of its room from the start. A phone does not, until it is told to. */
  readonly claimsSize: boolean;
  /** What was typed did not get to the program, though the terminal is live: the daemon says why, or too much waits to be sent. */
  readonly onRefused: (reason: string | undefined) => void;
}

/** How long a window must keep a size before it is asked for, in milliseconds. */
const SETTLE_MS = 80;

/**
 * The codes of an end that a resume of the session can undo. The page leaves the terminal when it hears of the end; until then, or when the
 * program was started again meanwhile, there may be more to see. After any other end another try has the same.
 */
export function mayReturn(code: number): boolean {
  return code === 1000 || code === CLOSE_CODE.notFound || code === CLOSE_CODE.notRunning;
}

/** Connects a {@link TerminalScreen} with the running session, for as long as it is shown. */
export class LiveTerminal extends Store<LiveState> {
  readonly #options: LiveTerminalOptions;
  readonly #gone = new AbortController();
  readonly #reopening = new Backoff();
  readonly #encoder = new TextEncoder();
  readonly #recording: ReplayRecording;
  readonly #past = new PastMark();
  readonly #shown = new Acknowledgements((position) => this.#pty.acknowledge(position));
  #pty: ReconnectingPty;
  #claimsSize: boolean;
  #asked: Size | undefined;
  #liveSince = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #reopenTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveTerminalOptions) {
    super({ pty: { kind: 'connecting' }, size: options.size, owner: undefined, letterboxed: false, refused: 0 });
    this.#options = options;
    this.#claimsSize = options.claimsSize;
    const { sessionId, replays, size } = options;
    const cached = replays.find(sessionId, size);
    this.#recording = replays.record(sessionId, cached);
    this.#recording.resized(size);
    if (cached !== undefined) this.#show(cached.bytes);
    this.#pty = this.#open(cached?.position);
    const { signal } = this.#gone;
    document.addEventListener('visibilitychange', () => this.#seenOrNot(), { signal });
    onComeback(() => this.nudge(), signal);
  }

  type(text: string): void {
    this.send(this.#encoder.encode(text));
  }

  send(bytes: Uint8Array): void {
    if (this.#pty.sendInput(bytes)) return;
    if (this.value.pty.kind === 'live') this.#options.onRefused(undefined);
    else this.#update({ refused: this.value.refused + 1 });
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

  /** Tries again at once, whatever was the reason to stop. */
  nudge(): void {
    if (this.value.pty.kind === 'over') this.#reopen();
    else this.#pty.nudge();
  }

  dispose(): void {
    this.#gone.abort();
    clearTimeout(this.#settling);
    clearTimeout(this.#reopenTimer);
    this.#pty.close();
    this.#recording.rest();
  }

  /** What another terminal was given of this session. */
  #show(bytes: Uint8Array): void {
    const { screen } = this.#options;
    screen.beginPast();
    screen.write(bytes);
    screen.endPast();
  }

  #open(after: Position | undefined): ReconnectingPty {
    const { client, sessionId, screen } = this.#options;
    const pty = new ReconnectingPty(
      { open: (events, stream) => client.openPty(sessionId, events, stream), after },
      {
        onReset: () => {
          screen.reset();
          this.#recording.begin();
        },
        onOutput: (bytes, position) => this.#print(bytes, position),
        onFrame: (frame) => this.#receive(frame),
        onState: (state) => this.#become(state),
      },
    );
    pty.setVisible(isVisible());
    this.#asked = undefined;
    return pty;
  }

  #print(bytes: Uint8Array, position: Position): void {
    const { screen } = this.#options;
    screen.write(bytes, () => this.#shown.shown(position));
    this.#recording.append(bytes, position);
    if (this.#past.passes(position)) screen.endPast();
  }

  #seenOrNot(): void {
    this.#pty.setVisible(isVisible());
    if (isVisible()) this.#roomSettled();
  }

  #receive(frame: ServerFrame): void {
    if ((frame.type === 'attached' || frame.type === 'gap') && this.#past.begin(frame)) this.#options.screen.beginPast();
    if (frame.type === 'attached') this.#sized(frame.size, this.value.owner);
    else if (frame.type === 'size') this.#sized(frame.size, frame.owner);
    else if (frame.type === 'error' && this.value.pty.kind === 'live') this.#options.onRefused(frame.message);
  }

  #sized(size: Size, owner: boolean | undefined): void {
    this.#options.screen.resize(size);
    this.#recording.resized(size);
    this.#update({ size, owner });
    // Typing made us the owner, with a size that our room no longer has.
    if (owner === true && this.#claimsSize && !isSame(this.#asked, this.#options.screen.fittingSize())) this.#claim();
  }

  #roomSettled(): void {
    this.#options.screen.showEnd();
    // Another's size is left alone, but whoever comes is in use: it asks once, as soon as there is room.
    const isOurs = this.#claimsSize && isVisible() && (this.value.owner !== false || this.#asked === undefined);
    if (isOurs && !isSame(this.#asked, this.#options.screen.fittingSize())) this.#claim();
    else this.#update({});
  }

  #claim(): void {
    const size = this.#options.screen.fittingSize();
    if (size === undefined) return;
    this.#asked = size;
    this.#pty.setSize(size);
  }

  #become(pty: PtyState): void {
    if (this.#gone.signal.aborted) return;
    const wasLive = this.value.pty.kind === 'live';
    if (pty.kind === 'live') this.#attached();
    else if (this.#past.giveUp()) this.#options.screen.endPast();
    this.#update(pty.kind === 'live' ? { pty, refused: 0 } : { pty });
    if (pty.kind !== 'live' && wasLive) this.#reopening.held(Date.now() - this.#liveSince);
    if (pty.kind === 'over' && mayReturn(pty.close.code)) this.#reopenTimer = setTimeout(() => this.#reopen(), this.#reopening.next());
  }

  /** What is around the terminal has its place by now: asked for sooner, the size would change at once. */
  #attached(): void {
    this.#liveSince = Date.now();
    if (this.#claimsSize && this.#asked === undefined && isVisible()) this.#claim();
  }

  #reopen(): void {
    clearTimeout(this.#reopenTimer);
    this.#pty = this.#open(this.#pty.position);
    this.#update({ pty: this.#pty.state });
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
