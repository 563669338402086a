/** What time it is on the host, which may be another machine with another clock: by the dates of its answers. */
export class HostClock {
  #ahead = 0;

  /** An answer of the daemon bears this date. */
  learn(date: string): void {
    const at = Date.parse(date);
    if (Number.isFinite(at)) this.#ahead = at - Date.now();
  }

  /** In milliseconds since 1970, to a second or two. */
  now(): number {
    return Date.now() + this.#ahead;
  }
}
