import type { Exit, Session } from '../../protocol/index.js';
import { text } from '../text/text.js';
import { formatMoment, formatSince } from './age.js';
import { signalName } from './signal-name.js';

/** How a program ended, in as few words as fit a row: `Exited 1`. */
export function shortEnding(exit: Exit | undefined): string {
  const { ended, lost, resumeFailed, stopped } = text.session.ending;
  if (exit === undefined) return ended;
  if (exit.reason === 'lost') return lost;
  if (exit.reason === 'resume_failed') return resumeFailed(howItEnded(exit));
  return exit.reason === 'stopped' ? stopped : howItEnded(exit);
}

function howItEnded({ code = 0, signal }: Exit): string {
  const { exited, killed } = text.session.ending;
  return signal === undefined ? exited(code) : killed(signalName(signal) ?? signal);
}

export interface Ending {
  readonly title: string;
  /** What is kept, and what the next step makes of it. */
  readonly detail: string;
  readonly action: 'resume' | 'restart';
}

/** What the card under a session without a program says. `choices` are conversations that it could go on with. */
export function endingOf(session: Session, now: number, choices = 0): Ending {
  return { title: titleOf(session, now), detail: detailOf(session, choices), action: canResume(session) ? 'resume' : 'restart' };
}

/** It goes on with what it had; otherwise its program merely starts again. */
export function canResume({ status, agent_session }: Session): boolean {
  return status === 'dormant' || agent_session !== undefined;
}

function titleOf({ status, exit, updated_at }: Session, now: number): string {
  const { dormantSince, endedAt, resumeFailedAt } = text.session.ending;
  const at = Date.parse(exit?.at ?? updated_at);
  if (exit?.reason === 'resume_failed') return resumeFailedAt(formatMoment(at, now), howItEnded(exit));
  if (status === 'dormant') return dormantSince(formatSince(at, now), exit?.reason === 'lost');
  return endedAt(shortEnding(exit), formatMoment(at, now));
}

function detailOf({ status, exit, agent_session, worktree, command }: Session, choices: number): string {
  const words = text.session.ending;
  const kept = [
    ...(agent_session === undefined ? [] : [words.keptConversation(agent_session.slice(0, 8))]),
    ...(worktree === undefined ? [] : [words.keptWorktree]),
    words.keptOutput,
  ];
  return [
    ...(status === 'dead' && exit?.signal !== undefined && exit.reason !== 'stopped' ? [words.notSent] : []),
    words.kept(kept),
    ...(agent_session === undefined && command !== '' ? [words.runsAgain] : []),
    ...(choices === 0 ? [] : [text.conversations.earlier(choices)]),
  ].join(' ');
}
