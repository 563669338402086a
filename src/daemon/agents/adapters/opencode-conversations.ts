import { realpath } from 'node:fs/promises';
import { AgentSessionSchema } from '../../../protocol/index.js';
import { askProgram } from '../ask-program.js';
import { findExecutable } from '../executable.js';
import { type ConversationPlace, type ConversationStore, MOST_CONVERSATIONS, type StoredConversation } from './conversation-store.js';
import { promptOf } from './first-prompt.js';
import { isObject, parsed } from './stored-files.js';

/** It answers within a second on a quiet machine. */
const TIMEOUT_MS = 20_000;
const MOST_BYTES = 1024 * 1024;
/** All of a project's conversations are listed, of which those of other directories are left out here. */
const MOST_LISTED = 500;
/** What OpenCode calls a conversation before it has thought of a title. */
const UNTITLED = /^New session - \d{4}-/;

/**
 * OpenCode's database is SQLite in a form of its own, so OpenCode itself is asked. What it lists has a title that was made from the first
 * prompt, in whose place it stands here; sub-agents are not among it.
 */
export const opencodeConversations: ConversationStore = {
  /** Its ids are only heard of once there is a prompt. */
  exists: async (id) => id !== '',

  async list(place) {
    const listed = parsed(await askForSessions(place));
    if (!Array.isArray(listed)) return [];
    const cwds = [place.cwd, await realpath(place.cwd).catch(() => place.cwd)];
    return listed
      .slice(0, MOST_LISTED)
      .flatMap((entry) => (isObject(entry) && cwds.includes(String(entry.directory)) ? readEntry(entry) : []))
      .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
      .slice(0, MOST_CONVERSATIONS);
  },
};

function readEntry({ id, title, updated }: Readonly<Record<string, unknown>>): StoredConversation[] {
  const agent_session = AgentSessionSchema.safeParse(id).data;
  if (agent_session === undefined || typeof updated !== 'number' || !(Math.abs(updated) < 8.64e15)) return [];
  const first_prompt = typeof title === 'string' && !UNTITLED.test(title) ? promptOf([title]) : undefined;
  return [{ agent_session, updated_at: new Date(updated).toISOString(), ...(first_prompt === undefined ? {} : { first_prompt }) }];
}

/** Nothing is fetched for a mere list; without a network that would be waited for. */
const OFFLINE = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };

/** Without plugins, so that nothing of the project runs. Empty when it fails or takes too long. */
async function askForSessions({ cwd, env, home }: ConversationPlace): Promise<string> {
  const file = await findExecutable('opencode', env.PATH ?? '');
  if (file === undefined) return '';
  const words = ['session', 'list', '--pure', '--format', 'json', '--max-count', String(MOST_LISTED)];
  const question = { file, words, cwd, env: { HOME: home, ...env, ...OFFLINE }, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES };
  return (await askProgram(question)) ?? '';
}
