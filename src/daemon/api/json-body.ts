import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { MaestroError } from '../../protocol/index.js';

/** How deep a body may be nested. All that later walks what it held, here and in clients, recurses. */
const DEPTH_LIMIT = 100;

/** Bodies are JSON or absent; anything else is refused before it is read, so that no other site's form can post here. */
export function readJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    // Decoded all the same, it would hold other characters than were sent.
    if (!isUtf8(body)) return done(new MaestroError('invalid_request', 'the body is not valid UTF-8'));
    void parse(request, body.toString(), (error, value: unknown) => {
      if (error === null && isDeep(value))
        done(new MaestroError('invalid_request', `the body is nested deeper than ${DEPTH_LIMIT} levels`));
      else done(error, value);
    });
  });
}

/** Level by level, as a recursion is what it guards against. */
function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_LIMIT) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
