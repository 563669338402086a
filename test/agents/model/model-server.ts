import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { ANTHROPIC_MESSAGES } from './anthropic-messages.js';
import { GEMINI_GENERATE } from './gemini-generate.js';
import { type Held, HeldAnswers } from './held-answers.js';
import { OPENAI_CHAT } from './openai-chat.js';
import { OPENAI_RESPONSES } from './openai-responses.js';
import type { Question, Reply, Wire } from './question.js';
import { type Answer, answerTo } from './script.js';

const WIRES: readonly Wire[] = [ANTHROPIC_MESSAGES, OPENAI_RESPONSES, OPENAI_CHAT, GEMINI_GENERATE];

/** Where agents put the id of the conversation that a question belongs to. Gemini CLI tells none. */
const CONVERSATION_HEADERS = ['x-claude-code-session-id', 'session-id', 'session_id', 'x-session-id'];

/** How a text is cut for the stream. */
const PIECE = /.{1,8}/gsu;

/** A question that came, and what became of it. */
export interface Asked extends Question {
  readonly wire: string;
  readonly conversation: string | undefined;
  /** As it came: all that the agent knows of the conversation. */
  readonly body: string;
  /** `left`: the agent hung up before its end. */
  state: 'open' | 'answered' | 'left';
}

/** A model on a port of this machine, for every wire at once. What it answers is ordered by the prompt, see {@link answerTo}. */
export class ModelServer implements AsyncDisposable {
  /** All that was asked, titles and the like included, in the order of arrival. */
  readonly asked: Asked[] = [];
  /** Requests that no wire knows, as `METHOD /path`. */
  readonly unknown: string[] = [];
  readonly #held = new HeldAnswers();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
  }

  static async start(): Promise<ModelServer> {
    const model = new ModelServer();
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Stops the answers that say `text`, behind their first eight characters, until they are released. */
  hold(text: string): Held {
    return this.#held.hold(text);
  }

  /** The questions of turns with this order in the prompt. */
  turns(order: string): readonly Asked[] {
    return this.asked.filter(({ prompt, tools }) => tools.length > 0 && prompt.includes(order));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#held.releaseAll();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    const body = await text(request);
    const content = request.method === 'POST' ? parsed(body) : undefined;
    for (const wire of content === undefined ? [] : WIRES) {
      const question = wire.read(path, content);
      if (question === undefined) continue;
      const asked: Asked = { ...question, wire: wire.name, conversation: conversationOf(request), body, state: 'open' };
      this.asked.push(asked);
      response.once('close', () => {
        asked.state = response.writableFinished ? 'answered' : 'left';
      });
      return this.#answer(question, wire.reply(question), response);
    }
    this.unknown.push(`${request.method} ${path}`);
    const count = /count_?tokens$/i.test(path) ? { input_tokens: 10, totalTokens: 10 } : undefined;
    send(response, count === undefined ? 404 : 200, count ?? { error: { type: 'not_found_error', message: `there is no ${path}` } });
  }

  async #answer(question: Question, reply: Reply, response: ServerResponse): Promise<void> {
    const answer = answerTo(question);
    if (answer.kind === 'failure') return send(response, answer.status, reply.failure(answer.status));
    if (!question.isStreamed) return send(response, 200, reply.whole(answer.kind === 'text' ? answer.text : 'none'));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    response.write(reply.opening());
    if (answer.kind === 'silence') return;
    if (answer.kind === 'call') return void response.end(reply.call(answer.call));
    await this.#say(answer, reply, response);
  }

  async #say({ text, seconds = 0 }: Extract<Answer, { kind: 'text' }>, reply: Reply, response: ServerResponse): Promise<void> {
    const pieces = text.match(PIECE) ?? [];
    for (const [index, piece] of pieces.entries()) {
      if (response.destroyed) return;
      response.write(reply.piece(piece));
      if (index === 0) await this.#held.pass(text);
      if (seconds > 0) await delay((seconds * 1000) / pieces.length);
    }
    response.end(reply.ending(text));
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function conversationOf({ headers }: IncomingMessage): string | undefined {
  return CONVERSATION_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
