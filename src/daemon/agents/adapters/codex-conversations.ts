import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ConversationPlace, type ConversationStore, MOST_CONVERSATIONS, type StoredConversation } from './conversation-store.js';
import { promptOf, textsOf } from './first-prompt.js';
import { headOf, isObject, jsonLines, namesIn, newestFiles, type StoredFile } from './stored-files.js';
import { isUuid } from './uuid.js';

/** The first line holds the whole of the instructions. */
const HEAD_BYTES = 256 * 1024;
const MOST_DAYS = 400;
const MOST_FILES = 1000;
const ROLLOUT = /^rollout-.{19}-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** Codex's rollouts, `sessions/YEAR/MONTH/DAY/rollout-<time>-<id>.jsonl` in `$CODEX_HOME`. The first line tells the directory. */
export const codexConversations: ConversationStore = {
  async exists(id, place) {
    if (!isUuid(id)) return true;
    let isEmpty = true;
    for await (const paths of days(place)) {
      isEmpty = false;
      if (paths.some((path) => ROLLOUT.exec(basename(path))?.[1] === id)) return true;
    }
    // A store that was moved away is no sign that the conversation never began.
    return isEmpty;
  },

  async list(place) {
    const cwds = new Set([place.cwd, await realpath(place.cwd).catch(() => place.cwd)]);
    const conversations: StoredConversation[] = [];
    let read = 0;
    for await (const paths of days(place)) {
      const files = await newestFiles(paths);
      for (const file of files.slice(0, MOST_FILES - read)) {
        const found = await readRollout(file, cwds);
        if (found) conversations.push(found);
      }
      read += files.length;
      if (read >= MOST_FILES || conversations.length >= MOST_CONVERSATIONS) break;
    }
    return conversations.sort((one, other) => other.updated_at.localeCompare(one.updated_at)).slice(0, MOST_CONVERSATIONS);
  },
};

/** The rollouts of each day, the newest day first. */
async function* days({ env, home }: ConversationPlace): AsyncGenerator<string[]> {
  const sessions = join(env.CODEX_HOME || join(env.HOME || home, '.codex'), 'sessions');
  let count = 0;
  for (const year of await numbersIn(sessions)) {
    for (const month of await numbersIn(join(sessions, year))) {
      for (const day of await numbersIn(join(sessions, year, month))) {
        const directory = join(sessions, year, month, day);
        yield (await namesIn(directory)).filter((name) => ROLLOUT.test(name)).map((name) => join(directory, name));
        count += 1;
        if (count === MOST_DAYS) return;
      }
    }
  }
}

async function numbersIn(directory: string): Promise<string[]> {
  return (await namesIn(directory)).filter((name) => /^\d{2,4}$/.test(name)).sort((one, other) => Number(other) - Number(one));
}

async function readRollout({ path, modifiedMs }: StoredFile, cwds: ReadonlySet<string>): Promise<StoredConversation | undefined> {
  const texts: string[] = [];
  let agent_session: string | undefined;
  for (const line of jsonLines(await headOf(path, HEAD_BYTES))) {
    const payload = isObject(line.payload) ? line.payload : {};
    if (line.type === 'session_meta' && agent_session === undefined) {
      if (!isOwn(payload, cwds)) return undefined;
      agent_session = ROLLOUT.exec(basename(path))?.[1];
    } else if (line.type === 'response_item' && payload.type === 'message' && payload.role === 'user') {
      texts.push(...textsOf(payload.content));
    }
  }
  if (agent_session === undefined) return undefined;
  const first_prompt = promptOf(texts);
  return { agent_session, updated_at: new Date(modifiedMs).toISOString(), ...(first_prompt === undefined ? {} : { first_prompt }) };
}

/** Of scripts, which Codex does not offer for a resume either. */
const UNATTENDED: readonly unknown[] = ['exec', 'mcp'];

/** A conversation of this directory that a person has begun. Those of sub-agents and of other helpers name what began them. */
function isOwn({ cwd, source, thread_source }: Readonly<Record<string, unknown>>, cwds: ReadonlySet<string>): boolean {
  const isUsers = thread_source === undefined || thread_source === null || thread_source === 'user';
  const isAttended = (source === undefined || typeof source === 'string') && !UNATTENDED.includes(source);
  return typeof cwd === 'string' && cwds.has(cwd) && isUsers && isAttended;
}
