import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { Session, Size } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT } from '../exit-code.js';
import { findSession, targetWord } from '../find-session.js';
import type { Output } from '../output.js';
import { printable, printableLines } from '../printable.js';
import { displayName } from '../session-text.js';
import { type EndedSession, endSentence } from './attach-end.js';
import { SizeViewer } from './size-viewer.js';
import { tellSeen } from './tell-seen.js';
import { TerminalGuard } from './terminal-guard.js';
import { TmuxClient, type TmuxEnd } from './tmux-client.js';

export interface AttachOptions {
  /** Bring a session back that has no program. */
  readonly resume?: boolean;
}

/** The user waits for their prompt: a daemon that hangs does not keep it from them. */
const EXPLAIN_WITHIN_MS = 3000;

const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** Shows a session in this terminal until the user detaches or it ends. Answers an exit code: 0 for both. */
export async function attach(context: CommandContext, target: string, { resume }: AttachOptions): Promise<number> {
  requireTerminal(context.output);
  const client = connectTo(context.stateDir);
  const session = findSession(await client.sessions(), target);
  if (session.status === 'running') return attachTo(context, session);
  if (resume) return attachTo(context, await client.resume(session.id));
  const name = targetWord(session);
  const hint = `maestro resume ${name} brings it back, maestro attach --resume ${name} shows it too`;
  throw new CliError('failed', `${displayName(session)} is ${session.status}; ${hint}`);
}

/** The size of the terminal, which has to be one. */
export function requireTerminal({ json }: Output): Size {
  if (json) throw new CliError('usage', 'attaching takes over the terminal; it has no --json');
  if (!isatty(0) || !isatty(1))
    throw new CliError('failed', 'attaching needs a terminal on standard input and output; maestro read shows a session without one');
  return terminalSize();
}

/** Columns and rows of the terminal on standard output. */
export function terminalSize(): Size {
  const [cols, rows] = process.stdout.getWindowSize();
  return cols > 0 && rows > 0 ? { cols, rows } : { cols: 80, rows: 24 }; // a serial line does not know its size
}

export async function attachTo(context: CommandContext, session: Session): Promise<number> {
  if (context.env.MAESTRO_SESSION_ID === session.id) throw new CliError('failed', `this terminal is ${displayName(session)} itself`);
  const client = connectTo(context.stateDir);
  const { tmux_socket: tmuxSocket, leader } = await client.host();
  const viewed: { tmux?: TmuxClient } = {};
  const lastUsed = async () => viewed.tmux?.lastUsed();
  const viewer = new SizeViewer({ client, sessionId: session.id, size: terminalSize, lastUsed });
  try {
    const refusal = await viewer.refusal();
    if (refusal !== undefined) throw new CliError('failed', refusal);
    context.output.line(`attached to ${displayName(session)}: ${printable(leader)} d detaches`);
    const guard = new TerminalGuard();
    tellSeen(client, session);
    viewed.tmux = new TmuxClient({ socket: tmuxSocket, sessionId: session.id, env: context.env });
    const ended = { client: connectTo(context.stateDir, EXPLAIN_WITHIN_MS), session, tmuxSocket, target: targetWord(session) };
    const end = await watch(viewed.tmux, guard);
    viewer.close(); // from here on nobody looks at it, and another viewer's size counts
    if (end.why !== 'exited') tellSeen(client, session);
    return await explain(context, ended, end);
  } finally {
    viewer.close();
  }
}

interface Watched extends TmuxEnd {
  readonly signal: (typeof SIGNALS)[number] | undefined;
}

/** Waits for the end of tmux's client, ends it when this process is told to end, and puts the terminal back. */
async function watch(tmux: TmuxClient, guard: TerminalGuard): Promise<Watched> {
  let received: Watched['signal'];
  const onSignal = (signal: NodeJS.Signals) => {
    received ??= SIGNALS.find((name) => name === signal);
    tmux.terminate();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const end = await tmux.ended;
    guard.restore({ clean: end.why !== 'broken' });
    return { ...end, signal: received };
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

async function explain({ output }: CommandContext, ended: EndedSession, { why, text, signal }: Watched): Promise<number> {
  const name = displayName(ended.session);
  if (signal !== undefined) return 128 + constants.signals[signal];
  if (why === 'broken')
    throw new CliError('failed', `${name} is no longer shown: ${printableLines(text)}. Reattach: maestro attach ${ended.target}`);
  if (why === 'exited') output.line(await endSentence(ended));
  else output.line(`detached from ${name}, which keeps running. Reattach: maestro attach ${ended.target}`);
  return EXIT.done;
}
