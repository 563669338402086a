import { isAbsolute, normalize, relative } from 'node:path';
import type { Diff, DiffAgainst, DiffFile, FileDiff } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { branchText, diffTable, totalsText } from '../diff-table.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { failureOf } from '../failure.js';
import { findSession } from '../find-session.js';
import { commitText, operationText } from '../inventory-text.js';
import { printable, printableLines } from '../printable.js';
import { displayName } from '../session-text.js';
import { unifiedDiff } from '../unified-diff.js';

export interface DiffOptions {
  readonly stat?: boolean;
  readonly commits?: boolean;
  readonly against?: DiffAgainst;
  readonly unified?: number;
}

/** What changed in a session's directory: as a patch, as a table of files, or as commits. */
export async function diff(
  context: CommandContext,
  [target, ...paths]: readonly [string, ...string[]],
  options: DiffOptions,
): Promise<ExitCode> {
  const { output, stateDir } = context;
  if (options.commits && paths.length > 0) throw new CliError('usage', 'give paths or --commits, not both');
  const client = connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS);
  const session = findSession(await client.sessions(), target);
  const all = await client.diff(session.id, { against: options.against });
  const files = paths.length === 0 ? all.files : filesUnder(all, paths);
  if (all.files_total > all.files.length) {
    output.note(`only the first ${all.files.length} of ${all.files_total} files are looked at`);
  }
  if (options.commits || options.stat) return summary(context, all, { files, paths, options });
  if (output.json && paths.length === 0) {
    output.document(all);
    return EXIT.done;
  }
  if (files.length === 0 && output.isTerminal)
    output.note(`nothing changed${paths.length === 0 ? ` in ${displayName(session)}` : ' there'}`);
  return patches(context, files, (path) =>
    client.fileDiff(session.id, { path, against: options.against ?? all.against, context: options.unified }),
  );
}

/** Files that are one of `paths` or below it. They are relative to the top of the worktree, or absolute. */
function filesUnder({ root, files }: Diff, paths: readonly string[]): DiffFile[] {
  const wanted = paths.map((path) => normalize(isAbsolute(path) ? relative(root, path) : path).replace(/\/$/, ''));
  const isUnder = (path: string) => wanted.some((place) => place === '.' || place === '' || path === place || path.startsWith(`${place}/`));
  return files.filter(({ path, old_path }) => isUnder(path) || (old_path !== undefined && isUnder(old_path)));
}

interface Summary {
  readonly files: readonly DiffFile[];
  readonly paths: readonly string[];
  readonly options: DiffOptions;
}

function summary({ output }: CommandContext, all: Diff, { files, paths, options }: Summary): ExitCode {
  output.document(paths.length === 0 ? all : { ...all, files });
  output.line(branchText(all));
  if (all.operation !== undefined) output.line(operationText(all.operation));
  if (options.commits) {
    for (const commit of all.commits) output.line(`  ${commitText(commit)}`);
    const more = all.commits_total - all.commits.length;
    if (more > 0) output.line(`  and ${more} more`);
  }
  if (!options.stat) return EXIT.done;
  for (const line of diffTable(files, output)) output.line(line);
  output.line(totalsText(paths.length === 0 ? all : totalsOf(files)));
  return EXIT.done;
}

function totalsOf(files: readonly DiffFile[]): Pick<Diff, 'files_total' | 'additions' | 'deletions'> {
  const sum = (pick: (file: DiffFile) => number | undefined) => files.reduce((total, file) => total + (pick(file) ?? 0), 0);
  return { files_total: files.length, additions: sum(({ additions }) => additions), deletions: sum(({ deletions }) => deletions) };
}

/** Prints the files one by one. One that cannot be shown, such as one that is gone by now, is told and keeps no other from it. */
async function patches(
  { output }: CommandContext,
  files: readonly DiffFile[],
  load: (path: string) => Promise<FileDiff>,
): Promise<ExitCode> {
  const loaded: FileDiff[] = [];
  let exitCode: ExitCode = EXIT.done;
  for (const { path } of files) {
    if (!output.isRead) break;
    try {
      const file = await load(path);
      if (output.json) loaded.push(file);
      else printFileDiff({ output }, file);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.exitCode === EXIT.notRunning) throw error;
      exitCode = EXIT.failed;
      output.note(`maestro: ${printable(path)}: ${printableLines(failure.message)}`);
    }
  }
  output.document(loaded);
  return exitCode;
}

/** One file's changes as a patch; that some are left out is told beside it. */
export function printFileDiff({ output }: Pick<CommandContext, 'output'>, file: FileDiff): void {
  output.raw(unifiedDiff(file, output).join('\n').concat('\n'));
  if (file.binary && !output.isTerminal) output.note(`${printable(file.path)} is binary: its content is not in the patch`);
  if (file.cut === 'too_large') output.note(`${printable(file.path)} is too large to be compared`);
  if (file.cut === 'too_many_lines') output.note(`${printable(file.path)} has more changes than are shown`);
}
