import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { withoutControls, withStylesOnly } from '../control-free.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findSession, targetWord } from '../find-session.js';
import { displayName } from '../session-text.js';

export interface ReadOptions {
  readonly history?: number;
  readonly scrollback?: boolean;
  /** Only the newest bytes of what is stored, at most so many. */
  readonly tail?: number;
  readonly ansi?: boolean;
  readonly raw?: boolean;
}

/** What a session shows, or the output of it that is stored. A terminal gets nothing that it would act on, unless asked for raw. */
export async function read(context: CommandContext, target: string, options: ReadOptions): Promise<ExitCode> {
  if (options.scrollback && options.history !== undefined) throw new CliError('usage', 'give --history or --scrollback, not both');
  if (options.tail !== undefined && !options.scrollback)
    throw new CliError('usage', '--tail is of stored output: give --scrollback as well');
  const client = connectTo(context.stateDir);
  const session = findSession(await client.sessions(), target);
  if (options.scrollback) {
    writeScrollback(context, session.id, { bytes: await client.scrollback(session.id, { tail: options.tail }), options });
    return EXIT.done;
  }
  if (session.status !== 'running') {
    const text = `${displayName(session)} is ${session.status} and shows nothing; its stored output: maestro read ${targetWord(session)} --scrollback`;
    throw new CliError('failed', text);
  }
  const format = options.ansi ? 'ansi' : 'text';
  const screen = await client.screen(session.id, { format, history: options.history });
  writeScreen(context, session.id, { screen, options });
  return EXIT.done;
}

function writeScreen({ output }: CommandContext, id: string, { screen, options }: { screen: string; options: ReadOptions }): void {
  output.document({ id, screen });
  if (output.json) return;
  if (options.raw) {
    output.raw(screen);
    return;
  }
  const text = screen.replace(/(?<!\n)\n+$/, ''); // the empty rest of the screen
  output.raw(withLineEnd(!output.isTerminal ? text : options.ansi ? withStylesOnly(text) : withoutControls(text)));
}

function writeScrollback({ output }: CommandContext, id: string, { bytes, options }: { bytes: Uint8Array; options: ReadOptions }): void {
  output.document({ id, scrollback_base64: Buffer.from(bytes).toString('base64') });
  if (output.json) return;
  if (!output.isTerminal || options.raw) output.raw(bytes);
  else output.raw(withLineEnd((options.ansi ? withStylesOnly : withoutControls)(new TextDecoder().decode(bytes))));
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
