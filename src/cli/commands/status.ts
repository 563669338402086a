import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { durationText } from '../duration.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { homeShort } from '../home-path.js';
import { safe } from '../printable.js';
import { statePaths } from '../state-dir.js';

/** What the daemon says of itself. */
export async function status({ stateDir, home, output }: CommandContext): Promise<ExitCode> {
  const host = await connectTo(stateDir).host();
  const { running, dead, dormant } = host.sessions;
  output.line(safe`Maestro ${host.version} on ${host.host_name}, pid ${host.pid}, up ${durationText(host.uptime_seconds)}`);
  output.line(safe`  listens   ${host.scheme ?? 'http'}://${host.listen}`);
  output.line(safe`  socket    ${homeShort(statePaths(stateDir).socket, home)}`);
  output.line(safe`  tmux      ${host.tmux_version}, ${homeShort(host.tmux_socket, home)}`);
  output.line(`  sessions  ${running} running, ${dormant} dormant, ${dead} dead`);
  output.document(host);
  return EXIT.done;
}
