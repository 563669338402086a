import { randomUUID } from 'node:crypto';
import { event, field, list, type Question, type Reply, type ToolCall, text, textsOf, type Wire } from './question.js';

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** OpenAI's Responses, as Codex speaks it. */
export const OPENAI_RESPONSES: Wire = { name: 'openai-responses', read, reply: (question) => new ResponsesReply(question) };

function read(path: string, body: unknown): Question | undefined {
  if (!path.endsWith('/responses')) return undefined;
  const input = list(body, 'input');
  const prompt = input.findLast((item) => text(item, 'role') === 'user');
  return {
    model: text(body, 'model'),
    isStreamed: field(body, 'stream') === true,
    prompt: textsOf(prompt).join('\n'),
    isToolResult: text(input.at(-1), 'type').endsWith('_call_output'),
    tools: list(body, 'tools').map((tool) => text(tool, 'name') || text(tool, 'type')),
  };
}

class ResponsesReply implements Reply {
  readonly #response;
  readonly #itemId = `msg_${randomUUID()}`;
  #sent = 0;
  #hasText = false;

  constructor({ model }: Question) {
    this.#response = { id: `resp_${randomUUID()}`, object: 'response', created_at: Math.floor(Date.now() / 1000), model };
  }

  #send(type: string, more: object): string {
    this.#sent += 1;
    return event({ type, sequence_number: this.#sent - 1, ...more }, type);
  }

  whole(said: string): unknown {
    return { ...this.#response, status: 'completed', output: [this.#message(said)], usage: USAGE };
  }

  opening(): string {
    return this.#send('response.created', { response: { ...this.#response, status: 'in_progress', output: [] } });
  }

  piece(said: string): string {
    return this.#begin() + this.#send('response.output_text.delta', { ...this.#place(), delta: said });
  }

  ending(said: string): string {
    return this.#begin() + this.#send('response.output_text.done', { ...this.#place(), text: said }) + this.#end(this.#message(said));
  }

  call({ name, input }: ToolCall): string {
    const [id, call_id] = [`fc_${randomUUID()}`, `call_${randomUUID()}`];
    const item = { type: 'function_call', id, call_id, name, arguments: JSON.stringify(input), status: 'completed' };
    const begun = { ...item, arguments: '', status: 'in_progress' };
    return this.#send('response.output_item.added', { output_index: 0, item: begun }) + this.#end(item);
  }

  failure(): unknown {
    return { error: { type: 'server_error', message: 'the test asked for it' } };
  }

  #message(said: string): object {
    const content = [{ type: 'output_text', text: said, annotations: [] }];
    return { type: 'message', id: this.#itemId, role: 'assistant', status: 'completed', content };
  }

  #place(): object {
    return { item_id: this.#itemId, output_index: 0, content_index: 0 };
  }

  #begin(): string {
    if (this.#hasText) return '';
    this.#hasText = true;
    const item = { ...this.#message(''), status: 'in_progress', content: [] };
    const part = { type: 'output_text', text: '', annotations: [] };
    return (
      this.#send('response.output_item.added', { output_index: 0, item }) +
      this.#send('response.content_part.added', { ...this.#place(), part })
    );
  }

  #end(item: object): string {
    const response = { ...this.#response, status: 'completed', output: [item], usage: USAGE };
    return this.#send('response.output_item.done', { output_index: 0, item }) + this.#send('response.completed', { response });
  }
}
