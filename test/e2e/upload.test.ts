import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiError, UPLOAD_LIMIT, type Upload } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { runMaestro } from '../support/run-maestro.js';
import { mountProblem, SmallDisk } from '../support/small-disk.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());

const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Sending {
  readonly name?: string;
  readonly type?: string;
  readonly authorization?: string;
}

async function send(id: string, content: Uint8Array | string, sending: Sending = {}): Promise<{ status: number; body: Upload & ApiError }> {
  const { name, type = 'application/octet-stream', authorization = `Bearer ${host.token}` } = sending;
  const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
  const response = await fetch(`http://${host.ready.listen}/api/sessions/${id}/files${query}`, {
    method: 'POST',
    headers: { authorization, 'content-type': type },
    body: content as BodyInit,
  });
  return { status: response.status, body: (await response.json()) as Upload & ApiError };
}

const kept = (id: string) => readdir(join(host.state, 'uploads', id)).catch(() => []);

/** A request whose body is under way. */
function begun(id: string, length: number): ClientRequest {
  const [hostname = '', port] = host.ready.listen.split(':');
  const headers = { authorization: `Bearer ${host.token}`, 'content-type': 'application/octet-stream', 'content-length': length };
  const sending = request({ hostname, port, method: 'POST', path: `/api/sessions/${id}/files?name=slow`, headers });
  sending.write(Buffer.alloc(1000));
  return sending;
}

describe('POST /api/sessions/:id/files', () => {
  test('stores the file for the session alone to be read, under a safe name, and never replaces one', async () => {
    const { id } = await host.create({ command: 'sleep 1000' });
    const content = Buffer.from([0, 1, 2, 255, 10, 13]);
    const first = await send(id, content, { name: '../../.evil\u0007 name.bin' });
    expect(first).toEqual({ status: 201, body: { path: join(host.state, 'uploads', id, 'evil name.bin'), size: 6 } });
    expect(await readFile(first.body.path)).toEqual(content);
    expect((await stat(first.body.path)).mode & 0o777).toBe(0o600);
    const second = await send(id, '', { name: 'evil name.bin' });
    expect(second.body).toEqual({ path: join(host.state, 'uploads', id, 'evil name-2.bin'), size: 0 });
    expect((await send(id, 'x')).body.path).toBe(join(host.state, 'uploads', id, 'file'));
    await host.kill(id);
    expect(await kept(id)).toEqual([]);
  });

  test('takes the largest file that is allowed, and refuses a larger one with a clear answer and no remains', async () => {
    const { id } = await host.create({ command: 'sleep 1000' });
    expect((await send(id, Buffer.alloc(UPLOAD_LIMIT), { name: 'largest' })).body.size).toBe(UPLOAD_LIMIT);
    const { status, body } = await send(id, Buffer.alloc(UPLOAD_LIMIT + 1), { name: 'larger' });
    expect(status).toBe(413);
    expect(body.error).toMatchObject({ code: 'payload_too_large', message: expect.stringContaining('25 MiB') });
    const unannounced = await fetch(`http://${host.ready.listen}/api/sessions/${id}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/octet-stream' },
      body: Readable.toWeb(Readable.from(Array.from({ length: 26 }, () => Buffer.alloc(1024 * 1024)))),
      duplex: 'half',
    } as unknown as RequestInit);
    expect(unannounced.status).toBe(413);
    expect(await kept(id)).toEqual(['largest']);
    await host.kill(id);
  });

  test('refuses other types, no body, no login and unknown sessions', async () => {
    const { id } = await host.create({ command: 'sleep 1000' });
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'image/png']) {
      expect((await send(id, '{}', { type })).body.error.code).toBe('unsupported_media_type');
    }
    expect((await host.call<ApiError>('POST', `/api/sessions/${id}/files`)).body.error.code).toBe('unsupported_media_type');
    expect((await send(id, 'x', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await send(NOBODY, 'x')).status).toBe(404);
    expect((await host.call<ApiError>('POST', `/api/sessions/${id}/files?name=a&more=b`)).status).toBe(400);
    expect(await kept(id)).toEqual([]);
    await host.kill(id);
  });

  test('leaves nothing of a file that breaks off, and a kill does not wait for one that is slow', async () => {
    const { id } = await host.create({ command: 'sleep 1000' });
    const broken = begun(id, 5000);
    broken.on('error', () => undefined);
    await until('the file to be begun', async () => (await kept(id)).length === 1);
    broken.destroy();
    await until('what came of it to be gone', async () => (await kept(id)).length === 0);
    const slow = begun(id, 5000);
    slow.on('error', () => undefined);
    await until('the file to be begun', async () => (await kept(id)).length === 1);
    const answered = once(slow, 'response');
    expect((await host.kill(id)).status).toBe(200);
    const [response] = (await answered) as [{ statusCode: number }];
    expect(response.statusCode).toBe(404);
    expect(await kept(id)).toEqual([]);
    slow.destroy();
  });
});

test('files of a session that was killed while no daemon ran to finish it go at the next start', async () => {
  const { id } = await host.create({ command: 'sleep 1000' });
  await send(id, 'x', { name: 'a' });
  await host.end('SIGKILL');
  await writeFile(join(host.state, 'trash', id), '', { mode: 0o600 });
  await host.start();
  expect(await kept(id)).toEqual([]);
});

test.skipIf(mountProblem() !== undefined)('a full disk is told as storage_failed, and leaves no part of the file', async () => {
  const { id } = await host.create({ command: 'sleep 1000' });
  const directory = join(host.state, 'uploads', id);
  await mkdir(directory, { mode: 0o700, recursive: true });
  const disk = await SmallDisk.mount(directory, 256);
  try {
    const { status, body } = await send(id, Buffer.alloc(1024 * 1024), { name: 'big' });
    expect(status).toBe(507);
    expect(body.error).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('ENOSPC') });
    expect(await kept(id)).toEqual([]);
    expect((await send(id, 'small', { name: 'small' })).status).toBe(201);
  } finally {
    await disk.unmount();
  }
  await host.kill(id);
});

test('`maestro upload` prints where its files are, and says of each that cannot be sent why', async () => {
  const { id } = await host.create({ command: 'sleep 1000', metadata: { name: 'reader' } });
  await writeFile(join(host.dir, 'notes.md'), 'remember');
  const { code, stdout, stderr } = await runMaestro(['upload', 'reader', 'notes.md', 'missing.md', '.'], { env: host.env, cwd: host.dir });
  expect(stdout).toBe(`${join(host.state, 'uploads', id, 'notes.md')}\n`);
  expect(stderr).toContain('missing.md cannot be read: there is no such file');
  expect(stderr).toContain('. cannot be read: it is a directory');
  expect(code).toBe(1);
  expect(await readFile(stdout.trim(), 'utf8')).toBe('remember');
  const json = await runMaestro(['--json', 'upload', id, 'notes.md'], { env: host.env, cwd: host.dir });
  const path = join(host.state, 'uploads', id, 'notes-2.md');
  expect(JSON.parse(json.stdout)).toEqual([{ id: 'notes.md', ok: true, result: { path, size: 8 } }]);
  await host.kill(id);
});
