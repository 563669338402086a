import type { z } from 'zod';
import { readAnswer, readError } from './answers.js';
import type { HttpMethod, Query, Transport, TransportResponse } from './transport.js';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** The content of a file, in place of a body. */
  readonly content?: Uint8Array | Blob;
  /** As {@link Transport} has it. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  readonly accept?: string;
}

/** Sends requests and reads answers. Any status but 2xx rejects with the daemon's `MaestroError`. */
export class ApiCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async json<T>(schema: z.ZodType<T>, method: HttpMethod, ...[path, call]: [string, Call]): Promise<T> {
    return readAnswer(schema, await this.bytes(method, path, call), `${method} ${path}`);
  }

  async bytes(method: HttpMethod, path: string, call: Call): Promise<Uint8Array> {
    return joinChunks((await this.send(method, path, call)).body);
  }

  async send(method: HttpMethod, path: string, call: Call): Promise<TransportResponse> {
    const { body, content, onSent, accept = 'application/json', query, signal } = call;
    const response = await this.#transport.request(method, path, {
      accept,
      signal,
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(content === undefined ? {} : { content, onSent }),
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw readError(response.status, await joinChunks(response.body));
  }
}

/** A query of those `values` that are given. */
export function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): Query {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

async function joinChunks(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
