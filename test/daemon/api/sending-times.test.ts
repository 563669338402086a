import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiParts } from '../../../src/daemon/api/api-parts.js';
import type { SendingTimes } from '../../../src/daemon/api/body-times.js';
import { type ApiServer, buildServer } from '../../../src/daemon/api/server.js';
import type { StateDir } from '../../../src/daemon/store/state-dir.js';
import { UploadStore } from '../../../src/daemon/store/upload-store.js';
import type { ApiError, Upload } from '../../../src/protocol/index.js';

const ID = '00000000-0000-4000-8000-000000000000';
const TIMES: SendingTimes = { requestMs: 600, fileMs: 60_000 };

let server: ApiServer;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
});
afterEach(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

async function serve(times: Partial<SendingTimes> = {}): Promise<void> {
  const stateDir = { uploadsOf: (id: string) => join(dir, id) } as StateDir;
  const parts = { uploads: new UploadStore({ dir: stateDir }), log: { error: () => undefined } } as unknown as ApiParts;
  server = await buildServer(parts, undefined, { times: { ...TIMES, ...times } });
  await server.listen({ host: '127.0.0.1', port: 0 });
}

const port = () => (server.server.address() as AddressInfo).port;
const kept = () => readdir(join(dir, ID)).catch(() => []);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A file whose first bytes are under way. */
function sending(headers: Record<string, string | number> = {}): ClientRequest {
  const type = { 'content-type': 'application/octet-stream', ...headers };
  const file = request({ port: port(), host: '127.0.0.1', method: 'POST', path: `/api/sessions/${ID}/files?name=slow`, headers: type });
  file.on('error', () => undefined);
  file.write('.');
  return file;
}

async function answerTo(file: ClientRequest): Promise<{ status: number; body: Upload & ApiError; connection: string | undefined }> {
  const [response] = (await once(file, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  const { statusCode = 0, headers } = response;
  return { status: statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as Upload & ApiError, connection: headers.connection };
}

/** A connection that sends something every now and then, and never an end. Resolves with all that came back when it was hung up on. */
async function dripping(beginning: string): Promise<string> {
  const socket: Socket = connect(port(), '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    heard += part;
  });
  socket.on('error', () => undefined);
  socket.write(beginning);
  const drops = beginning.includes('\n') ? setInterval(() => socket.write('1'), 50) : undefined;
  await once(socket, 'close');
  clearInterval(drops);
  return heard;
}

describe('a file', () => {
  test('may take many times as long as a request, as long as something of it comes', async () => {
    await serve();
    const began = performance.now();
    const file = sending();
    const answer = answerTo(file);
    for (let n = 1; n < 10; n += 1) {
      await pause(TIMES.requestMs / 3);
      file.write('.');
    }
    file.end();
    const { status, body } = await answer;
    expect([status, body.size]).toEqual([201, 10]);
    expect(await readFile(body.path, 'utf8')).toBe('..........');
    expect(performance.now() - began).toBeGreaterThan(TIMES.requestMs * 2);
  });

  test.each([{ 'content-length': 1000 }, {}])(
    'of which nothing comes any more is given up with the reason, and nothing of it stays (%j)',
    async (headers) => {
      await serve();
      const { status, body, connection } = await answerTo(sending(headers));
      expect([status, connection]).toEqual([400, 'close']);
      expect(body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('nothing of the file came for 0.6 s') });
      expect(await kept()).toEqual([]);
    },
  );

  test('that comes drop by drop is given up in the end', async () => {
    await serve({ fileMs: 900 });
    const file = sending();
    const drops = setInterval(() => file.write('.'), 50);
    const { status, body } = await answerTo(file);
    clearInterval(drops);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('was not whole after 0.9 s')]);
    expect(await kept()).toEqual([]);
    file.destroy();
  });
});

describe('every other request is hung up on when it is not whole in time', () => {
  test.each([
    ['no byte', ''],
    ['half a line', 'G'],
    ['headers without an end', 'GET /api/sessions HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    [
      'a body by length',
      'POST /api/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"cwd":"',
    ],
    [
      'a file that is too large',
      `POST /api/sessions/${ID}/files HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: ${1024 ** 3}\r\n\r\n`,
    ],
    ['a body that nobody reads', 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n'],
    [
      'a file for nobody',
      'POST /api/sessions/x/files HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n',
    ],
  ])('%s', async (_, beginning) => {
    await serve();
    expect(await dripping(beginning)).not.toContain('HTTP/1.1 2');
  });
});
