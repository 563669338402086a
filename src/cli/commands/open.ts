import { spawn } from 'node:child_process';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { safe } from '../printable.js';

export interface OpenOptions {
  /** Only print the URL. */
  readonly print?: boolean;
}

/** Prints a login URL, and opens it where a browser can be shown. */
export async function open({ stateDir, env, output }: CommandContext, { print }: OpenOptions): Promise<ExitCode> {
  const link = await connectTo(stateDir).loginLink();
  output.line(link.url);
  output.document(link);
  const opener = print || output.json ? undefined : openerFor(env);
  if (opener === undefined) output.note('open it in a browser on this host within 15 minutes; it logs in once');
  else if (!(await runs(opener, link.url))) output.note(safe`${opener} could not open it; paste it into a browser within 15 minutes`);
  return EXIT.done;
}

function openerFor(env: CommandContext['env']): string | undefined {
  if (process.platform === 'darwin') return 'open';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}

/** Whether the program took the URL. It goes on by itself. */
function runs(program: string, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
