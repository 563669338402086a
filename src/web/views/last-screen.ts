import type { Size } from '../../protocol/index.js';
import type { StoredText } from './stored-text.js';

/** Fills a screen with what scrolls, several times over. */
export const TAIL_BYTES = 32 * 1024;
/** For programs that draw only what changes: mostly more than they need from one drawing of all to the next. */
export const LARGE_TAIL_BYTES = 256 * 1024;

interface LastScreenParts {
  readonly fetch: (tail: number) => Promise<Uint8Array>;
  readonly draw: (bytes: Uint8Array, size: Size) => Promise<StoredText>;
}

/** What a session without a program showed last, from as little of its output as shows a whole screen. */
export async function lastScreen({ fetch, draw }: LastScreenParts, size: Size): Promise<string> {
  const bytes = await fetch(TAIL_BYTES);
  const { text, isWhole } = await draw(bytes, size);
  // What was cut has nearly the length that was asked for.
  if (isWhole || bytes.length < TAIL_BYTES / 2) return text;
  return (await draw(await fetch(LARGE_TAIL_BYTES), size)).text;
}
