import type { Token } from './token-lines.js';

/** Lines that are coloured in one go, which takes some 10 ms. */
const CHUNK = 400;

/** Lines ahead of a chunk that are read with it, so that what began there is known. */
const LEAD_IN = 200;

/** A longer line is shown without colours. */
const COLORED_LENGTH = 2000;

/**
 * One side of a hunk, coloured as far as somebody looks at it.
 *
 * The lines are read together, so that a comment or a string over several lines is one; what began before the hunk is not known.
 */
export class ColoredLines {
  readonly #lines: readonly string[];
  readonly #language: string | undefined;
  readonly #chunks = new Map<number, readonly (readonly Token[])[] | 'asked'>();
  readonly #listeners = new Set<() => void>();

  /** `lines` may grow until the first one is looked at. */
  constructor(lines: readonly string[], language: string | undefined) {
    this.#lines = lines;
    this.#language = language;
  }

  /** The tokens of a line, or undefined while or where it has no colours. */
  tokens(at: number): readonly Token[] | undefined {
    const chunk = this.#chunks.get(Math.floor(at / CHUNK));
    return chunk === undefined || chunk === 'asked' ? undefined : chunk[at % CHUNK];
  }

  /** Has the line coloured, soon, and says when. */
  watch(at: number, listener: () => void): () => void {
    this.#listeners.add(listener);
    const chunk = Math.floor(at / CHUNK);
    if (this.#language !== undefined && !this.#chunks.has(chunk)) {
      this.#chunks.set(chunk, 'asked');
      void this.#color(chunk, this.#language);
    }
    return () => this.#listeners.delete(listener);
  }

  async #color(chunk: number, language: string): Promise<void> {
    // Without colours, where they cannot be fetched.
    const grammars = await import('./grammars.js').catch(() => undefined);
    await new Promise((painted) => setTimeout(painted));
    const first = chunk * CHUNK;
    const from = Math.max(0, first - LEAD_IN);
    const text = this.#lines.slice(from, first + CHUNK).map((line) => (line.length > COLORED_LENGTH ? '' : line));
    const lines = grammars?.colorText(text.join('\n'), language)?.slice(first - from) ?? [];
    this.#chunks.set(
      chunk,
      lines.filter((_, at) => first + at < this.#lines.length),
    );
    for (const listener of this.#listeners) listener();
  }
}
