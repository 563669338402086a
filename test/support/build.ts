import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Tests that start the daemon or the command run what is built, so it is built before any of them. */
export async function setup(): Promise<void> {
  await promisify(execFile)('npx', ['tsc', '-b', 'src/daemon', 'src/cli']);
}
