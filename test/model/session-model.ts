import type { ActivityRequest, ExitReason, SessionStatus, Size } from '../../src/protocol/index.js';
import { type Answer, FAILED, type HostEvent, type Operation } from './operation.js';

interface ModelExit {
  readonly reason: ExitReason;
  /** Absent when it does not matter how the program ended, as it was ended by the daemon. */
  readonly code?: number;
  readonly signal?: number;
  /** In milliseconds since 1970, roughly. */
  readonly at: number;
}

/** What must be true of one session. */
export interface SessionModel {
  readonly name: string;
  readonly greeting: string;
  readonly cwd: string;
  readonly size: Size;
  readonly status: SessionStatus;
  readonly run: number;
  readonly exit?: ModelExit | undefined;
  readonly activity?: ActivityRequest['state'] | undefined;
  readonly conversation?: string | undefined;
  /** A resumed program that has not come back for certain, and the conversation that is kept if it fails. */
  readonly trial?: { readonly conversation: string | undefined } | undefined;
  /** Lines that the scrollback holds, in this order and each once. */
  readonly printed: readonly string[];
  /** How many of them are on disk for certain. */
  readonly stored: number;
  /** Lines that a loss of everything but the disk may have taken. */
  readonly unsure: readonly string[];
  readonly worktree: 'none' | 'clean' | 'dirty';
}

export interface Step {
  readonly answer: Answer;
  /** Undefined once it is killed. */
  readonly session: SessionModel | undefined;
}

/** How close to the end of tmux an unasked end belongs to the host's going down, in milliseconds. */
const REBOOT_WINDOW_MS = 10_000;

/** What an operation does to a session when nothing else happens. Pure. */
export function step(session: SessionModel, operation: Operation, now: number): Step {
  const ok = (next: SessionModel | undefined): Step => ({ answer: 'ok', session: next });
  const refused = (answer: Answer): Step => ({ answer, session });
  const running = session.status === 'running';
  switch (operation.kind) {
    case 'say':
      return running ? ok({ ...session, printed: [...session.printed, operation.word] }) : refused('not_running');
    case 'exit':
      return running ? ok(ended(session, { code: operation.code }, now)) : refused('not_running');
    case 'signal':
      return running ? ok(ended(session, { signal: operation.signal }, now)) : refused('not_running');
    case 'stop':
      return running ? ok(stopped(session, now)) : refused('not_running');
    case 'kill':
      return session.worktree === 'dirty' && !operation.force ? refused('worktree_dirty') : ok(undefined);
    case 'resume':
      return running ? refused('already_running') : ok(resumed(session, operation, now));
    case 'restart':
      return ok(resumed(running ? stopped(session, now) : session, operation, now));
    case 'resize':
      return ok({ ...session, size: operation.size });
    case 'rename':
      return ok({ ...session, name: operation.name });
    case 'dirty':
      return ok(session.worktree === 'none' ? session : { ...session, worktree: 'dirty' });
    case 'report':
      return ok(reported(session, operation));
  }
}

function stored(session: SessionModel): SessionModel {
  return { ...session, stored: session.printed.length };
}

function ended(session: SessionModel, how: { code: number } | { signal: number }, now: number): SessionModel {
  const { trial } = session;
  const rest = { ...stored(session), activity: undefined, trial: undefined };
  if (trial === undefined || ('code' in how && how.code === 0))
    return { ...rest, status: 'dead', exit: { ...how, reason: 'exited', at: now } };
  return { ...rest, status: 'dormant', exit: { ...how, reason: 'resume_failed', at: now }, conversation: trial.conversation };
}

function stopped(session: SessionModel, now: number): SessionModel {
  return { ...stored(session), activity: undefined, trial: undefined, status: 'dead', exit: { reason: 'stopped', at: now } };
}

/** Each life of the program says its number first. */
export function lifeWord(run: number): string {
  return `life-${run}`;
}

function resumed(session: SessionModel, { fate }: { readonly fate: 'stay' | 'fail' | 'finish' }, now: number): SessionModel {
  const run = session.run + 1;
  const living: SessionModel = {
    ...session,
    status: 'running',
    run,
    exit: undefined,
    activity: undefined,
    trial: { conversation: session.conversation },
    printed: [...session.printed, lifeWord(run)],
  };
  if (fate === 'stay') return living;
  return ended(living, { code: fate === 'fail' ? FAILED : 0 }, now);
}

function reported(session: SessionModel, report: Extract<Operation, { kind: 'report' }>): SessionModel {
  if (report.run !== undefined && report.run < session.run) return session;
  return { ...session, activity: report.state, conversation: report.conversation ?? session.conversation };
}

/** What becomes of a session when something happens to the host. `remembers` tells whether the daemon knows when it was last alive. */
export function suffer(session: SessionModel, event: HostEvent, { now, remembers }: { now: number; remembers: boolean }): SessionModel {
  switch (event) {
    case 'flush':
      return session.status === 'running' ? stored(session) : session;
    case 'daemon stops':
      return session.status === 'running' ? stored(session) : session;
    case 'daemon crashes':
      return session;
    case 'tmux dies':
      return lost(stored(session), now, true);
    case 'both die': {
      const kept = session.status === 'running' ? session.stored : session.printed.length;
      const unsure = [...session.unsure, ...session.printed.slice(kept)];
      return lost({ ...session, printed: session.printed.slice(0, kept), stored: kept, unsure }, now, remembers);
    }
  }
}

function lost(session: SessionModel, now: number, knows: boolean): SessionModel {
  if (session.status === 'running')
    return { ...session, status: 'dormant', activity: undefined, trial: undefined, exit: { reason: 'lost', at: now } };
  return knows && isInWindow(session, now) && session.exit
    ? { ...session, status: 'dormant', exit: { ...session.exit, reason: 'lost' } }
    : session;
}

function isInWindow({ exit }: SessionModel, now: number): boolean {
  return (exit?.reason === 'exited' || exit?.reason === 'resume_failed') && now - exit.at < REBOOT_WINDOW_MS;
}
