import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { z } from 'zod';
import { ClientFrameSchema, ROUTES, ServerFrameSchema, VERSION } from '../../protocol/index.js';

type Document = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

/** What the OpenAPI document says beside what the routes say of themselves: a WebSocket cannot. */
export function openapiDocument(): Document {
  return {
    openapi: '3.1.0',
    info: { title: 'Maestro', version: VERSION, description: 'Terminal sessions that stay.' },
    components: { schemas: { ServerFrame: z.toJSONSchema(ServerFrameSchema), ClientFrame: z.toJSONSchema(ClientFrameSchema) } },
    paths: { [`${ROUTES.sessions}/{id}/pty`]: { get: stream() }, [ROUTES.openapi]: { get: document() } },
  } as Document;
}

function stream() {
  return {
    description:
      'A WebSocket: output and keystrokes as binary frames; ServerFrame to the viewer and ClientFrame from it as JSON text frames. ' +
      'What cannot be served gets an error frame and the close code 4404, 4409 or 4503.',
    parameters: [
      { in: 'path', name: 'id', required: true, schema: { type: 'string', format: 'uuid' } },
      { in: 'query', name: 'after', description: 'go on behind this position, EPOCH:OFFSET', schema: { type: 'string' } },
      { in: 'query', name: 'stream', description: '0 for no output', schema: { type: 'string', enum: ['0', '1'] } },
    ],
    responses: { 101: { description: 'the stream follows' }, 401: { description: 'unauthorized' }, 403: { description: 'forbidden' } },
  };
}

function document() {
  return { responses: { 200: { description: 'this document', content: { 'application/json': { schema: { type: 'object' } } } } } };
}
