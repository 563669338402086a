import { open, stat } from 'node:fs/promises';
import { AgentSessionSchema } from '../../../protocol/index.js';
import { openFiles } from './open-files.js';

const LOCK = /\/thread-writer-locks\/([^/]+)\.lock$/;
const ROLLOUT = /\/rollout-[\dT-]+?-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** Where the first line of a rollout, which goes on for 20 KiB, tells what kind of conversation it is. */
const HEAD_BYTES = 4096;
/** `{"source":{"subagent":…` or `"thread_source":"thread_title"`, where the user's own have `cli` or `exec`, and `user`. */
const NOT_THE_USERS = /"source":\s*\{|"thread_source":\s*"(?!user")/;

/** A conversation that a Codex process has open. */
export interface OpenConversation {
  readonly id: string;
  /** When it was last written, in milliseconds since 1970. Undefined for one that has had no prompt: nothing of it can be resumed. */
  readonly writtenAt: number | undefined;
}

/** The id of the conversation that is in front in the first Codex among `pids`, see {@link frontOf}. Never rejects. */
export async function openCodexConversation(pids: readonly number[]): Promise<string | undefined> {
  return frontOf(await openCodexConversations(pids))?.id;
}

/**
 * The user's conversations that one Codex has open, of no order: the first of `pids` that has any. With parents ahead of their children
 * a Codex that runs inside a tool of another one is not asked. Never rejects.
 *
 * Codex (0.171) holds `$CODEX_HOME/thread-writer-locks/<id>.lock` open from its start on, and the rollout file from the first prompt on, or
 * at once for a conversation that was resumed. After `/new`, `/clear` or `/resume` it keeps both of the former one for another 60 s; the
 * lock of one that never had a prompt until it ends. The thread that thinks up a title has neither.
 */
export async function openCodexConversations(pids: readonly number[]): Promise<readonly OpenConversation[]> {
  const paths = (await openFiles(pids)).find((files) => files.some((path) => LOCK.test(path))) ?? [];
  const rollouts = new Map(paths.flatMap((path) => idIn(ROLLOUT, path).map((id) => [id, path] as const)));
  const locks = new Set(paths.flatMap((path) => idIn(LOCK, path)));
  const found = await Promise.all([...locks].map((id) => look(id, rollouts.get(id))));
  return found.filter((conversation) => conversation !== undefined);
}

/**
 * The one that was written last; so after `/new` the former one until the new one has had its first prompt, which is when it begins to
 * exist for a resume. Where none was written: the only one, or none.
 */
export function frontOf(conversations: readonly OpenConversation[]): OpenConversation | undefined {
  const written = conversations.filter(({ writtenAt }) => writtenAt !== undefined);
  if (written.length === 0) return conversations.length === 1 ? conversations[0] : undefined;
  return written.reduce((last, other) => ((other.writtenAt ?? 0) > (last.writtenAt ?? 0) ? other : last));
}

async function look(id: string, rollout: string | undefined): Promise<OpenConversation | undefined> {
  if (rollout === undefined) return { id, writtenAt: undefined };
  try {
    const { mtimeMs } = await stat(rollout);
    return NOT_THE_USERS.test(await headOf(rollout)) ? undefined : { id, writtenAt: mtimeMs };
  } catch {
    return { id, writtenAt: undefined };
  }
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    // The instructions that follow may hold any text.
    return line.split('"base_instructions"', 1)[0] ?? '';
  } finally {
    await file.close();
  }
}

function idIn(pattern: RegExp, path: string): string[] {
  const id = pattern.exec(path)?.[1];
  return id !== undefined && AgentSessionSchema.safeParse(id).success ? [id] : [];
}
