/** Splits bytes into lines of UTF-8 text. What has no line end yet is kept for the next piece. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  push(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}
