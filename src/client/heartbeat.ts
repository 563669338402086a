export interface HeartbeatOptions {
  /** A connection that has been silent for so long is asked for a sign of life. In milliseconds. */
  readonly quietMs?: number;
  /** How long the answer may take when somebody waits for it. In milliseconds. */
  readonly urgentMs?: number;
}

export interface HeartbeatEvents {
  ask(): void;
  lost(): void;
}

/**
 * Finds out that a connection is dead though nothing has closed it, as when a host or a network has vanished: after three quiet times at
 * the latest. What is heard costs no more than to note the time.
 */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  readonly #quietMs: number;
  readonly #urgentMs: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #urgent: ReturnType<typeof setTimeout> | undefined;
  #heardAt = Date.now();
  #isAsked = false;

  constructor(events: HeartbeatEvents, { quietMs = 4500, urgentMs = 3000 }: HeartbeatOptions = {}) {
    this.#events = events;
    this.#quietMs = quietMs;
    this.#urgentMs = urgentMs;
    this.#timer = setInterval(() => this.#look(), quietMs);
  }

  /** Anything came over the connection. */
  heard(): void {
    this.#heardAt = Date.now();
    this.#isAsked = false;
  }

  /** Something has happened that connections do not always survive, such as a sleep: asks at once, and does not wait long. */
  check(): void {
    if (this.#urgent !== undefined) return;
    this.#ask();
    this.#urgent = setTimeout(() => {
      this.#urgent = undefined;
      if (this.#isAsked) this.#events.lost();
    }, this.#urgentMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#urgent);
  }

  /** Timers of a page that nobody sees may come minutes late: only a question without an answer counts, never the time alone. */
  #look(): void {
    if (this.#isAsked) this.#events.lost();
    else if (Date.now() - this.#heardAt >= this.#quietMs) this.#ask();
  }

  #ask(): void {
    this.#isAsked = true;
    this.#events.ask();
  }
}
