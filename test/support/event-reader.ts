import { get, type IncomingMessage } from 'node:http';
import { type SessionEvent, SessionEventSchema } from '../../src/protocol/index.js';
import { until } from './until.js';

export interface ReadEvent {
  readonly id: number;
  readonly name: string;
  readonly event: SessionEvent;
}

/** One reader of `/api/events` that notes all it gets. */
export class EventReader implements AsyncDisposable {
  readonly events: ReadEvent[] = [];
  readonly headers: IncomingMessage['headers'];
  readonly #response: IncomingMessage;
  readonly #closed: Promise<'cut off' | 'ended'>;
  #text = '';
  /** Characters read so far. */
  read = 0;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.headers = response.headers;
    this.#closed = new Promise((resolve) => {
      response.once('error', () => undefined).once('close', () => resolve(response.complete ? 'ended' : 'cut off'));
    });
    response.setEncoding('utf8').on('data', (text: string) => this.#take(text));
  }

  static open({ ready, token }: { readonly ready: { readonly listen: string }; readonly token: string }): Promise<EventReader> {
    const [hostname, port] = ready.listen.split(':');
    const headers = { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      get({ hostname, port, path: '/api/events', headers, agent: false }, (response) => resolve(new EventReader(response))).once(
        'error',
        reject,
      );
    });
  }

  /** How the stream ended. */
  get closed(): Promise<'cut off' | 'ended'> {
    return this.#closed;
  }

  /** The first event that fits. */
  waitFor(what: string, fits: (event: SessionEvent) => boolean): Promise<ReadEvent> {
    return until(`the event ${what}`, () => this.events.find(({ event }) => fits(event)));
  }

  /** Reads nothing more; what the daemon sends fills the buffers of the kernel. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#response.destroy();
    await this.#closed;
  }

  #take(text: string): void {
    this.read += text.length;
    const blocks = (this.#text + text).split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) this.events.push(parse(block));
  }
}

function parse(block: string): ReadEvent {
  const fields = block.split('\n').map((line): [string, string] => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);
  const { id, event, data, ...more } = Object.fromEntries(fields);
  if (Object.keys(more).length > 0) throw new Error(`an event has other fields: ${Object.keys(more).join(', ')}`);
  return { id: Number(id), name: event ?? '', event: SessionEventSchema.parse(JSON.parse(data ?? '')) };
}
