import { randomUUID } from 'node:crypto';
import { event, field, list, type Question, type Reply, text, textsOf, type Wire } from './question.js';

const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** Anthropic's Messages, as Claude Code speaks it. */
export const ANTHROPIC_MESSAGES: Wire = { name: 'anthropic-messages', read, reply };

function read(path: string, body: unknown): Question | undefined {
  if (!path.endsWith('/v1/messages')) return undefined;
  // Messages of the system may stand behind the user's newest one.
  const messages = list(body, 'messages').filter((message) => text(message, 'role') === 'user');
  const newest = messages.at(-1);
  const isToolResult = hasToolResult(newest) && ownTexts(newest).length === 0;
  // A message of reminders alone tells that a task in the background has ended: it has no prompt.
  const prompted = isToolResult ? messages.findLast((message) => ownTexts(message).length > 0) : newest;
  return {
    model: text(body, 'model'),
    isStreamed: field(body, 'stream') === true,
    prompt: ownTexts(prompted).join('\n'),
    isToolResult,
    tools: list(body, 'tools').map((tool) => text(tool, 'name')),
  };
}

/** A tool's result comes in the user's name, alone or, when the user has stopped the tool, before the next prompt. */
function hasToolResult(message: unknown): boolean {
  return list(message, 'content').some((block) => text(block, 'type') === 'tool_result');
}

function ownTexts(message: unknown): readonly string[] {
  return textsOf(message).filter((part) => part !== '' && !part.startsWith('<system-reminder>'));
}

function reply({ model }: Question): Reply {
  const id = `msg_${randomUUID()}`;
  const message = { id, type: 'message', role: 'assistant', model, stop_sequence: null, usage: USAGE };
  const send = (type: string, more: object = {}) => event({ type, ...more }, type);
  const block = (content_block: object) => send('content_block_start', { index: 0, content_block });
  const delta = (content: object) => send('content_block_delta', { index: 0, delta: content });
  const end = (stop_reason: string) =>
    send('content_block_stop', { index: 0 }) +
    send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }) +
    send('message_stop');
  let hasText = false;
  const begin = () => {
    const start = hasText ? '' : block({ type: 'text', text: '' });
    hasText = true;
    return start;
  };
  return {
    whole: (said) => ({ ...message, stop_reason: 'end_turn', content: [{ type: 'text', text: said }] }),
    opening: () => send('message_start', { message: { ...message, content: [], stop_reason: null } }),
    piece: (said) => begin() + delta({ type: 'text_delta', text: said }),
    ending: () => begin() + end('end_turn'),
    call: ({ name, input }) =>
      block({ type: 'tool_use', id: `toolu_${randomUUID().replaceAll('-', '')}`, name, input: {} }) +
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }) +
      end('tool_use'),
    failure: () => ({ type: 'error', error: { type: 'api_error', message: 'the test asked for it' } }),
  };
}
