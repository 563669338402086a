import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MaestroError, UPLOAD_LIMIT, UPLOAD_TYPE, UploadQuerySchema, UploadSchema } from '../../protocol/index.js';
import { toMaestroError } from './api-error.js';
import type { ApiParts } from './api-parts.js';
import type { BodyTimes, SendingTimes } from './body-times.js';
import { fileChunks } from './file-chunks.js';
import { errorAnswers, IdParamsSchema, ONE_SESSION } from './routes.js';

/** For the OpenAPI document: nothing of a body is read before its route does. */
const BytesSchema = z.unknown().meta({ type: 'string', format: 'binary' });

interface UploadTimes {
  readonly bodies: BodyTimes;
  readonly times: SendingTimes;
}

/**
 * The route that takes files for sessions. It is a scope of its own, as its bodies are read as they come and in no other form: a form of
 * another site cannot send this type. A file may take as long as something of it comes.
 */
export function uploadRoutes(scope: FastifyInstance, { uploads }: Pick<ApiParts, 'uploads'>, { bodies, times }: UploadTimes): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(UPLOAD_TYPE, (_request, _payload, done) => done(null, undefined));
  scope.addContentTypeParser('*', (_request, _payload, done) => done(notAFile()));
  scope.withTypeProvider<ZodTypeProvider>().post(
    `${ONE_SESSION}/files`,
    {
      bodyLimit: UPLOAD_LIMIT,
      schema: {
        params: IdParamsSchema,
        querystring: UploadQuerySchema,
        consumes: [UPLOAD_TYPE],
        body: BytesSchema,
        response: { 201: UploadSchema, ...errorAnswers() },
      },
    },
    async (request, reply) => {
      const { 'content-type': type, 'content-length': size } = request.headers;
      if (type === undefined) throw notAFile();
      const announced = size === undefined ? undefined : Number(size);
      const file = { name: request.query.name ?? '', content: fileChunks(request.raw, times), size: announced };
      bodies.exempt(request.raw);
      try {
        return reply.code(201).send(await uploads.add(request.params.id, file));
      } catch (error) {
        bodies.limit(request.raw, reply.raw);
        // What is left of the body stands before the connection's next request, and whoever sends it hears nothing until it is through.
        if (['not_found', 'invalid_request'].includes(toMaestroError(error).code)) reply.header('connection', 'close');
        else request.raw.resume();
        throw error;
      }
    },
  );
}

function notAFile(): MaestroError {
  return new MaestroError('unsupported_media_type', `the body must be the file's content, sent as ${UPLOAD_TYPE}`);
}
