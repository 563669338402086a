import type { Exit, Session } from '../../protocol/index.js';
import { formatMoment } from './age.js';

/** How a program ended, in as few words as fit a row: `Exited 1`. */
export function shortEnding(exit: Exit | undefined): string {
  if (exit === undefined) return 'Ended';
  if (exit.reason === 'lost') return 'Lost with the host or tmux';
  if (exit.reason === 'resume_failed') return `Resume failed: ${howItEnded(exit).toLowerCase()}`;
  if (exit.reason === 'stopped') return 'Stopped';
  return howItEnded(exit);
}

function howItEnded({ code, signal }: Exit): string {
  if (signal !== undefined) return `Killed by signal ${signal}`;
  return code === undefined || code === 0 ? 'Exited' : `Exited ${code}`;
}

export interface Ending {
  readonly title: string;
  /** What is kept, and what the next step makes of it. */
  readonly detail: string;
  readonly action: 'Resume' | 'Restart';
}

/** What the card under a session without a program says. */
export function endingOf(session: Session, now: number): Ending {
  const { status, exit, updated_at, agent_session } = session;
  const moment = formatMoment(Date.parse(exit?.at ?? updated_at), now);
  const action = status === 'dormant' || agent_session !== undefined ? 'Resume' : 'Restart';
  return { title: titleOf(session, moment), detail: detailOf(session), action };
}

function titleOf({ status, exit }: Session, moment: string): string {
  if (exit?.reason === 'resume_failed') return `The resume failed ${moment}: ${howItEnded(exit).toLowerCase()}`;
  if (status === 'dormant') return `Dormant since ${moment.replace(/^at /, '')}${lostWith(exit)}`;
  return `${shortEnding(exit)} ${moment}`;
}

function lostWith(exit: Exit | undefined): string {
  return exit?.reason === 'lost' ? ', when the host or tmux went away' : '';
}

function detailOf({ status, exit, agent_session, worktree, command }: Session): string {
  const kept = [
    ...(agent_session === undefined ? [] : [`the conversation ${agent_session.slice(0, 8)}`]),
    ...(worktree === undefined ? [] : ['the worktree']),
    'the last output',
  ];
  const sentence = `${capital(joined(kept))} ${kept.length > 1 ? 'are' : 'is'} kept.`;
  const who = status === 'dead' && exit?.signal !== undefined && exit.reason !== 'stopped' ? 'Maestro did not send it. ' : '';
  const next = agent_session === undefined && command !== '' ? ' Its command runs again, in the same place.' : '';
  return `${who}${sentence}${next}`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
