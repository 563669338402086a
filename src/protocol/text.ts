import { z } from 'zod';

const NUL_OR_LONE_SURROGATE = /\0|\p{Surrogate}/u;

/** True for text that UTF-8 can carry and the operating system can take: no NUL, no half of a surrogate pair. */
export function isPlainText(text: string): boolean {
  return !NUL_OR_LONE_SURROGATE.test(text);
}

/** Text that reaches the operating system byte for byte. */
export const PlainTextSchema = z.string().refine(isPlainText, 'must be valid Unicode without NUL');

/** Bytes of `text` in UTF-8. Counts without an encoder, so that it is the same in a browser and in Node. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
