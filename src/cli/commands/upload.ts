import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { UPLOAD_LIMIT, type Upload } from '../../protocol/index.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { eachItem } from '../each-item.js';
import type { ExitCode } from '../exit-code.js';
import { findSession } from '../find-session.js';
import { printable } from '../printable.js';

/** Stores files for a session, on the daemon's host, and prints where each one is. Nothing is typed into the session. */
export async function upload(context: CommandContext, target: string, files: readonly string[]): Promise<ExitCode> {
  const client = connectTo(context.stateDir);
  const session = findSession(await client.sessions(), target);
  const { exitCode, outcomes } = await eachItem<{ id: string }, Upload>(context, {
    jobs: files.map((file) => ({ target: file, find: () => ({ id: file }) })),
    perform: async ({ id: file }) => client.upload(session.id, { name: basename(file), content: await contentOf(file) }),
    describe: (_file, { path }) => printable(path),
  });
  context.output.document(outcomes);
  return exitCode;
}

/** Of a file, or of a pipe such as `<(git diff)`. */
async function contentOf(file: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > UPLOAD_LIMIT) throw new CliError('failed', `${file} is larger than ${UPLOAD_LIMIT / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(
      'failed',
      `${file} cannot be read: ${REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? (cause as Error).message}`,
    );
  }
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a directory; pack it first, such as with tar',
};
