import { constants } from 'node:os';
import { MaestroClient } from '../../client/maestro-client.js';
import { MaestroError, type Session } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { failureOf } from '../failure.js';
import { findSession, targetWord } from '../find-session.js';
import { printable } from '../printable.js';
import { displayName, exitSentence } from '../session-text.js';
import { type AttachOptions, attach, requireTerminal, terminalSize } from './attach.js';
import { type DaemonUrl, findToken, readDaemonUrl, type Token } from './daemon-url.js';
import { RemoteAttachment, type RemoteEnd } from './remote-attachment.js';
import { TcpTransport } from './tcp-transport.js';
import { tellSeen } from './tell-seen.js';

export interface AttachAnywhereOptions extends AttachOptions {
  /** A daemon's address over TCP. Without it, this host's own daemon, through tmux. */
  readonly url?: string;
  readonly tokenFile?: string;
}

interface Remote {
  readonly context: CommandContext;
  readonly client: MaestroClient;
  readonly transport: TcpTransport;
  readonly url: DaemonUrl;
}

/** Shows a session in this terminal, by way of this host's tmux or of a daemon's WebSocket. Answers an exit code. */
export async function attachAnywhere(context: CommandContext, target: string, options: AttachAnywhereOptions): Promise<number> {
  const { url: text, tokenFile, resume = false } = options;
  if (text === undefined) {
    if (tokenFile !== undefined) throw new CliError('usage', '--token-file goes with --url');
    return attach(context, target, options);
  }
  const url = readDaemonUrl(text);
  requireTerminal(context.output);
  const token = findToken(context, { url, tokenFile });
  if (!url.isLoopback && !url.isEncrypted)
    context.output.note(`maestro: ${url.origin} is not encrypted: token and terminal can be read on the way; an ssh tunnel prevents that`);
  const transport = new TcpTransport({ origin: url.origin, token: token.value });
  const remote: Remote = { context, url, transport, client: new MaestroClient(transport) };
  try {
    return await attachTo(remote, await runningSession(remote, { target, resume }));
  } catch (error) {
    throw explained(error, url, token);
  }
}

async function runningSession({ client, url }: Remote, { target, resume }: { target: string; resume: boolean }): Promise<Session> {
  const session = findSession(await client.sessions(), target);
  if (session.status === 'running') return session;
  if (resume) return client.resume(session.id);
  const again = reattach(session, url, '--resume ');
  throw new CliError('failed', `${displayName(session)} is ${session.status}; ${again} brings it back and shows it`);
}

function reattach(session: Session, url: DaemonUrl, option = ''): string {
  return `maestro attach ${option}${targetWord(session)} --url ${url.origin}`;
}

async function attachTo(remote: Remote, session: Session): Promise<number> {
  const { context, client, transport } = remote;
  if (context.env.MAESTRO_SESSION_ID === session.id) throw new CliError('failed', `this terminal is ${displayName(session)} itself`);
  const { leader } = await client.host();
  const name = displayName(session);
  context.output.line(`attached to ${name}: ${printable(leader)} d detaches`);
  tellSeen(client, session);
  const end = await RemoteAttachment.show({ client, flow: transport, sessionId: session.id, name, leader, size: terminalSize });
  if (end.why !== 'over') tellSeen(client, session);
  return tell(remote, session, end);
}

async function tell(remote: Remote, session: Session, end: RemoteEnd): Promise<number> {
  const { context, url } = remote;
  const name = displayName(session);
  if (end.why === 'signal') return 128 + constants.signals[end.signal];
  if (end.why === 'detached') {
    context.output.line(`detached from ${name}, which keeps running. Reattach: ${reattach(session, url)}`);
    return EXIT.done;
  }
  const sentence = await endSentence(remote, session, end);
  if (sentence === undefined) {
    const why = end.reason ?? (end.close.reason || `the connection was closed with code ${end.close.code}`);
    throw new CliError('failed', `${name} is no longer shown: ${printable(why)}. Reattach: ${reattach(session, url)}`);
  }
  context.output.line(sentence);
  return EXIT.done;
}

/** How the session's program ended, as far as it has; undefined when it still runs as it did or nobody can say. */
async function endSentence({ client, url }: Remote, session: Session, end: RemoteEnd & { why: 'over' }): Promise<string | undefined> {
  const name = displayName(session);
  const hasEnded = end.exit !== undefined || [1000, 4404, 4409].includes(end.close.code);
  const now = await client
    .session(session.id)
    .catch((error: unknown) => (failureOf(error).exitCode === EXIT.noSession ? 'gone' : 'unknown'));
  if (now === 'gone') return `${name} was killed`;
  if (typeof now === 'string') return hasEnded ? `${name} ${exitSentence(end.exit)}` : undefined;
  if (now.status === 'running') return hasEnded ? `${name} was started again. Reattach: ${reattach(session, url)}` : undefined;
  const back = now.status === 'dormant' ? `. Bring it back: ${reattach(session, url, '--resume ')}` : '';
  return `${name} ${exitSentence(now.exit)}${back}`;
}

/** A refusal that the daemon words for browsers, in words for who uses a token. */
function explained(error: unknown, url: DaemonUrl, token: Token): unknown {
  if (!(error instanceof MaestroError) || error.code !== 'unauthorized') return error;
  const where = "it is the content of `token` in the daemon's state directory";
  return new CliError('failed', `the daemon at ${url.origin} does not take the token from ${printable(token.source)}; ${where}`, {
    cause: error,
  });
}
