import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { type Cell, type Column, tableLines } from '../table.js';

const COLUMNS: readonly Column[] = [
  { title: 'PRESET' },
  { title: 'LABEL', least: 10 },
  { title: 'INSTALLED', least: 12, leaveOut: 'start' },
  { title: 'COMMAND', least: 12 },
];

/** What sessions can be started with by name, and whether it is installed. */
export async function presets({ stateDir, home, output }: CommandContext): Promise<ExitCode> {
  const all = await connectTo(stateDir).presets();
  const rows = all.map(({ id, label, installed, path, install, command }): Cell[] => {
    const missing: Cell = { text: install === undefined ? 'no' : `no: ${install}`, style: 'grey' };
    return [
      { text: id },
      { text: label },
      installed ? { text: homeShort(path ?? 'yes', home), style: 'green' } : missing,
      { text: command },
    ];
  });
  for (const line of tableLines(COLUMNS, rows, output)) output.line(line);
  output.document(all);
  return EXIT.done;
}
