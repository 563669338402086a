const SMALLEST_STORE_BYTES = 4096;

/**
 * The last `capacity` bytes of one epoch's stream.
 *
 * Every byte has an absolute offset, counted from the first byte of the epoch. A subscriber that reconnects asks for the offset it
 * stopped at, so replay is exact: no byte twice, and what was dropped shows as {@link start} past the offset asked for.
 *
 * Memory follows use: the store doubles up to `capacity` as bytes come in, so an idle session costs a few KiB.
 */
export class ReplayRing {
  readonly capacity: number;
  #bytes: Buffer; // the byte at stream offset `n` lives at `n % #bytes.length`
  #start = 0;
  #end = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(capacity, SMALLEST_STORE_BYTES));
  }

  /** The offset of the oldest byte held. */
  get start(): number {
    return this.#start;
  }

  /** The offset of the next byte to come. */
  get end(): number {
    return this.#end;
  }

  /** Bytes of memory taken. */
  get allocated(): number {
    return this.#bytes.length;
  }

  /** Copies `chunk` in; the caller may reuse it, as fifo reads share one buffer. */
  push(chunk: Uint8Array): void {
    this.#grow(this.#end - this.#start + chunk.length);
    const size = this.#bytes.length;
    const kept = chunk.subarray(Math.max(0, chunk.length - size));
    this.#end += chunk.length;
    this.#start = Math.max(this.#start, this.#end - size);
    this.#put(kept, this.#end - kept.length);
  }

  /** A copy of at most `limit` bytes from offset `from` on, which must be held. */
  read(from: number, limit: number): Buffer {
    return this.slice(from, Math.min(this.#end, from + limit));
  }

  /** A copy of the bytes `from <= offset < to`, as far as they are held. */
  slice(from: number, to: number): Buffer {
    const first = Math.max(from, this.#start);
    const length = Math.max(0, Math.min(to, this.#end) - first);
    const copy = Buffer.allocUnsafe(length);
    const at = first % this.#bytes.length;
    const copied = this.#bytes.copy(copy, 0, at, Math.min(at + length, this.#bytes.length));
    this.#bytes.copy(copy, copied, 0, length - copied);
    return copy;
  }

  #grow(wanted: number): void {
    let size = this.#bytes.length;
    if (wanted <= size || size === this.capacity) return;
    while (size < wanted && size < this.capacity) size *= 2;
    const held = this.slice(this.#start, this.#end);
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(size, this.capacity));
    this.#put(held, this.#start);
  }

  #put(bytes: Uint8Array, offset: number): void {
    const at = offset % this.#bytes.length;
    const room = this.#bytes.length - at;
    this.#bytes.set(bytes.subarray(0, room), at);
    this.#bytes.set(bytes.subarray(room), 0);
  }
}
