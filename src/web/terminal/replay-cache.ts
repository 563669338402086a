import type { Position, Size } from '../../protocol/index.js';

/** What all sessions' output may take, in bytes, beside that of the sessions in view. */
const LIMIT = 16 * 1024 * 1024;
/** What one session's may. More is not kept at all: output without its beginning cannot be drawn. */
const SESSION_LIMIT = 2 * 1024 * 1024;

/** Output that brings a new terminal to where another one was. */
export interface CachedReplay {
  readonly bytes: Uint8Array;
  /** Behind its last byte. */
  readonly position: Position;
}

/**
 * The output of sessions that were looked at, so that a look at one of them again shows it at once and fetches only what came since. What
 * was looked at longest ago goes first.
 */
export class ReplayCache {
  readonly #limit: number;
  readonly #sessionLimit: number;
  /** The one that was last in use is the last. */
  readonly #recordings = new Map<string, ReplayRecording>();

  constructor({ limit = LIMIT, sessionLimit = SESSION_LIMIT }: { limit?: number; sessionLimit?: number } = {}) {
    this.#limit = limit;
    this.#sessionLimit = sessionLimit;
  }

  /** What was kept of the session for a terminal of this size; output that was made for another one would be broken at other places. */
  find(id: string, size: Size): CachedReplay | undefined {
    return this.#recordings.get(id)?.replayAt(size);
  }

  /** Records from here on, in place of what another terminal records of the same session. It goes on where `after` is what was kept. */
  record(id: string, after: CachedReplay | undefined): ReplayRecording {
    const former = this.#recordings.get(id);
    const recording = new ReplayRecording(this.#sessionLimit, after);
    former?.stop();
    this.#recordings.delete(id);
    this.#recordings.set(id, recording);
    this.#trim();
    return recording;
  }

  clear(): void {
    for (const recording of this.#recordings.values()) recording.stop();
    this.#recordings.clear();
  }

  get bytes(): number {
    return [...this.#recordings.values()].reduce((sum, { length }) => sum + length, 0);
  }

  #trim(): void {
    let { bytes } = this;
    for (const [id, recording] of this.#recordings) {
      if (bytes <= this.#limit) return;
      bytes -= recording.length;
      recording.stop();
      this.#recordings.delete(id);
    }
  }
}

/** Keeps what one terminal is given, from when it was empty. */
export class ReplayRecording {
  readonly #limit: number;
  #bytes = new Uint8Array(0);
  #length = 0;
  #position: Position | undefined;
  #size: Size | undefined;
  /** There is nothing that could be drawn, until the terminal is empty again. */
  #isLost = false;
  #isStopped = false;

  constructor(limit: number, after: CachedReplay | undefined) {
    this.#limit = limit;
    if (after !== undefined) this.append(after.bytes, after.position);
  }

  get length(): number {
    return this.#length;
  }

  replayAt(size: Size): CachedReplay | undefined {
    if (this.#isLost || this.#position === undefined || this.#length === 0) return undefined;
    if (this.#size?.cols !== size.cols || this.#size.rows !== size.rows) return undefined;
    return { bytes: this.#bytes.subarray(0, this.#length), position: this.#position };
  }

  /** The terminal is empty: what comes now is all that it shows. */
  begin(): void {
    this.#forget();
    this.#isLost = false;
  }

  append(bytes: Uint8Array, position: Position): void {
    if (this.#isLost || this.#isStopped) return;
    if (this.#length + bytes.length > this.#limit) {
      this.#lose();
      return;
    }
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(this.#length + bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#position = position;
  }

  /** The terminal has this size. Output from before cannot be drawn in it as it was. */
  resized(size: Size): void {
    const isSame = this.#size === undefined || (this.#size.cols === size.cols && this.#size.rows === size.rows);
    this.#size = size;
    if (!isSame && this.#length > 0) this.#lose();
  }

  /** Keeps no more memory than what was recorded needs. */
  rest(): void {
    this.#bytes = this.#bytes.slice(0, this.#length);
  }

  stop(): void {
    this.#isStopped = true;
    this.#forget();
  }

  #lose(): void {
    this.#isLost = true;
    this.#forget();
  }

  #forget(): void {
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    this.#position = undefined;
  }

  #grow(needed: number): void {
    const bytes = new Uint8Array(Math.min(this.#limit, Math.max(needed, 64 * 1024, this.#bytes.length * 2)));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}
