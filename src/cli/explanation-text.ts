import type { ActivitySource, Explanation, Session, Transition } from '../protocol/index.js';
import { clockText } from './clock-text.js';
import { durationText } from './duration.js';
import type { Output } from './output.js';
import { safe } from './printable.js';
import { activityText, calledText, stateText } from './session-text.js';
import { type Cell, type Column, tableLines } from './table.js';

export interface ExplanationContext {
  readonly session: Session;
  readonly output: Output;
  readonly now: Date;
}

const TRANSITIONS: readonly Column[] = [{ title: 'TIME' }, { title: 'BECAME' }, { title: 'SOURCE' }, { title: 'REASON', least: 16 }];
const REFUSALS: readonly Column[] = [{ title: 'TIME' }, { title: 'NOT BELIEVED', least: 12 }, { title: 'WHY', least: 16 }];

const SOURCE_WORDS: Readonly<Record<ActivitySource, string>> = {
  hook: 'hook',
  program_status: 'OSC 7501',
  status_file: 'status file',
  title: 'title',
  output: 'output',
  time: 'time',
  report: 'report',
  daemon: 'Maestro',
};

/** An explanation for people. Safe for a terminal. */
export function explanationLines(explanation: Explanation, context: ExplanationContext): string[] {
  const { agent, agent_session, heard, refused, transitions } = explanation;
  const { output, now } = context;
  const at = (row: { readonly at: string }): Cell => ({ text: clockText(row.at, now), style: 'grey' });
  const refusals = refused.map((refusal): Cell[] => [at(refusal), { text: refusal.what }, { text: refusal.why }]);
  const changes = transitions.flatMap((transition) => transitionRows(transition, at(transition)));
  return [
    ...headLines(explanation, context),
    safe`  agent         ${agent ?? 'none that Maestro knows'}`,
    safe`  conversation  ${agent_session ?? 'not known'}`,
    `  heard         ${heard.length === 0 ? 'nothing in this run' : heard.map((source) => SOURCE_WORDS[source]).join(', ')}`,
    ...(refusals.length === 0 ? [] : ['', ...tableLines(REFUSALS, refusals, output)]),
    ...(changes.length === 0 ? [] : ['', ...tableLines(TRANSITIONS, changes, output)]),
  ];
}

/** What it is shown as, and what made it so. */
function headLines(explanation: Explanation, { session, now }: ExplanationContext): string[] {
  const { since, message, transitions } = explanation;
  const seconds = since === undefined || session.status !== 'running' ? undefined : (now.getTime() - Date.parse(since)) / 1000;
  const cause = transitions.findLast((transition) => !isOnlyConversation(transition));
  return [
    `${calledText(session)} is ${shownText(explanation, session)}${seconds === undefined ? '' : `, for ${durationText(seconds)}`}`,
    ...(message === undefined ? [] : [safe`  it says       ${message}`]),
    ...(cause === undefined ? [] : [safe`  because       ${SOURCE_WORDS[cause.source]}: ${cause.reason}`]),
  ];
}

function shownText({ agent, state }: Explanation, session: Session): string {
  const shown = stateText(session);
  if (session.status !== 'running' || session.activity !== undefined || agent === undefined) return shown;
  return state === 'ended' ? `${shown}; its agent has ended` : `${shown}; what its agent does is not known`;
}

function isOnlyConversation({ from, to, kind, failed, agent_session }: Transition): boolean {
  return agent_session !== undefined && from === to && kind === undefined && !failed;
}

/** A change of the conversation has a row of its own. */
function transitionRows(transition: Transition, at: Cell): Cell[][] {
  const { to, kind, failed, reason, message, agent_session } = transition;
  const source = { text: SOURCE_WORDS[transition.source] };
  const style = to === 'waiting' ? 'yellow' : failed ? 'red' : to === 'working' ? 'green' : undefined;
  const became = { text: activityText({ state: to, kind, failed }), style };
  const change: Cell[] = [at, became, source, { text: message === undefined ? reason : `${reason}: ${message}` }];
  const conversation: Cell[] = [at, { text: 'conversation' }, source, { text: `is ${agent_session} from here on` }];
  return [...(isOnlyConversation(transition) ? [] : [change]), ...(agent_session === undefined ? [] : [conversation])];
}
