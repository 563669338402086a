import type { MaestroClient } from '../../client/maestro-client.js';
import type { RemovedWorktree, WorktreeEntry } from '../../protocol/index.js';
import { type CleanupPlan, findWorktree, isSalvageable, planCleanup } from '../cleanup-plan.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { eachItem, type Outcome } from '../each-item.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { holdsText } from '../inventory-text.js';
import { safe } from '../printable.js';
import { canAsk, confirmed } from '../question.js';
import { restoreHint } from '../salvage-text.js';
import { countText } from '../size-text.js';

export interface CleanupOptions {
  /** Also worktrees that hold unsaved work, which is saved first. */
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** Removes worktrees that nobody needs, once that is confirmed. Where nobody can confirm it, it only says what could go. */
export async function cleanUp(context: CommandContext, targets: readonly string[], options: CleanupOptions): Promise<ExitCode> {
  const { output, stateDir } = context;
  const { force = false, yes = false } = options;
  const client = connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS);
  const all = await client.worktrees();
  const named = new Set(targets.map((target) => findWorktree(all, target)));
  const plan = planCleanup(targets.length === 0 ? all : [...named], { force });
  for (const line of planLines(plan, { context, force })) output.line(line);
  const going = [...plan.removable, ...plan.salvaged];
  const refused = targets.length > 0 && plan.staying.length > 0;
  if (going.length === 0) return finish(context, plan, { outcomes: [], exitCode: refused ? EXIT.failed : EXIT.done });
  if (!yes && !canAsk(output)) {
    output.note(`maestro: nothing was removed: there is nobody to ask; give --yes to remove ${countText(going.length, 'worktree')}`);
    return finish(context, plan, { outcomes: [], exitCode: EXIT.failed });
  }
  if (!yes && !(await confirmed(`Remove ${countText(going.length, 'worktree')}?`))) throw new CliError('failed', 'nothing was removed');
  const { exitCode, outcomes } = await removeAll(context, client, plan);
  return finish(context, plan, { outcomes, exitCode: refused ? EXIT.failed : exitCode });
}

interface Listing {
  readonly context: CommandContext;
  readonly force: boolean;
}

/** What goes, what stays, and why. Safe for a terminal. */
function planLines({ removable, salvaged, staying }: CleanupPlan, { context, force }: Listing): string[] {
  const { home } = context;
  const line = (entry: WorktreeEntry, why: string) => safe`  ${entry.branch}  ${homeShort(entry.path, home)}: ${why}`;
  const stays = (entry: WorktreeEntry) => (!force && isSalvageable(entry) ? `${entry.reason}; --force saves it first` : entry.reason);
  if (removable.length + salvaged.length + staying.length === 0) return ['there are no worktrees'];
  return [
    ...section(
      'Can go:',
      removable.map((entry) => line(entry, entry.reason)),
    ),
    ...section(
      'Can go after a salvage:',
      salvaged.map((entry) => line(entry, `holds ${holdsText(entry.inventory)}`)),
    ),
    ...section(
      removable.length + salvaged.length === 0 ? 'Nothing can go:' : 'Stays:',
      staying.map((entry) => line(entry, stays(entry))),
    ),
  ];
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

function removeAll(context: CommandContext, client: MaestroClient, { removable, salvaged }: CleanupPlan) {
  return eachItem<WorktreeEntry, RemovedWorktree>(context, {
    jobs: [...removable, ...salvaged].map((entry) => ({ target: entry.id, find: () => entry })),
    perform: (entry) => client.removeWorktree(entry.id, { force: salvaged.includes(entry) }),
    describe: (entry, result) => removedText(entry, { result, home: context.home }),
  });
}

function removedText({ id }: WorktreeEntry, { result, home }: { result: RemovedWorktree; home: string }): string {
  const parts = [safe`removed ${homeShort(result.path, home)}`];
  if (result.branch_kept !== undefined) parts.push(safe`branch ${result.branch_kept} was kept`);
  if (result.salvage_ref !== undefined) parts.push(safe`unsaved work was saved as ${result.salvage_ref}`, restoreHint(id));
  return parts.join('; ');
}

function finish(
  { output }: CommandContext,
  { removable, salvaged, staying }: CleanupPlan,
  { outcomes, exitCode }: { outcomes: readonly Outcome[]; exitCode: ExitCode },
): ExitCode {
  output.document({ removable, salvaged, staying, outcomes });
  return exitCode;
}
