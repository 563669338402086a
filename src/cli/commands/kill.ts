import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import type { KillResult, Session } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { eachSession } from '../each-session.js';
import type { ExitCode } from '../exit-code.js';
import { findSessions } from '../find-session.js';
import { safe } from '../printable.js';
import { displayName } from '../session-text.js';

export interface KillOptions {
  readonly force?: boolean;
  readonly keepWorktree?: boolean;
  readonly yes?: boolean;
}

/** Ends sessions and removes what belongs to them. At a terminal it asks first when one of them runs. */
export async function kill(context: CommandContext, targets: readonly string[], options: KillOptions): Promise<ExitCode> {
  const client = connectTo(context.stateDir);
  if (!options.yes && isatty(0) && !context.output.json) {
    const running = findSessions(await client.sessions(), targets).filter(({ status }) => status === 'running');
    if (running.length > 0 && !(await confirmed(running))) throw new CliError('failed', 'nothing was killed');
  }
  const query = { force: options.force, keep_worktree: options.keepWorktree };
  return eachSession(context, { client, targets, perform: ({ id }) => client.kill(id, query), describe: killText });
}

async function confirmed(running: readonly Session[]): Promise<boolean> {
  const names = running.map(displayName).join(', ');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Kill ${names}, with all that ${running.length === 1 ? 'it runs' : 'they run'}? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

function killText(session: Session, { worktree, branch_kept, salvage_ref }: KillResult): string {
  const parts = [`killed ${displayName(session)}`];
  if (worktree === 'removed') parts.push('its worktree was removed');
  if (worktree === 'kept') parts.push(safe`its worktree was kept: ${session.worktree?.path ?? session.cwd}`);
  if (worktree === 'pending') parts.push('its worktree will be removed');
  if (branch_kept !== undefined) parts.push(safe`branch ${branch_kept} was kept`);
  if (salvage_ref !== undefined) parts.push(safe`unsaved work was saved as ${salvage_ref}`);
  return parts.join('; ');
}
