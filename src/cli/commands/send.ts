import { text as readAll } from 'node:stream/consumers';
import type { InputRequest, InputResult } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findSession, targetWord } from '../find-session.js';
import { displayName } from '../session-text.js';

export interface SendOptions {
  readonly enter?: boolean;
  readonly key?: readonly string[];
  readonly stdin?: boolean;
}

/** Types into a session: the text, Enter behind it where asked for, then the keys. */
export async function send(
  context: CommandContext,
  [target, ...words]: readonly [string, ...string[]],
  options: SendOptions,
): Promise<ExitCode> {
  if (options.stdin && words.length > 0) throw new CliError('usage', 'give the text as words or with --stdin, not both');
  const text = options.stdin ? await readAll(process.stdin) : words.join(' ');
  const inputs = inputRequests(text, options);
  const client = connectTo(context.stateDir);
  const session = findSession(await client.sessions(), target);
  let result: InputResult = { delivered: true };
  for (const input of inputs) result = { ...result, ...(await client.input(session.id, input)) };
  context.output.line(`sent to ${displayName(session)}`);
  if (result.begun === false) {
    const word = targetWord(session);
    context.output.note(
      `its agent has not begun with it: maestro read ${word} shows why, maestro send ${word} --enter presses Enter again`,
    );
  }
  context.output.document({ id: session.id, ...result });
  return EXIT.done;
}

export function inputRequests(text: string, { enter = false, key = [] }: SendOptions): InputRequest[] {
  const requests: InputRequest[] = [];
  if (text !== '') requests.push(enter ? { text, submit: true } : { text });
  const keys = text === '' && enter ? ['Enter', ...key] : [...key];
  if (keys.length > 0) requests.push({ keys });
  if (requests.length > 0) return requests;
  throw new CliError('usage', 'nothing to send: give text, --enter, --key or --stdin');
}
