import type { MaestroClient } from '../../client/maestro-client.js';
import type { CreateSessionRequest, Session } from '../../protocol/index.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { clampSize, createRequest, type NewOptions as RequestOptions } from '../create-request.js';
import { EXIT } from '../exit-code.js';
import { targetWord } from '../find-session.js';
import { homeShort } from '../home-path.js';
import { safe } from '../printable.js';
import { canAsk } from '../question.js';
import { type PlaceOptions, sessionPlace } from '../session-place.js';
import { calledText } from '../session-text.js';
import { refusedSetup, trustShown, untrustedSetup } from '../trusting.js';

export interface NewOptions extends RequestOptions, PlaceOptions {
  readonly attach?: boolean;
  readonly quiet?: boolean;
}

/** Starts a session, and attaches to it where asked for. */
export async function newSession(context: CommandContext, words: readonly string[], options: NewOptions): Promise<number> {
  const { stateDir, env, output } = context;
  const attach = options.attach ? await import('../attach/attach.js') : undefined;
  const terminal = attach?.requireTerminal(output);
  const place = sessionPlace(options, env.PWD);
  const request = createRequest(place, words, { options, ownEnv: env });
  const client = connectTo(stateDir, place.worktree === undefined ? undefined : WORKTREE_ANSWER_WITHIN_MS);
  const sized = { ...request, ...(terminal && !request.size ? { size: clampSize(terminal) } : {}) };
  const session = await createTrusted(context, client, { request: sized, trust: options.trust ?? false });
  if (attach) return attach.attachTo(context, session);
  if (options.quiet) output.line(session.id);
  else {
    output.line(startedText(session, context.home));
    output.line(`maestro attach ${targetWord(session)} shows it`);
  }
  output.document(session);
  return EXIT.done;
}

function startedText(session: Session, home: string): string {
  const branch = session.worktree === undefined ? '' : safe`on branch ${session.worktree.branch} `;
  return `started ${calledText(session)} ${branch}in ${safe`${homeShort(session.cwd, home)}`}`;
}

/** Creates it; where the repository has a set-up that nobody trusts yet, asks whether it may run and tries once more. */
async function createTrusted(
  { output }: CommandContext,
  client: MaestroClient,
  { request, trust }: { request: CreateSessionRequest; trust: boolean },
): Promise<Session> {
  try {
    return await client.create(request);
  } catch (error) {
    const setup = untrustedSetup(error);
    if (setup === undefined) throw error;
    if (!trust && !canAsk(output)) throw refusedSetup(error, setup, request.worktree?.base);
    const refusal = 'nothing was started; --skip-setup starts it without the set-up';
    await trustShown(client, setup, { show: (line) => output.note(line), yes: trust, refusal });
    return client.create(request);
  }
}
