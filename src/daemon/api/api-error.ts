import type { Socket } from 'node:net';
import type { FastifyError } from 'fastify';
import type { z } from 'zod';
import { MaestroError } from '../../protocol/index.js';

type Issue = z.core.$ZodIssue;

/** Fastify's own refusals, in the words of the error table. */
const FASTIFY_CODES: Readonly<Record<string, (error: FastifyError) => MaestroError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new MaestroError('payload_too_large', 'the body is larger than 4 MiB'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new MaestroError('unsupported_media_type', 'a body must be JSON, sent as application/json'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new MaestroError('invalid_request', 'the body is not valid JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new MaestroError('invalid_request', 'the body is not as long as Content-Length says'),
};

/** Any failure as one of the error table. What is not expected becomes `internal`, with nothing of its text: the log has it. */
export function toMaestroError(error: unknown): MaestroError {
  if (error instanceof MaestroError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = code === undefined ? undefined : FASTIFY_CODES[code];
  if (known) return known(error as FastifyError);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new MaestroError('invalid_request', 'the request cannot be read');
  return new MaestroError('internal', 'something went wrong in Maestro itself; its log says what', { cause: error });
}

/** Answers what is no HTTP request, or came too slowly, in the form of all other errors, and hangs up. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const why = UNREADABLE[error.code ?? ''] ?? 'the request is no HTTP that can be read';
  const body = JSON.stringify(new MaestroError('invalid_request', why));
  const head = ['HTTP/1.1 400 Bad Request', 'content-type: application/json; charset=utf-8', `content-length: ${Buffer.byteLength(body)}`];
  socket.end(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`, () => socket.destroy());
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the path and the headers are longer than 16 KiB together',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not come whole within 30 s',
};

/** A body, query or parameter that breaks its schema: names the field, the value and the rule. */
export function invalidRequest(error: z.ZodError, value: unknown): MaestroError {
  const issue = mostTelling(error.issues[0]);
  if (issue === undefined) return new MaestroError('invalid_request', 'the request is not valid');
  if (issue.code === 'unrecognized_keys') {
    const fields = issue.keys.map((key) => join([...issue.path, key])).join(', ');
    return new MaestroError('invalid_request', `${fields}: no such field`, {
      details: { field: fields, rule: 'unknown fields are refused' },
    });
  }
  const field = join(issue.path);
  const given = shown(issue.path.reduce<unknown>(member, value));
  const rule = issue.message;
  return new MaestroError(
    'invalid_request',
    `${field === '' ? 'the body' : field}: ${rule}${given === undefined ? '' : `, not ${given}`}`,
    {
      details: { ...(field === '' ? {} : { field }), ...(given === undefined ? {} : { value: given }), rule },
    },
  );
}

/** Of a union, the branch that the value came closest to: the one with the fewest issues. */
function mostTelling(issue: Issue | undefined): Issue | undefined {
  if (issue?.code === 'invalid_key') return { ...issue, message: issue.issues[0]?.message ?? issue.message } as Issue;
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const closest = [...issue.errors].sort((a, b) => a.length - b.length)[0]?.[0];
  return closest && mostTelling({ ...closest, path: [...issue.path, ...closest.path] } as Issue);
}

function join(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function member(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}

/** At most this much of a refused value is shown. */
const SHOWN_LENGTH = 80;
const HALF_CHARACTER = /\p{Surrogate}$/u;

/** A value as it may be shown. An object is not: it may hold secrets. */
function shown(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const text = JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH).replace(HALF_CHARACTER, '')}…` : text;
}
