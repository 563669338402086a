import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';

/** Replaces the token: whoever holds the old one, and every browser, has to log in again. */
export async function rotateToken({ stateDir, output }: CommandContext): Promise<ExitCode> {
  await connectTo(stateDir).rotateToken();
  output.line('a new token is in force; every browser is logged out: maestro open logs one in');
  output.document({ rotated: true });
  return EXIT.done;
}
