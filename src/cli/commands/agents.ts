import type { AgentInfo } from '../../protocol/index.js';
import { agentLines, agentTable } from '../agent-text.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findOne, type Naming } from '../find-one.js';
import { safe } from '../printable.js';

const NAMING: Naming<AgentInfo> = {
  kind: 'agent',
  listedBy: 'maestro agents',
  nameOf: ({ label }) => label,
  describe: ({ label }) => safe`${label}`,
};

/** The agents that Maestro knows, as this host has them; of the one called `name` all that there is to know. */
export async function agents(context: CommandContext, name: string | undefined): Promise<ExitCode> {
  const { stateDir, home, output } = context;
  const all = await connectTo(stateDir).agents();
  if (name !== undefined) {
    const agent = findOne(all, name, NAMING);
    for (const line of agentLines(agent, home)) output.line(line);
    output.document(agent);
    return EXIT.done;
  }
  for (const line of agentTable(all, output)) output.line(line);
  output.document(all);
  const questionable = all.filter(({ warnings }) => warnings.length > 0);
  for (const { id } of questionable) output.note(safe`warning: ${id}: maestro agents ${id} tells what is not sure to work`);
  return EXIT.done;
}
