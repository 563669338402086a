import { SessionIdSchema } from '../../protocol/index.js';
import { PANE_OPTION } from './pane-options.js';
import type { PaneExit, PaneInfo } from './panes.js';
import { CONTROL_SESSION } from './server-settings.js';
import { type Command, command } from './tmux-quote.js';

/** A pane as listed, with the id that tmux gave its session. */
export interface ListedPane extends PaneInfo {
  readonly tmuxSession: string;
}

// Names come last: a session that people made may hold the separator in its name.
const FIELDS = [
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_dead_time',
  'pane_pipe',
  'window_width',
  'window_height',
  'window_panes',
  'window_activity',
  'session_id',
  PANE_OPTION.run,
  PANE_OPTION.pane,
  PANE_OPTION.id,
  'session_name',
] as const;

export const LIST_PANES: Command = command('list-panes', '-a', '-F', FIELDS.map((field) => `#{${field}}`).join('|'));

/** One line with two fields a pane: its id, which is never used twice, and whether its program has ended. */
export const PULSE: Command = command('display-message', '-p', '#{S:#{W:#{P:#{pane_id}#{pane_dead} }}}');

type Row = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Each tmux session but the control session, with its first pane; a marked one with the pane that its program was started in. */
export function parsePanes(body: Buffer): ListedPane[] {
  const rows = body.toString().split('\n').map(parseRow);
  const first = new Map<string, Row>();
  for (const row of rows) {
    if (row === undefined || row.session_name === CONTROL_SESSION || !mayStandFor(row)) continue;
    const other = first.get(row.session_id);
    if (other === undefined || number(row.pane_id) < number(other.pane_id)) first.set(row.session_id, row);
  }
  return oncePerSession([...first.values()].map(paneOf));
}

function parseRow(line: string): Row | undefined {
  const parts = line.split('|');
  if (parts.length < FIELDS.length) return undefined;
  const name = parts.slice(FIELDS.length - 1).join('|');
  const entries = FIELDS.map((field, index) => [field, field === 'session_name' ? name : (parts[index] ?? '')]);
  return Object.fromEntries(entries) as Row;
}

function isMarked(row: Row): boolean {
  return SessionIdSchema.safeParse(row[PANE_OPTION.id]).success;
}

/** Other panes in a marked session are people's own. */
function mayStandFor(row: Row): boolean {
  return !isMarked(row) || row[PANE_OPTION.pane] === row.pane_id;
}

function paneOf(row: Row): ListedPane {
  const marked = isMarked(row);
  const dead = row.pane_dead === '1';
  return {
    sessionId: marked ? row[PANE_OPTION.id] : row.session_name,
    paneId: row.pane_id,
    pid: Number(row.pane_pid),
    tmuxSession: row.session_id,
    size: { cols: Number(row.window_width), rows: Number(row.window_height) },
    marked,
    run: Number(row[PANE_OPTION.run]) || 0,
    dead,
    piped: row.pane_pipe === '1',
    ...(row.window_panes === '1' ? { printedAt: Number(row.window_activity) * 1000 } : {}),
    ...(dead ? { exit: exitOf(row) } : {}),
    ...(dead && row.pane_dead_time !== '' ? { deadAt: Number(row.pane_dead_time) * 1000 } : {}),
  };
}

function exitOf({ pane_dead_status: status, pane_dead_signal: signal }: Row): PaneExit {
  if (signal !== '') return { signal: Number(signal) };
  return status === '' ? {} : { code: Number(status) };
}

/** One id stands for one pane, also if somebody renamed its session and it was made again: a live pane, else the newest. */
function oncePerSession(panes: readonly ListedPane[]): ListedPane[] {
  const chosen = new Map<string, ListedPane>();
  for (const pane of panes) {
    const other = chosen.get(pane.sessionId);
    if (other === undefined || isBetter(pane, other)) chosen.set(pane.sessionId, pane);
  }
  return [...chosen.values()];
}

function isBetter(pane: ListedPane, other: ListedPane): boolean {
  if (pane.marked !== other.marked) return pane.marked;
  if (pane.dead !== other.dead) return other.dead;
  return number(pane.paneId) > number(other.paneId);
}

function number(paneId: string): number {
  return Number(paneId.slice(1));
}
