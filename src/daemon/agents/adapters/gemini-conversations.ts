import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentSessionSchema } from '../../../protocol/index.js';
import { type ConversationPlace, type ConversationStore, MOST_CONVERSATIONS, type StoredConversation } from './conversation-store.js';
import { promptOf, textsOf } from './first-prompt.js';
import { filesIn, headOf, isObject, jsonLines, namesIn, parsed, type StoredFile } from './stored-files.js';

const HEAD_BYTES = 256 * 1024;
const REGISTRY_BYTES = 1024 * 1024;
const CHAT = /^session-.*\.jsonl$/;

/**
 * Gemini CLI's chats, `tmp/<project>/chats/session-<minute>-<first 8 of the id>.jsonl` in `~/.gemini`, where `projects.json` names the
 * project of each directory. A resumed conversation has several files; the first lines of one tell the id and, in the rest, what was said.
 */
export const geminiConversations: ConversationStore = {
  async exists(id, place) {
    return (await chatsOf(id, place)).some(({ hasBegun }) => hasBegun);
  },

  /**
   * Gemini makes the file at its start, and takes it away at its end when nothing was said. One that was killed leaves it, and then the id
   * can neither be resumed ("Invalid session identifier") nor started with ("already exists").
   */
  async isSpoilt(id, place) {
    const chats = await chatsOf(id, place);
    return chats.length > 0 && !chats.some(({ hasBegun }) => hasBegun);
  },

  async list(place) {
    const found = new Map<string, StoredConversation>();
    for (const file of (await chatFiles(place)).slice(0, 4 * MOST_CONVERSATIONS)) {
      if (found.size === MOST_CONVERSATIONS) break;
      const chat = await readChat(file);
      if (chat === undefined || !chat.hasBegun || chat.isSubAgent) continue;
      const earlier = found.get(chat.id);
      const first_prompt = chat.first_prompt ?? earlier?.first_prompt;
      const updated_at = earlier?.updated_at ?? new Date(file.modifiedMs).toISOString();
      found.set(chat.id, { agent_session: chat.id, updated_at, ...(first_prompt === undefined ? {} : { first_prompt }) });
    }
    return [...found.values()];
  },
};

/** Every file of one conversation, in whatever project. */
async function chatsOf(id: string, place: ConversationPlace): Promise<Chat[]> {
  const projects = join(geminiHome(place), 'tmp');
  const found: Chat[] = [];
  for (const project of await namesIn(projects)) {
    const files = await filesIn(join(projects, project, 'chats'), CHAT);
    for (const file of files.filter(({ path }) => path.endsWith(`-${id.slice(0, 8)}.jsonl`))) {
      const chat = await readChat(file);
      if (chat?.id === id) found.push(chat);
    }
  }
  return found;
}

function geminiHome({ env, home }: ConversationPlace): string {
  return join(env.GEMINI_CLI_HOME || env.HOME || home, '.gemini');
}

async function chatFiles(place: ConversationPlace): Promise<StoredFile[]> {
  const directories = (await projectsOf(place)).map((project) => join(geminiHome(place), 'tmp', project, 'chats'));
  const files = await Promise.all(directories.map((directory) => filesIn(directory, CHAT)));
  return files.flat().sort((one, other) => other.modifiedMs - one.modifiedMs);
}

/** Older versions name a project by the hash of its directory. */
async function projectsOf(place: ConversationPlace): Promise<string[]> {
  const registry = parsed(await headOf(join(geminiHome(place), 'projects.json'), REGISTRY_BYTES));
  const projects = isObject(registry) && isObject(registry.projects) ? registry.projects : {};
  const cwds = [...new Set([place.cwd, await realpath(place.cwd).catch(() => place.cwd)])];
  const names = cwds.flatMap((cwd) => (Object.hasOwn(projects, cwd) ? [projects[cwd]] : []));
  const hashes = cwds.map((cwd) => createHash('sha256').update(cwd).digest('hex'));
  const safe = names.filter((name): name is string => typeof name === 'string' && /^[a-z0-9][a-z0-9-]{0,254}$/.test(name));
  return [...new Set([...safe, ...hashes])];
}

interface Chat {
  readonly id: string;
  readonly isSubAgent: boolean;
  readonly hasBegun: boolean;
  readonly first_prompt?: string | undefined;
}

async function readChat({ path, bytes }: StoredFile): Promise<Chat | undefined> {
  let id: string | undefined;
  let isSubAgent = false;
  const messages: Readonly<Record<string, unknown>>[] = [];
  for (const line of jsonLines(await headOf(path, HEAD_BYTES))) {
    id ??= AgentSessionSchema.safeParse(line.sessionId).data;
    isSubAgent ||= line.kind === 'subagent';
    const replaced = isObject(line.$set) && Array.isArray(line.$set.messages) ? line.$set.messages.filter(isObject) : [];
    messages.push(...replaced, line);
  }
  if (id === undefined) return undefined;
  const first_prompt = promptOf(messages.filter(({ type }) => type === 'user').flatMap(({ content }) => textsOf(content)));
  const hasAnswer = messages.some(({ type }) => type === 'gemini');
  return { id, isSubAgent, hasBegun: bytes > HEAD_BYTES || hasAnswer || first_prompt !== undefined, first_prompt };
}
