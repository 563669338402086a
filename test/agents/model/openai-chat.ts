import { randomUUID } from 'node:crypto';
import { event, field, list, type Question, type Reply, text, textsOf, type Wire } from './question.js';

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** OpenAI's Chat Completions, as OpenCode speaks it to a provider of the user's own. */
export const OPENAI_CHAT: Wire = { name: 'openai-chat', read, reply };

function read(path: string, body: unknown): Question | undefined {
  if (!path.endsWith('/chat/completions')) return undefined;
  const messages = list(body, 'messages');
  return {
    model: text(body, 'model'),
    isStreamed: field(body, 'stream') === true,
    prompt: textsOf(messages.findLast((message) => text(message, 'role') === 'user')).join('\n'),
    isToolResult: text(messages.at(-1), 'role') === 'tool',
    tools: list(body, 'tools').map((tool) => text(field(tool, 'function'), 'name')),
  };
}

function reply({ model }: Question): Reply {
  const answer = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model };
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
    event({ ...answer, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more });
  const end = (reason: string) => chunk({}, reason, { usage: USAGE }) + event('[DONE]');
  return {
    whole: (content) => ({
      ...answer,
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      usage: USAGE,
    }),
    opening: () => chunk({ role: 'assistant', content: '' }),
    piece: (content) => chunk({ content }),
    ending: () => end('stop'),
    call: ({ name, input }) => {
      const call = { index: 0, id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      return chunk({ tool_calls: [call] }) + end('tool_calls');
    },
    failure: () => ({ error: { type: 'server_error', message: 'the test asked for it' } }),
  };
}
