import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';

let host: TestHost;
let session: Session;
beforeAll(async () => {
  host = await TestHost.started();
  session = await host.create({ command: 'exec sleep 1000' });
});
afterAll(() => host[Symbol.asyncDispose]());

const base = { cwd: '/tmp', command: 'sleep 1' };

describe('what is asked for wrongly is refused by field, value and rule, and nothing is made', () => {
  test.each<[string, unknown, string]>([
    ['no command and no preset', { cwd: '/tmp' }, 'command'],
    ['an empty command', { ...base, command: '  ' }, 'command'],
    ['a command over 100 KiB', { ...base, command: 'x'.repeat(102_401) }, 'command'],
    ['a command with NUL', { ...base, command: 'a\0b' }, 'command'],
    ['a command that is half a character', '{"cwd":"/tmp","command":"\\ud800"}', 'command'],
    ['a command that is a number', { ...base, command: 5 }, 'command'],
    ['a null', { ...base, env: null }, 'env'],
    ['an unknown field', { ...base, colour: 'red' }, 'colour'],
    ['an environment name with =', { ...base, env: { 'A=B': 'x' } }, 'env'],
    ['an empty environment name', { ...base, env: { '': 'x' } }, 'env'],
    ['a variable that Maestro sets', { ...base, env: { MAESTRO_RUN: '7' } }, 'MAESTRO_RUN'],
    ['TERM', { ...base, env: { TERM: 'dumb' } }, 'TERM'],
    ['a value with NUL', { ...base, env: { A: 'x\0' } }, 'env.A'],
    ['a value longer than Linux takes', { ...base, env: { A: 'x'.repeat(131_072) } }, 'env.A'],
    ['an unknown preset', { cwd: '/tmp', preset: 'nope' }, 'preset'],
    ['a size of nothing', { ...base, size: { cols: 0, rows: 0 } }, 'size.cols'],
    ['a size too small', { ...base, size: { cols: 2, rows: 1 } }, 'size.cols'],
    ['a size too large', { ...base, size: { cols: 1e9, rows: 24 } }, 'size.cols'],
    ['half a column', { ...base, size: { cols: 80.5, rows: 24 } }, 'size.cols'],
    ['a name of 201 characters', { ...base, metadata: { name: 'x'.repeat(201) } }, 'metadata.name'],
    ['a name of nothing', { ...base, metadata: { name: '   ' } }, 'metadata.name'],
    ['a name that cannot be seen', { ...base, metadata: { name: '\u200b' } }, 'metadata.name'],
    ['a name that turns the text around', { ...base, metadata: { name: '\u202egnp' } }, 'metadata.name'],
    ['a name with a line break', { ...base, metadata: { name: 'a\nb' } }, 'metadata.name'],
    ['a name with an escape sequence', { ...base, metadata: { name: 'a\u001b[31mb' } }, 'metadata.name'],
    ['a name that is a number', { ...base, metadata: { name: 5 } }, 'metadata.name'],
    ['a list', [], 'body'],
    ['nothing', undefined, 'body'],
    ['no JSON', '{"cwd":', 'JSON'],
    ['a poisoned prototype', '{"cwd":"/tmp","command":"x","__proto__":{"a":1}}', 'JSON'],
  ])('create with %s', async (_what, body, names) => {
    const before = await readdir(join(host.state, 'sessions'));
    const answer = await host.call<ApiError>('POST', '/api/sessions', body);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(names) });
    expect(answer.status).toBe(400);
    expect(await readdir(join(host.state, 'sessions'))).toEqual(before);
    expect(await host.panes()).toEqual([session.id]);
  });

  test.each<[string, string, unknown]>([
    ['POST', 'activity', { state: 'busy' }],
    ['POST', 'activity', { state: 'idle', agent_session: '../../x; touch /tmp/p' }],
    ['POST', 'activity', { state: 'idle', agent_session: '' }],
    ['POST', 'activity', { state: 'idle', agent_session: `a${'b'.repeat(200)}` }],
    ['POST', 'activity', { state: 'idle', run: 'x' }],
    ['POST', 'activity', { state: 'idle', more: 1 }],
    ['POST', 'input', {}],
    ['POST', 'input', { text: 'a', keys: ['Enter'] }],
    ['POST', 'input', { keys: ['Nope'] }],
    ['POST', 'input', { keys: [] }],
    ['POST', 'input', { text: 'a\u001b[201~b' }],
    ['POST', 'size', { cols: 5, rows: 2 }],
    ['POST', 'size', { cols: 'a', rows: 24 }],
    ['PATCH', '', { metadata: { name: '' } }],
    ['PATCH', '', { command: 'other' }],
    ['PATCH', '', {}],
  ])('%s %s with %j', async (method, action, body) => {
    const path = `/api/sessions/${session.id}${action === '' ? '' : `/${action}`}`;
    const answer = await host.call<ApiError>(method, path, body);
    expect(answer.body.error.code).toBe('invalid_request');
    const { updated_at: _now, ...same } = await host.session(session.id);
    const { updated_at: _then, ...before } = session;
    expect(same).toEqual(before);
  });

  test('R4: exactly the documented alphabet is taken for an agent session', async () => {
    for (const id of ['a', '0', 'A._:-z', `a${'b'.repeat(199)}`]) {
      const answer = await host.call<Session>('POST', `/api/sessions/${session.id}/activity`, { state: 'idle', agent_session: id });
      expect(answer.body.agent_session).toBe(id);
    }
    for (const id of ['.a', '-a', ':a', 'a b', 'a/b', "a'", 'a\n', 'é', '$x']) {
      expect((await host.call('POST', `/api/sessions/${session.id}/activity`, { state: 'idle', agent_session: id })).status).toBe(400);
    }
  });

  test.each(['nope', '..%2f..%2fetc%2fpasswd', '%00', '.', 'A'.repeat(300), '11111111-1111-1111-8111-111111111111'])(
    'the id %s names nothing',
    async (id) => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await host.call<ApiError>(method, `/api/sessions/${id}`);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }
    },
  );

  test("an id in capitals is not the session's id", async () => {
    expect((await host.call('GET', `/api/sessions/${session.id.toUpperCase()}`)).status).toBe(404);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/octet-stream'])(
    'a body of type %s is not read',
    async (type) => {
      const answer = await host.call<ApiError>('POST', '/api/sessions', JSON.stringify(base), { 'content-type': type });
      expect(answer.body.error.code).toBe('unsupported_media_type');
      expect(answer.status).toBe(415);
    },
  );

  test('a body over 4 MiB is not read', async () => {
    const answer = await host.call<ApiError>('POST', '/api/sessions', { ...base, metadata: { big: 'x'.repeat(4 * 1024 * 1024) } });
    expect(answer.body.error.code).toBe('payload_too_large');
    expect(answer.status).toBe(413);
  });

  test('an unknown path is not_found in the one form of errors', async () => {
    expect((await host.call<ApiError>('GET', '/api/nope')).body.error.code).toBe('not_found');
    expect((await host.call<ApiError>('GET', '/nope')).body.error.code).toBe('not_found');
  });
});

describe('over TCP', () => {
  const bare = (headers: Record<string, string>) => fetch(`http://${host.ready.listen}/api/sessions`, { headers });

  test('nobody is let in without the token', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${host.token}`, `Bearer ${host.token}x`]) {
      const answer = await bare(authorization === '' ? {} : { authorization });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } });
    }
    expect((await fetch(`http://${host.ready.listen}/api/sessions?token=${host.token}`)).status).toBe(401);
    expect((await bare({ authorization: `Bearer ${host.token}` })).status).toBe(200);
  });

  test('a page of another origin is forbidden even with the token, and a page of ours is not', async () => {
    const authorization = `Bearer ${host.token}`;
    const port = host.ready.listen.split(':')[1];
    for (const origin of [
      'https://evil.example',
      'null',
      `http://evil.example:${port}`,
      `http://127.0.0.1.evil.com:${port}`,
      `http://x@127.0.0.1:${port}`,
    ]) {
      const answer = await bare({ authorization, origin });
      expect(answer.status).toBe(403);
    }
    expect((await bare({ authorization, origin: `http://${host.ready.listen}` })).status).toBe(200);
  });
});
