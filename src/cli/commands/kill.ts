import type { MaestroClient } from '../../client/maestro-client.js';
import type { KillQuery, KillResult, Session } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { askAboutDirty, dirtyLines, dirtyWorktree, explained } from '../dirty-worktree.js';
import { eachSession } from '../each-session.js';
import type { ExitCode } from '../exit-code.js';
import { findSessions } from '../find-session.js';
import { printableLines, safe } from '../printable.js';
import { canAsk, confirmed } from '../question.js';
import { restoreHint } from '../salvage-text.js';
import { displayName } from '../session-text.js';

export interface KillOptions {
  readonly force?: boolean;
  readonly keepWorktree?: boolean;
  readonly yes?: boolean;
}

interface Kill {
  readonly client: MaestroClient;
  readonly query: KillQuery;
  /** Ask what is to become of a worktree that holds unsaved work. */
  readonly asks: boolean;
}

/** Ends sessions and removes what belongs to them. At a terminal it asks first when one of them runs. */
export async function kill(context: CommandContext, targets: readonly string[], options: KillOptions): Promise<ExitCode> {
  const client = connectTo(context.stateDir, WORKTREE_ANSWER_WITHIN_MS);
  const asks = !options.yes && canAsk(context.output);
  if (asks) {
    const running = findSessions(await client.sessions(), targets).filter(({ status }) => status === 'running');
    if (running.length > 0 && !(await confirmed(killQuestion(running)))) throw new CliError('failed', 'nothing was killed');
  }
  const query = { force: options.force, keep_worktree: options.keepWorktree };
  const perform = (session: Session) => killOne(context, session, { client, query, asks });
  return eachSession(context, { client, targets, perform, describe: killText });
}

function killQuestion(running: readonly Session[]): string {
  return `Kill ${running.map(displayName).join(', ')}, with all that ${running.length === 1 ? 'it runs' : 'they run'}?`;
}

async function killOne(context: CommandContext, session: Session, { client, query, asks }: Kill): Promise<KillResult> {
  const { output } = context;
  try {
    const result = await client.kill(session.id, query);
    for (const warning of result.warnings ?? []) output.note(`warning: ${displayName(session)}: ${printableLines(warning)}`);
    return result;
  } catch (error) {
    const dirty = dirtyWorktree(error);
    if (dirty === undefined || output.json) throw error;
    if (!asks) throw explained(dirty);
    for (const line of dirtyLines(dirty)) output.note(line);
    const choice = await askAboutDirty(dirty);
    if (choice === 'nothing') throw new CliError('failed', `${displayName(session)} was not killed`);
    const decided = choice === 'salvage' ? { force: true } : { keep_worktree: true };
    return killOne(context, session, { client, query: decided, asks });
  }
}

function killText(session: Session, { worktree, branch_kept, salvage_ref }: KillResult): string {
  const parts = [`killed ${displayName(session)}`];
  if (worktree === 'removed') parts.push('its worktree was removed');
  if (worktree === 'kept') parts.push(safe`its worktree was kept: ${session.worktree?.path ?? session.cwd}`);
  if (worktree === 'pending') parts.push('its worktree will be removed');
  if (branch_kept !== undefined) parts.push(safe`branch ${branch_kept} was kept`);
  if (salvage_ref !== undefined) parts.push(safe`unsaved work was saved as ${salvage_ref}`, restoreHint(session.id));
  return parts.join('; ');
}
