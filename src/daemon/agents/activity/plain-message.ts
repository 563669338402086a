import { ACTIVITY_MESSAGE_LIMIT } from '../../../protocol/index.js';

const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~]?)/g;
/** All control characters but tab and line feed, and those that turn text around or cannot be encoded. */
const UNWANTED = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Text of an agent as a message for the user: no escape sequences, no control characters, and cut to the limit. Undefined if nothing is left. */
export function plainMessage(value: unknown, limit: number = ACTIVITY_MESSAGE_LIMIT): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Cut first, so that a giant string costs nothing; twice the limit leaves room for what is taken out.
  const text = value.slice(0, 2 * ACTIVITY_MESSAGE_LIMIT).replace(/\r\n?/g, '\n');
  const plain = text.replace(ESCAPE_SEQUENCES, '').replace(UNWANTED, '').trim();
  if (plain.length <= limit) return plain === '' ? undefined : plain;
  return `${plain.slice(0, limit - 1).replace(/\p{Surrogate}$/u, '')}…`;
}
