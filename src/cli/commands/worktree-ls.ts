import type { WorktreeEntry } from '../../protocol/index.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { holdsText } from '../inventory-text.js';
import type { Style } from '../output.js';
import { type Cell, type Column, tableLines } from '../table.js';

const COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'BRANCH', least: 8 },
  { title: 'STATE' },
  { title: 'SESSION', least: 8 },
  { title: 'HOLDS', least: 8 },
  { title: 'REASON', least: 12 },
  { title: 'PATH', least: 12, leaveOut: 'start' },
];

const STATE_STYLES: Readonly<Record<WorktreeEntry['state'], Style>> = { owned: 'green', left: 'yellow', broken: 'red', missing: 'grey' };

/** The worktrees that Maestro made, and what is to become of them. */
export async function listWorktrees({ stateDir, home, output }: CommandContext): Promise<ExitCode> {
  const entries = await connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS).worktrees();
  output.document(entries);
  if (entries.length === 0 && output.isTerminal) output.note('no worktrees; `maestro new --worktree BRANCH` makes one');
  if (entries.length === 0) return EXIT.done;
  const rows = entries.map((entry) => worktreeRow(entry, home));
  for (const line of tableLines(COLUMNS, rows, output)) output.line(line);
  return EXIT.done;
}

function worktreeRow({ id, branch, state, session, inventory, reason, path }: WorktreeEntry, home: string): Cell[] {
  return [
    { text: id.slice(0, 8), style: 'grey' },
    { text: branch },
    { text: state, style: STATE_STYLES[state] },
    { text: session === undefined ? '-' : (session.name ?? session.id.slice(0, 8)) },
    { text: holdsText(inventory) },
    { text: reason },
    { text: homeShort(path, home) },
  ];
}
