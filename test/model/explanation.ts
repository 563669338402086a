import type { Answer, Operation } from './operation.js';
import { type SessionModel, step, suffer } from './session-model.js';

/** An operation that was asked for, and what was answered; undefined when the daemon went down before it answered. */
export interface Asked {
  readonly operation: Operation;
  readonly answer: Answer | undefined;
}

/** What came over all of them. */
export type Incident = 'tmux dies';

/**
 * Every state that a session may be in after operations that were asked for at the same time: there must be an order of them in which
 * each would have been answered as it was. One that was not answered may have been carried out, or not, or in part.
 */
export function outcomes(
  session: SessionModel | undefined,
  asked: readonly (Asked | Incident)[],
  now: number,
): (SessionModel | undefined)[] {
  if (asked.length === 0) return [session];
  return asked.flatMap((one, index) => {
    const others = asked.filter((_, other) => other !== index);
    return after(session, one, now).flatMap((next) => outcomes(next, others, now));
  });
}

/** What the session may be after one operation that was answered so; empty when there is no way to that answer. */
function after(session: SessionModel | undefined, one: Asked | Incident, now: number): (SessionModel | undefined)[] {
  if (one === 'tmux dies') return [session && suffer(session, one, { now, remembers: true })];
  const { operation, answer } = one;
  if (session === undefined) return isFineWithoutSession(operation, answer) ? [undefined] : [];
  const next = step(session, operation, now);
  // Without tmux an operation fails in whatever it is just doing.
  if (answer === undefined || answer === 'tmux_unavailable') return [session, next.session, ...cutOff(session, operation, now)];
  if (answer === next.answer) return isInput(operation) ? [next.session, session] : [next.session];
  return overlapped(session, { operation, answer }, now);
}

function isFineWithoutSession(operation: Operation, answer: Answer | undefined): boolean {
  const { kind } = operation;
  // A kill that is asked for twice is answered once for both, and so is what came before the kill but is told behind it.
  return (
    answer === undefined ||
    answer === 'tmux_unavailable' ||
    answer === 'not_found' ||
    (answer === 'ok' && (kind === 'kill' || isInput(operation)))
  );
}

/** What is typed may find a program that ends before it reads it. */
function isInput({ kind }: Operation): boolean {
  return kind === 'say' || kind === 'exit' || kind === 'signal';
}

/** A restart may be cut off between its two halves. */
function cutOff(session: SessionModel, { kind }: Operation, now: number): (SessionModel | undefined)[] {
  return kind === 'restart' && session.status === 'running' ? [step(session, { kind: 'stop' }, now).session] : [];
}

/** Answers that one operation only gets because another is under way. */
function overlapped(session: SessionModel, { operation, answer }: { operation: Operation; answer: Answer }, now: number): SessionModel[] {
  const { kind } = operation;
  // Two stops share one end, and a program that ends while it is stopped was stopped.
  if (kind === 'stop' && answer === 'ok' && session.status !== 'running') return [session];
  // Of two that start a program the first wins, and nothing is started while one starts or ends.
  if (kind === 'restart' && answer === 'already_running') {
    const stopped = step(session, { kind: 'stop' }, now).session;
    return stopped === undefined || session.status !== 'running' ? [session] : [session, stopped];
  }
  if (kind === 'resume' && answer === 'already_running') return [session];
  if ((kind === 'stop' || isInput(operation)) && answer === 'not_running') return [session];
  if (isInput(operation) && answer === 'ok') return [session];
  return [];
}
