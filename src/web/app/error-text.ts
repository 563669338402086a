import { UnreachableError } from '../../client/index.js';
import { MaestroError } from '../../protocol/index.js';

/** What went wrong, as a sentence for the user. */
export function errorText(error: unknown): string {
  if (error instanceof MaestroError) return asSentence(error.message);
  if (error instanceof UnreachableError) {
    return error.reason === 'refused'
      ? 'Maestro does not answer. Nothing was done; try again when it is back.'
      : 'Maestro went away before it answered. Look at the list before you try again.';
  }
  return 'Something went wrong on this page. Reload it and try again.';
}

/** Messages of the daemon begin in lower case, as they also stand behind a program's name. */
export function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
