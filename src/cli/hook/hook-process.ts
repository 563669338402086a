import { closeSync, openSync } from 'node:fs';
import { report } from './report.js';

/** Makes this process a reporter: it reports, and ends with 0 and without a word whatever happens, as agents show failing hooks to the user. */
export function becomeReporter(words: readonly string[]): void {
  const quit = () => process.exit(0);
  process.on('uncaughtException', quit);
  silence();
  report(words).then(quit, quit);
}

/** Node itself may have something to say, such as a warning. */
function silence(): void {
  try {
    for (const output of [1, 2]) {
      closeSync(output);
      openSync('/dev/null', 'w'); // takes the lowest number that is free
    }
  } catch {
    // Then nothing can be written there either.
  }
}
