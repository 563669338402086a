import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { clampSize, createRequest, type NewOptions as RequestOptions } from '../create-request.js';
import { EXIT } from '../exit-code.js';
import { targetWord } from '../find-session.js';
import { homeShort } from '../home-path.js';
import { safe } from '../printable.js';
import { calledText } from '../session-text.js';
import { givenDirectory } from '../working-directory.js';

export interface NewOptions extends RequestOptions {
  readonly attach?: boolean;
  readonly quiet?: boolean;
}

/** Starts a session, and attaches to it where asked for. */
export async function newSession(context: CommandContext, words: readonly string[], options: NewOptions): Promise<number> {
  const { stateDir, home, env, output } = context;
  const attach = options.attach ? await import('../attach/attach.js') : undefined;
  const terminal = attach?.requireTerminal(output);
  const request = createRequest(givenDirectory(options.cwd, env.PWD), words, { options, ownEnv: env });
  const session = await connectTo(stateDir).create({ ...request, ...(terminal && !request.size ? { size: clampSize(terminal) } : {}) });
  if (attach) return attach.attachTo(context, session);
  if (options.quiet) output.line(session.id);
  else {
    output.line(safe`started ${calledText(session)} in ${homeShort(session.cwd, home)}`);
    output.line(`maestro attach ${targetWord(session)} shows it`);
  }
  output.document(session);
  return EXIT.done;
}
