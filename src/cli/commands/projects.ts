import type { Branch, Project } from '../../protocol/index.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { durationText } from '../duration.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { printable } from '../printable.js';
import { type Cell, type Column, tableLines } from '../table.js';
import { givenDirectory } from '../working-directory.js';

const COLUMNS: readonly Column[] = [
  { title: 'NAME', least: 8 },
  { title: 'BRANCH', least: 8 },
  { title: 'LAST COMMIT', least: 12 },
  { title: 'SESSIONS' },
  { title: 'PATH', least: 12, leaveOut: 'start' },
];

const BRANCH_COLUMNS: readonly Column[] = [
  { title: 'BRANCH', least: 12 },
  { title: 'LAST COMMIT', least: 12 },
  { title: 'CHECKED OUT IN', least: 12, leaveOut: 'start' },
];

interface ProjectsOptions {
  readonly quiet?: boolean;
  readonly branches?: string;
}

/** Git repositories under the configured roots and those that sessions are in. */
export async function projects(context: CommandContext, { quiet, branches }: ProjectsOptions): Promise<ExitCode> {
  const { stateDir, home, output } = context;
  if (branches !== undefined) return listBranches(context, givenDirectory(branches, context.env.PWD), quiet);
  const all = await connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS).projects();
  output.document(all);
  if (quiet) for (const { path } of all) output.line(printable(path));
  else if (all.length > 0) {
    const rows = all.map((project) => projectRow(project, { home, now: Date.now() }));
    for (const line of tableLines(COLUMNS, rows, output)) output.line(line);
  } else if (output.isTerminal) output.note('no project is known; projects.roots in the config file says where to look');
  return EXIT.done;
}

/** Branches that a worktree can begin at; those without a remote's name in front can be used as they are, unless they are checked out. */
async function listBranches({ stateDir, home, output }: CommandContext, repo: string, quiet = false): Promise<ExitCode> {
  const { branches, truncated } = await connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS).branches(repo);
  output.document({ branches, truncated });
  if (quiet) for (const { name } of branches) output.line(printable(name));
  else if (branches.length > 0) {
    const rows = branches.map((branch) => branchRow(branch, { home, now: Date.now() }));
    for (const line of tableLines(BRANCH_COLUMNS, rows, output)) output.line(line);
  }
  if (truncated) output.note(`only the ${branches.length} with the newest commits are listed`);
  return EXIT.done;
}

function branchRow({ name, commit, worktree }: Branch, { home, now }: { home: string; now: number }): Cell[] {
  const age = durationText((now - Date.parse(commit.at)) / 1000);
  return [{ text: name }, { text: `${age} ${commit.subject}` }, { text: worktree === undefined ? '-' : homeShort(worktree, home) }];
}

function projectRow(project: Project, { home, now }: { home: string; now: number }): Cell[] {
  const { name, path, bare, branch, commit, sessions } = project;
  const age = commit === undefined ? undefined : durationText((now - Date.parse(commit.at)) / 1000);
  return [
    { text: name },
    { text: branch ?? (bare ? '-' : 'detached') },
    { text: commit === undefined ? '-' : `${age} ${commit.subject}` },
    { text: sessions.length === 0 ? '-' : String(sessions.length), ...(sessions.length === 0 ? {} : { style: 'green' }) },
    { text: homeShort(path, home) },
  ];
}
