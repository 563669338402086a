import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import type { Output } from './output.js';

/** Whether somebody is there to be asked. */
export function canAsk({ json }: Output): boolean {
  return isatty(0) && !json;
}

/** What was typed on a line behind `question`; nothing where the input ends or Ctrl-C is pressed. */
export function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(''));
    terminal.question(question).then(
      (answer) => {
        resolve(answer.trim());
        terminal.close();
      },
      () => resolve(''),
    );
  });
}

/** True for a yes alone. */
export async function confirmed(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}
