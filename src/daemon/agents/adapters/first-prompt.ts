import { isObject } from './stored-files.js';

const MOST_CHARACTERS = 200;

/** The texts of a message's content, which is a text or a list of parts. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.slice(0, 100).flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []));
}

/**
 * The first text that a person wrote, in one short line for a list. What agents add to a conversation in the user's name stands between
 * tags, such as `<environment_context>`.
 */
export function promptOf(texts: readonly string[]): string | undefined {
  const own = texts.find((text) => text.trim() !== '' && !/^\s*<[a-z][a-z0-9_-]*[ >]/i.test(text));
  const line = own
    ?.slice(0, 4 * MOST_CHARACTERS)
    .replace(/[\p{Control}\p{Format}\p{Surrogate}\s]+/gu, ' ')
    .trim();
  return line ? [...line].slice(0, MOST_CHARACTERS).join('') : undefined;
}
