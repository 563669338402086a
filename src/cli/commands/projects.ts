import type { Project } from '../../protocol/index.js';
import type { CommandContext } from '../command-context.js';
import { connectTo, WORKTREE_ANSWER_WITHIN_MS } from '../connect.js';
import { durationText } from '../duration.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { printable } from '../printable.js';
import { type Cell, type Column, tableLines } from '../table.js';

const COLUMNS: readonly Column[] = [
  { title: 'NAME', least: 8 },
  { title: 'BRANCH', least: 8 },
  { title: 'LAST COMMIT', least: 12 },
  { title: 'SESSIONS' },
  { title: 'PATH', least: 12, leaveOut: 'start' },
];

/** Git repositories under the configured roots and those that sessions are in. */
export async function projects({ stateDir, home, output }: CommandContext, { quiet }: { quiet?: boolean }): Promise<ExitCode> {
  const all = await connectTo(stateDir, WORKTREE_ANSWER_WITHIN_MS).projects();
  output.document(all);
  if (quiet) for (const { path } of all) output.line(printable(path));
  else if (all.length > 0) {
    const rows = all.map((project) => projectRow(project, { home, now: Date.now() }));
    for (const line of tableLines(COLUMNS, rows, output)) output.line(line);
  } else if (output.isTerminal) output.note('no project is known; projects.roots in the config file says where to look');
  return EXIT.done;
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
