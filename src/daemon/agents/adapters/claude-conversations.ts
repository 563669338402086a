import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationPlace, ConversationStore, StoredConversation } from './conversation-store.js';
import { MOST_CONVERSATIONS } from './conversation-store.js';
import { promptOf, textsOf } from './first-prompt.js';
import { fileAt, filesIn, headOf, isObject, jsonLines, namesIn, type StoredFile } from './stored-files.js';
import { isUuid } from './uuid.js';

const HEAD_BYTES = 256 * 1024;
/** Claude Code cuts longer names off and puts a hash behind them. */
const MOST_NAME = 200;
const TRANSCRIPT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

/**
 * Claude Code's transcripts, `projects/<directory>/<id>.jsonl` in its config directory, where all but letters and digits of the directory
 * is `-`. A conversation stays in the project that it began in, wherever it is resumed, so one is looked for in all of them.
 */
export const claudeConversations: ConversationStore = {
  async exists(id, place) {
    if (!isUuid(id)) return true;
    const projects = projectsOf(place);
    const found = await Promise.all((await namesIn(projects)).map((name) => fileAt(join(projects, name, `${id}.jsonl`))));
    const heads = await Promise.all(found.filter((file) => file !== undefined).map(readTranscript));
    return heads.some(({ hasBegun }) => hasBegun);
  },

  async list(place) {
    const directories = await projectDirectories(place);
    const files = (await Promise.all(directories.map((directory) => filesIn(directory, TRANSCRIPT)))).flat();
    const newest = files.sort((one, other) => other.modifiedMs - one.modifiedMs).slice(0, 4 * MOST_CONVERSATIONS);
    const cwds = await namesFor(place.cwd);
    const conversations: StoredConversation[] = [];
    for (const file of newest) {
      if (conversations.length === MOST_CONVERSATIONS) break;
      const { hasBegun, isOfScript, cwd, first_prompt } = await readTranscript(file);
      // Several directories have the same name in the store.
      if (!hasBegun || isOfScript || (cwd !== undefined && !cwds.includes(cwd))) continue;
      conversations.push({
        agent_session: file.path.slice(-'.jsonl'.length - 36, -'.jsonl'.length),
        updated_at: new Date(file.modifiedMs).toISOString(),
        ...(first_prompt === undefined ? {} : { first_prompt }),
      });
    }
    return conversations;
  },
};

function projectsOf({ env, home }: ConversationPlace): string {
  return join(env.CLAUDE_CONFIG_DIR || join(env.HOME || home, '.claude'), 'projects');
}

/** The directory as the session names it, and as the system does. */
async function namesFor(cwd: string): Promise<string[]> {
  return [...new Set([cwd, await realpath(cwd).catch(() => cwd)])];
}

async function projectDirectories(place: ConversationPlace): Promise<string[]> {
  const projects = projectsOf(place);
  const names = (await namesFor(place.cwd)).map((cwd) => cwd.replace(/[^a-zA-Z0-9]/g, '-'));
  const isLong = names.some((name) => name.length > MOST_NAME);
  const all = isLong ? await namesIn(projects) : names;
  const wanted = isLong ? all.filter((name) => names.some((own) => name.startsWith(`${own.slice(0, MOST_NAME)}-`) || name === own)) : names;
  return [...new Set(wanted)].map((name) => join(projects, name));
}

interface Transcript {
  readonly hasBegun: boolean;
  /** Made with `--print` or by an SDK. */
  readonly isOfScript: boolean;
  readonly cwd?: string | undefined;
  readonly first_prompt?: string | undefined;
}

async function readTranscript({ path, bytes }: StoredFile): Promise<Transcript> {
  let hasBegun = bytes > HEAD_BYTES;
  let isOfScript = false;
  let cwd: string | undefined;
  for (const line of jsonLines(await headOf(path, HEAD_BYTES))) {
    if (line.isSidechain === true) continue;
    if (line.type !== 'user' && line.type !== 'assistant') continue;
    hasBegun = true;
    isOfScript ||= typeof line.entrypoint === 'string' && line.entrypoint.startsWith('sdk');
    if (typeof line.cwd === 'string') cwd ??= line.cwd;
    const content = isObject(line.message) ? line.message.content : undefined;
    const first_prompt = line.type === 'user' && line.isMeta !== true ? promptOf(textsOf(content)) : undefined;
    if (first_prompt !== undefined) return { hasBegun, isOfScript, cwd, first_prompt };
  }
  return { hasBegun, isOfScript, cwd };
}
