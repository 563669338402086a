/** What an agent asks its model for, whatever the wire. */
export interface Question {
  /** The model that is asked. */
  readonly model: string;
  readonly isStreamed: boolean;
  /** The newest text of the user. */
  readonly prompt: string;
  /** The newest message is the result of a tool that was called for `prompt`. */
  readonly isToolResult: boolean;
  /** The names of the tools that may be called. None: it is no turn, but a title or the like. */
  readonly tools: readonly string[];
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One answer in the words of a wire. A streamed one is `opening`, then a call, or pieces of text and their `ending`. */
export interface Reply {
  /** All of a text that is not streamed. */
  whole(text: string): unknown;
  opening(): string;
  piece(text: string): string;
  /** `text` is all of the pieces together. */
  ending(text: string): string;
  call(call: ToolCall): string;
  failure(status: number): unknown;
}

/** One of the protocols that agents speak to their models. */
export interface Wire {
  readonly name: string;
  /** Reads a request to this path; undefined if it is no question of this wire. */
  read(path: string, body: unknown): Question | undefined;
  reply(question: Question): Reply;
}

/** An object's field, as little as is known of what agents send. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

export function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

export function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

/** The texts of a message, whose content is one string or blocks. */
export function textsOf(message: unknown): readonly string[] {
  const content = field(message, 'content');
  return typeof content === 'string' ? [content] : list(message, 'content').map((block) => text(block, 'text'));
}

/** One server-sent event. */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
