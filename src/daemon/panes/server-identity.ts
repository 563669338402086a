import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { MaestroError } from '../../protocol/index.js';
import { type ProcessIdentity, ProcessIdentitySchema } from '../process-identity.js';
import { readRegularFile } from '../regular-file.js';

const FILE_LIMIT = 64 * 1024;

/** The process noted in `tmux.json`, or undefined when there is none that can be read: then only the socket tells of a server. */
export async function readIdentity(runDir: string): Promise<ProcessIdentity | undefined> {
  try {
    return ProcessIdentitySchema.parse(JSON.parse(String(await readRegularFile(join(runDir, 'tmux.json'), FILE_LIMIT))));
  } catch {
    return undefined;
  }
}

/** Replaces `tmux.json` as a whole: a crash leaves the old one or the new one. */
export async function writeIdentity(runDir: string, identity: ProcessIdentity): Promise<void> {
  const path = join(runDir, 'tmux.json');
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(identity)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    throw new MaestroError('storage_failed', `${path} could not be written: ${(error as Error).message}`, { cause: error });
  }
}
