/** The streams of clients over TCP that are open now, by the login that opened each; a client with the token has none. */
export class OpenStreams {
  readonly #ends = new Map<() => void, string | undefined>();

  /** Calls `end` when the access that opened the stream is taken back. The answer ends that, once the stream is over. */
  track(cookie: string | undefined, end: () => void): () => void {
    this.#ends.set(end, cookie);
    return () => this.#ends.delete(end);
  }

  /** This browser has logged out. */
  endOf(cookie: string): void {
    for (const [end, of] of this.#ends) if (of === cookie) end();
  }

  /** The token was replaced, and every login is void. */
  endAll(): void {
    for (const end of this.#ends.keys()) end();
  }
}
