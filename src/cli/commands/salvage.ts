import type { MaestroClient } from '../../client/maestro-client.js';
import type { Salvage, SalvageDetail } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { durationText } from '../duration.js';
import { eachItem } from '../each-item.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { commitText, inventoryFileText } from '../inventory-text.js';
import { safe } from '../printable.js';
import { canAsk, confirmed } from '../question.js';
import { findSalvage, salvageText } from '../salvage-text.js';
import { bytesText, countText } from '../size-text.js';
import { type Cell, type Column, tableLines } from '../table.js';
import { givenDirectory } from '../working-directory.js';
import { printFileDiff } from './diff.js';

const COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'NAME', least: 8 },
  { title: 'BRANCH', least: 8 },
  { title: 'FILES' },
  { title: 'SIZE' },
  { title: 'AGE' },
  { title: 'KEPT FOR' },
  { title: 'REPOSITORY', least: 12, leaveOut: 'start' },
];

/** What was saved of worktrees that were removed by force. */
export async function listSalvages({ stateDir, home, output }: CommandContext): Promise<ExitCode> {
  const salvages = await connectTo(stateDir).salvages();
  output.document(salvages);
  if (salvages.length === 0 && output.isTerminal) output.note('nothing is saved; a kill with --force saves what a worktree holds');
  if (salvages.length === 0) return EXIT.done;
  const rows = salvages.map((salvage) => salvageRow(salvage, { home, now: Date.now() }));
  for (const line of tableLines(COLUMNS, rows, output)) output.line(line);
  return EXIT.done;
}

function salvageRow(salvage: Salvage, { home, now }: { home: string; now: number }): Cell[] {
  const { id, name, branch, files_total, bytes, created_at, expires_at, base_repo, missing } = salvage;
  const leftSeconds = expires_at === undefined ? undefined : (Date.parse(expires_at) - now) / 1000;
  const kept: Cell = { text: leftSeconds === undefined ? 'ever' : durationText(leftSeconds) };
  return [
    { text: id.slice(0, 8), style: 'grey' },
    { text: name ?? '-' },
    { text: branch ?? '-' },
    { text: String(files_total) },
    { text: bytesText(bytes) },
    { text: durationText((now - Date.parse(created_at)) / 1000) },
    missing ? { text: 'gone', style: 'red' } : kept,
    { text: homeShort(base_repo, home) },
  ];
}

export interface ShownSalvage {
  readonly target: string;
  /** Of a file, whose changes are shown. */
  readonly path?: string | undefined;
}

/** What a salvage holds, or what it changes in one file. */
export async function showSalvage({ stateDir, home, output }: CommandContext, { target, path }: ShownSalvage): Promise<ExitCode> {
  const client = connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS);
  const { id } = findSalvage(await client.salvages(), target);
  if (path !== undefined) {
    const file = await client.salvageDiff(id, { path });
    output.document(file);
    if (!output.json) printFileDiff({ output }, file);
    return EXIT.done;
  }
  const salvage = await client.salvage(id);
  output.document(salvage);
  for (const line of salvageLines(salvage, home)) output.line(line);
  return EXIT.done;
}

function salvageLines(salvage: SalvageDetail, home: string): string[] {
  const { files, commits, branch, base_repo, ref, created_at, expires_at } = salvage;
  return [
    `${salvageText(salvage)}, ${bytesText(salvage.bytes)}`,
    safe`  repository  ${homeShort(base_repo, home)}`,
    safe`  branch      ${branch ?? 'none'}`,
    safe`  ref         ${ref}`,
    safe`  saved       ${created_at}${expires_at === undefined ? '' : `, until ${expires_at}`}`,
    ...(salvage.missing ? ['  gone: its ref or its repository is not there any more'] : []),
    ...files.map((file) => `  ${inventoryFileText(file)}`),
    ...(commits.length === 0 ? [] : [`  ${countText(commits.length, 'commit')} that nothing else holds:`]),
    ...commits.map((commit) => `    ${commitText(commit)}`),
  ];
}

export interface Restoring {
  readonly target: string;
  /** Where to; nothing may be there yet. */
  readonly to?: string | undefined;
}

/** Makes a worktree of what was saved. */
export async function restoreSalvage({ stateDir, home, env, output }: CommandContext, { target, to }: Restoring): Promise<ExitCode> {
  const client = connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS);
  const salvage = findSalvage(await client.salvages(), target);
  const restored = await client.restoreSalvage(salvage.id, to === undefined ? {} : { path: givenDirectory(to, env.PWD) });
  const { path, branch, created_branch } = restored;
  output.line(
    `restored ${salvageText(salvage)} in ${safe`${homeShort(path, home)}`}, on ${created_branch ? 'the new ' : ''}${safe`branch ${branch}`}`,
  );
  output.line(`it stays saved until maestro salvage drop ${salvage.id.slice(0, 8)}`);
  output.document(restored);
  return EXIT.done;
}

/** Forgets what was saved. Nothing can bring it back, so it is asked for, or `--yes` given. */
export async function dropSalvages(context: CommandContext, targets: readonly string[], { yes }: { yes?: boolean }): Promise<ExitCode> {
  const client = connectTo(context.stateDir);
  const salvages = await client.salvages();
  if (!yes) await confirmDrop(context, salvages, targets);
  const { exitCode, outcomes } = await eachItem(context, {
    jobs: targets.map((target) => ({ target, find: () => findSalvage(salvages, target) })),
    perform: ({ id }) => dropped(client, id),
    describe: (salvage) => `dropped ${salvageText(salvage)}`,
  });
  context.output.document(outcomes);
  return exitCode;
}

async function dropped(client: MaestroClient, id: string): Promise<{ dropped: true }> {
  await client.dropSalvage(id);
  return { dropped: true };
}

async function confirmDrop({ output }: CommandContext, salvages: readonly Salvage[], targets: readonly string[]): Promise<void> {
  const named = targets.map((target) => salvageText(findSalvage(salvages, target)));
  if (!canAsk(output)) throw new CliError('usage', 'nothing was dropped: there is nobody to ask; give --yes, as nothing brings it back');
  const question = `Drop ${[...new Set(named)].join(', ')}? Nothing brings it back.`;
  if (!(await confirmed(question))) throw new CliError('failed', 'nothing was dropped');
}
