/** A set of bytes that a buffer can be searched for. */
export class ByteSet {
  readonly #member = new Uint8Array(256);

  constructor(...members: readonly number[]) {
    for (const member of members) this.#member[member] = 1;
  }

  has(byte: number): boolean {
    return this.#member[byte] === 1;
  }

  /** The index of the first member in `bytes[from, to)`, or `to`. */
  indexIn(bytes: Uint8Array, from: number, to: number): number {
    const member = this.#member;
    let i = from;
    while (i < to && member[bytes[i] as number] === 0) i += 1;
    return i;
  }
}
