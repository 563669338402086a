import type { Session } from '../protocol/index.js';
import { durationText } from './duration.js';
import { homeShort } from './home-path.js';
import type { Output, Style } from './output.js';
import { givenName, shortId, stateText } from './session-text.js';
import { type Cell, type Column, tableLines } from './table.js';

export interface SessionTableOptions {
  readonly home: string;
  readonly output: Output;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'NAME', least: 8 },
  { title: 'STATE' },
  { title: 'RUNS', least: 8 },
  { title: 'BRANCH', least: 8 },
  { title: 'DIRECTORY', least: 12, leaveOut: 'start' },
  { title: 'AGE' },
];

const BRANCH_COLUMN = COLUMNS.findIndex(({ title }) => title === 'BRANCH');

/** Needs somebody, ended by an error, has done what nobody has seen, works, rests, could be brought back, is over. */
type Situation = 'waiting' | 'failed' | 'done' | 'working' | 'running' | 'dormant' | 'dead';

const ORDER: readonly Situation[] = ['waiting', 'failed', 'done', 'working', 'running', 'dormant', 'dead'];

const MARKS: Readonly<Record<Situation, { readonly glyph: string; readonly style: Style }>> = {
  waiting: { glyph: '◐', style: 'yellow' },
  failed: { glyph: '▲', style: 'red' },
  done: { glyph: '✓', style: 'cyan' },
  working: { glyph: '●', style: 'green' },
  running: { glyph: '○', style: 'green' },
  dormant: { glyph: '◌', style: 'grey' },
  dead: { glyph: '✕', style: 'red' },
};

function situationOf({ status, activity }: Session): Situation {
  if (status !== 'running') return status;
  if (activity === undefined) return 'running';
  if (activity.state !== 'idle') return activity.state;
  return activity.failed ? 'failed' : activity.done ? 'done' : 'running';
}

/** Those that wait for somebody first, then those whose work is over, the dead last; among equals the newest first. */
export function bySituation(a: Session, b: Session): number {
  const order = ORDER.indexOf(situationOf(a)) - ORDER.indexOf(situationOf(b));
  return order !== 0 ? order : b.created_at.localeCompare(a.created_at);
}

/** The branches have a column where one of the sessions is on one. */
export function sessionTable(sessions: readonly Session[], options: SessionTableOptions): string[] {
  const branches = sessions.some((session) => branchText(session) !== undefined);
  const shown = <Part>(parts: readonly Part[]) => (branches ? parts : parts.filter((_, at) => at !== BRANCH_COLUMN));
  return tableLines(
    shown(COLUMNS),
    sessions.map((session) => shown(sessionRow(session, options))),
    options.output,
  );
}

/** The branch, and how many files differ from its last commit, such as `fix-login ±3`. */
function branchText({ worktree, git }: Session): string | undefined {
  if (worktree === undefined && git === undefined) return undefined;
  const branch = git === undefined ? worktree?.branch : git.branch;
  return `${branch ?? 'detached'}${git === undefined || git.changed === 0 ? '' : ` ±${git.changed}`}`;
}

function sessionRow(session: Session, { home, now }: SessionTableOptions): Cell[] {
  const { glyph, style } = MARKS[situationOf(session)];
  const ageSeconds = (now - Date.parse(session.created_at)) / 1000;
  return [
    { text: shortId(session), style: 'grey' },
    { text: givenName(session) ?? '-' },
    { text: `${glyph} ${stateText(session)}${session.warning === undefined ? '' : ' !'}`, style },
    { text: session.preset ?? session.command },
    { text: branchText(session) ?? '-' },
    { text: homeShort(session.cwd, home) },
    { text: durationText(ageSeconds) },
  ];
}
