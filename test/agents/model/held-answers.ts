/** An answer that is stopped until a test has seen what it came for. */
export interface Held {
  /** Resolves when the agent waits for it. */
  readonly reached: Promise<void>;
  release(): void;
}

interface Gate extends Held {
  reach(): void;
  readonly released: Promise<void>;
}

function gate(): Gate {
  let reach: () => void = () => undefined;
  let release: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { reached, released, reach: () => reach(), release: () => release() };
}

/** The answers that tests stop, by their text. */
export class HeldAnswers {
  readonly #gates = new Map<string, Gate>();

  hold(text: string): Held {
    const made = gate();
    this.#gates.set(text, made);
    return made;
  }

  /** Resolves at once for a text that nobody holds. */
  async pass(text: string): Promise<void> {
    const held = this.#gates.get(text);
    held?.reach();
    await held?.released;
  }

  releaseAll(): void {
    for (const { release } of this.#gates.values()) release();
  }
}
