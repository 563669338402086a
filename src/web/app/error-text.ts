import { UnreachableError } from '../../client/index.js';
import { MaestroError } from '../../protocol/index.js';
import { text } from '../text/text.js';

/** What went wrong, as a sentence for the user. */
export function errorText(error: unknown): string {
  if (error instanceof MaestroError) return asSentence(error.message);
  if (error instanceof UnreachableError) {
    return error.reason === 'refused' ? text.errors.noAnswer : text.errors.wentAway;
  }
  return text.errors.unknown;
}

/** Messages of the daemon begin in lower case, as they also stand behind a program's name. */
export function asSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
