/** A call that has been stopped in the middle. */
export interface Parked {
  /** Resolves when the call stands there. */
  readonly reached: Promise<void>;
  release(): void;
}

interface Stop extends Parked {
  wait(): Promise<void>;
}

function stop(): Stop {
  let reach: () => void = () => undefined;
  let release: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    reached,
    release,
    wait: () => {
      reach();
      return released;
    },
  };
}

type Method = (...args: never[]) => Promise<unknown>;

/** Stops calls of an object's methods before or behind what they do, to hold a race open for as long as a test looks at it. */
export class Parking<T extends object> {
  readonly #stops = new Map<string, Stop>();
  /** The object, with the stops in it. */
  readonly object: T;

  constructor(target: T) {
    this.object = new Proxy(target, {
      get: (_target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function' || typeof key !== 'string') return value;
        return (...args: never[]) => this.#call(key, (value as Method).bind(target), args);
      },
    });
  }

  /** Stops the next call of `method`: before it does anything, or behind it, with its result still unknown to the caller. */
  next(method: keyof T & string, place: 'before' | 'behind'): Parked {
    const made = stop();
    this.#stops.set(`${place} ${method}`, made);
    return made;
  }

  #call(method: string, call: Method, args: never[]): unknown {
    const before = this.#take(`before ${method}`);
    const behind = this.#take(`behind ${method}`);
    if (!before && !behind) return call(...args);
    return this.#parked({ before, behind }, () => call(...args));
  }

  async #parked(stops: { before: Stop | undefined; behind: Stop | undefined }, call: () => Promise<unknown>): Promise<unknown> {
    await stops.before?.wait();
    const result = await call();
    await stops.behind?.wait();
    return result;
  }

  #take(key: string): Stop | undefined {
    const found = this.#stops.get(key);
    this.#stops.delete(key);
    return found;
  }
}
