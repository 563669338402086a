import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unixTransport } from '../../src/cli/unix-transport.js';
import { MaestroClient } from '../../src/client/maestro-client.js';
import type { ServerFrame, SessionEvent } from '../../src/protocol/index.js';
import { fakeAgent, fakeConversation, fakeExplanation, fakeProgress, fakeTransition } from '../support/agent-answers.js';
import { type Answer, FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import { until } from '../support/until.js';

let fake: FakeDaemon;
let client: MaestroClient;
beforeEach(async () => {
  fake = await FakeDaemon.start();
  client = new MaestroClient(unixTransport({ socketPath: fake.socketPath, refusal: 'nobody is there' }));
});
afterEach(() => fake[Symbol.asyncDispose]());

function answerWith(answer: Answer): void {
  fake.routes = () => answer;
}

describe('requests', () => {
  const session = fakeSession();
  const kill = { removed: true, worktree: 'none' };

  test.each([
    ['sessions', () => client.sessions(), 'GET /api/sessions', undefined, [session]],
    ['session', () => client.session(session.id), `GET /api/sessions/${session.id}`, undefined, session],
    ['create', () => client.create({ cwd: '/', command: 'cat' }), 'POST /api/sessions', { cwd: '/', command: 'cat' }, session],
    [
      'patchMetadata',
      () => client.patchMetadata(session.id, { name: null }),
      `PATCH /api/sessions/${session.id}`,
      { metadata: { name: null } },
      session,
    ],
    ['kill', () => client.kill(session.id), `DELETE /api/sessions/${session.id}`, undefined, kill],
    [
      'forced kill',
      () => client.kill(session.id, { force: true, keep_worktree: true }),
      `DELETE /api/sessions/${session.id}?force=true&keep_worktree=true`,
      undefined,
      kill,
    ],
    ['resume', () => client.resume(session.id), `POST /api/sessions/${session.id}/resume`, undefined, session],
    [
      'resume with a conversation',
      () => client.resume(session.id, { agent_session: 'abc' }),
      `POST /api/sessions/${session.id}/resume`,
      { agent_session: 'abc' },
      session,
    ],
    ['resumeMany', () => client.resumeMany(), 'POST /api/resumes', {}, fakeProgress()],
    ['resumeMany of some', () => client.resumeMany({ ids: [session.id] }), 'POST /api/resumes', { ids: [session.id] }, fakeProgress()],
    ['resumes', () => client.resumes(), 'GET /api/resumes', undefined, fakeProgress({ resumed: [session.id] })],
    ['seen', () => client.seen(session.id), `POST /api/sessions/${session.id}/seen`, undefined, session],
    [
      'explanation',
      () => client.explanation(session.id),
      `GET /api/sessions/${session.id}/explanation`,
      undefined,
      fakeExplanation({ id: session.id, transitions: [fakeTransition()] }),
    ],
    [
      'conversations',
      () => client.conversations(session.id),
      `GET /api/sessions/${session.id}/conversations`,
      undefined,
      [fakeConversation()],
    ],
    ['agents', () => client.agents(), 'GET /api/agents', undefined, [fakeAgent()]],
    ['stop', () => client.stop(session.id), `POST /api/sessions/${session.id}/stop`, undefined, session],
    ['restart', () => client.restart(session.id), `POST /api/sessions/${session.id}/restart`, undefined, session],
    [
      'reportActivity',
      () => client.reportActivity(session.id, { state: 'idle' }),
      `POST /api/sessions/${session.id}/activity`,
      { state: 'idle' },
      session,
    ],
    [
      'resize',
      () => client.resize(session.id, { cols: 80, rows: 24 }),
      `POST /api/sessions/${session.id}/size`,
      { cols: 80, rows: 24 },
      session,
    ],
    [
      'input',
      () => client.input(session.id, { keys: ['C-c'] }),
      `POST /api/sessions/${session.id}/input`,
      { keys: ['C-c'] },
      { delivered: true },
    ],
    [
      'presets',
      () => client.presets(),
      'GET /api/presets',
      undefined,
      [{ id: 'a', label: 'A', command: 'a', installed: false, takes_prompt: false }],
    ],
    ['openapi', () => client.openapi(), 'GET /api/openapi.json', undefined, { openapi: '3.1.0' }],
    ['health', () => client.health(), 'GET /api/health', undefined, { ok: true }],
  ] as const)('%s asks for the right thing and hands on the answer', async (_name, call, line, body, answer) => {
    answerWith({ json: answer });
    const result = await call();
    expect(fake.asked).toMatchObject([{ body }]);
    expect(`${fake.asked[0]?.method} ${fake.asked[0]?.path}`).toBe(line);
    expect(fake.asked[0]?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    if (result !== undefined) expect(result).toEqual(answer);
  });

  test('screen and scrollback come as they are', async () => {
    answerWith({ raw: 'é\n' });
    expect(await client.screen(session.id, { format: 'ansi', history: 5 })).toBe('é\n');
    expect(fake.asked[0]?.path).toBe(`/api/sessions/${session.id}/screen?format=ansi&history=5`);
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    answerWith({ raw: bytes });
    expect(Buffer.from(await client.scrollback(session.id)).equals(bytes)).toBe(true);
    expect(fake.asked.at(-1)?.path).toBe(`/api/sessions/${session.id}/scrollback`);
    answerWith({ raw: bytes });
    await client.scrollback(session.id, { tail: 4096 });
    expect(fake.asked.at(-1)?.path).toBe(`/api/sessions/${session.id}/scrollback?tail=4096`);
  });

  test('an answer without a body is fine where none is needed', async () => {
    answerWith({ status: 202, raw: '' });
    await client.shutdown();
    expect(fake.asked[0]).toMatchObject({ method: 'POST', path: '/api/shutdown' });
  });

  test('what a newer daemon adds is kept and hurts nothing', async () => {
    const newer = {
      ...session,
      mood: 'fine',
      size: { cols: 9999, rows: 1, pixels: 3 },
      activity: { state: 'idle', since: session.created_at, tool: 'x' },
    };
    answerWith({ json: newer });
    expect(await client.session(session.id)).toMatchObject({ mood: 'fine', size: { cols: 9999, pixels: 3 } });
    answerWith({ json: [{ id: 'a', label: 'A', command: 'a', installed: true, takes_prompt: true, path: '/a', icon: '*' }] });
    expect(await client.presets()).toMatchObject([{ icon: '*' }]);
  });

  test('an answer that is not understood names the field', async () => {
    answerWith({ json: [{ ...session, status: 'confused' }] });
    await expect(client.sessions()).rejects.toMatchObject({
      name: 'MaestroError',
      code: 'internal',
      message: expect.stringContaining('0.status'),
    });
    answerWith({ raw: 'not json' });
    await expect(client.sessions()).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('errors', () => {
  test('carry the code, message and details of the daemon', async () => {
    answerWith({ status: 409, json: { error: { code: 'worktree_dirty', message: 'unsaved', details: { files: ['a'] } } } });
    await expect(client.kill('x')).rejects.toMatchObject({
      code: 'worktree_dirty',
      message: 'unsaved',
      details: { files: ['a'] },
      status: 409,
    });
  });

  test('of a code that is not known keep their message', async () => {
    answerWith({ status: 418, json: { error: { code: 'teapot', message: 'short and stout' } } });
    await expect(client.sessions()).rejects.toMatchObject({
      code: 'internal',
      message: 'short and stout',
      details: { code: 'teapot', status: 418 },
    });
  });

  test.each(['', '<html>', '{"error":1}'])('without an explanation name the status: %j', async (raw) => {
    answerWith({ status: 502, raw });
    await expect(client.sessions()).rejects.toMatchObject({ code: 'internal', details: { status: 502 } });
  });

  test('tell a daemon that is not there from one that goes away', async () => {
    answerWith((response) => response.destroy());
    await expect(client.sessions()).rejects.toMatchObject({ name: 'UnreachableError', reason: 'broken' });
    answerWith((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[');
      setImmediate(() => response.destroy());
    });
    await expect(client.sessions()).rejects.toMatchObject({ name: 'UnreachableError', reason: 'broken' });
    await fake.stop();
    await expect(client.sessions()).rejects.toMatchObject({ name: 'UnreachableError', reason: 'refused', message: 'nobody is there' });
  });

  test('tell a daemon that hangs', async () => {
    const impatient = new MaestroClient(unixTransport({ socketPath: fake.socketPath, refusal: '', answerWithinMs: 30 }));
    answerWith(() => {});
    await expect(impatient.sessions()).rejects.toMatchObject({ reason: 'broken', message: expect.stringContaining('has not answered') });
  });

  test('of a caller that gave up are its own reason', async () => {
    answerWith(() => {});
    await expect(client.sessions({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('events', () => {
  test('come as they are sent; unknown kinds are passed over; leaving closes the connection', async () => {
    const session = fakeSession();
    const transition = { type: 'transition' as const, id: session.id, transition: fakeTransition() };
    const resumes = { type: 'resumes' as const, progress: fakeProgress({ failed: [{ id: session.id, code: 'new_code', message: 'x' }] }) };
    let closed = false;
    answerWith((response) => {
      response.on('close', () => {
        closed = true;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: snapshot\nid: 1\ndata: ${JSON.stringify({ type: 'snapshot', sessions: [session] })}\n\n`);
      response.write('event: weather\ndata: {"type":"weather"}\n\ndata: not json\n\n');
      for (const event of [transition, resumes]) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.write(`event: removed\ndata: ${JSON.stringify({ type: 'removed', id: session.id })}\n\n`);
    });
    const seen: SessionEvent[] = [];
    for await (const event of client.events()) {
      seen.push(event);
      if (event.type === 'removed') break;
    }
    expect(seen).toEqual([{ type: 'snapshot', sessions: [session] }, transition, resumes, { type: 'removed', id: session.id }]);
    await until('the connection to close', () => closed);
  });

  test('end with the connection of a daemon that goes away, and with the signal', async () => {
    answerWith((response) => {
      response.writeHead(200).write('data: {"type":"snapshot","sessions":[]}\n\n');
    });
    const controller = new AbortController();
    const events = client.events({ signal: controller.signal });
    expect(await events.next()).toMatchObject({ done: false });
    controller.abort();
    await expect(events.next()).rejects.toMatchObject({ name: 'AbortError' });
    const more = client.events();
    await more.next();
    await fake.stop();
    await expect(more.next()).rejects.toMatchObject({ name: 'UnreachableError', reason: 'broken' });
  });
});

describe('T2: the terminal stream', () => {
  test('counts its bytes on from the position of the last attached or gap frame', async () => {
    fake.onViewer = (socket) => {
      socket.send(JSON.stringify({ type: 'attached', position: '3:100', size: { cols: 80, rows: 24 }, status: 'running' }));
      socket.send(Buffer.from([0, 255, 27]));
      socket.send(JSON.stringify({ type: 'later', than: 'this client' }));
      socket.send(JSON.stringify({ type: 'gap', position: '4:7' }));
      socket.send(Buffer.from('ab'));
      socket.send(JSON.stringify({ type: 'error', code: 'not_running', message: 'over' }));
      socket.close(4409, 'not_running');
    };
    const positions: unknown[] = [];
    const bytes: number[] = [];
    const frames: ServerFrame['type'][] = [];
    const close = await new Promise((resolve) => {
      client.openPty(
        'x',
        {
          onOutput: (chunk, position) => {
            bytes.push(...chunk);
            positions.push(position);
          },
          onFrame: ({ type }) => frames.push(type),
          onClose: resolve,
        },
        { after: { epoch: 3, offset: 100 } },
      );
    });
    expect(fake.viewers[0]?.path).toBe('/api/sessions/x/pty?after=3%3A100');
    expect(bytes).toEqual([0, 255, 27, 97, 98]);
    expect(positions).toEqual([
      { epoch: 3, offset: 103 },
      { epoch: 4, offset: 9 },
    ]);
    expect(frames).toEqual(['attached', 'gap', 'error']);
    expect(close).toEqual({ code: 4409, reason: 'not_running' });
  });

  test('T4: sends input byte for byte and in order, also what was given before it was open', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const stream = client.openPty('x', {}, { output: false });
    stream.setSize({ cols: 90, rows: 30 });
    stream.sendInput(bytes);
    await until('the first to arrive', () => fake.viewers[0]?.sent.length === 2);
    stream.setVisible(false);
    stream.acknowledge({ epoch: 1, offset: 2 });
    stream.resync();
    await until('the rest to arrive', () => fake.viewers[0]?.sent.length === 5);
    const [size, input, ...rest] = fake.viewers[0]?.sent ?? [];
    expect(fake.viewers[0]?.path).toBe('/api/sessions/x/pty?stream=0');
    expect(JSON.parse(String(size))).toEqual({ type: 'size', cols: 90, rows: 30 });
    expect(Buffer.from(input as Buffer).equals(bytes)).toBe(true);
    expect(rest.map((frame) => JSON.parse(String(frame)) as unknown)).toEqual([
      { type: 'visibility', visible: false },
      { type: 'ack', position: '1:2' },
      { type: 'resync' },
    ]);
    stream.close();
  });

  test('a daemon that hangs keeps nobody from closing', async () => {
    fake.onViewer = (socket) => {
      socket.send(JSON.stringify({ type: 'attached', position: '1:0', size: { cols: 80, rows: 24 }, status: 'running' }));
      socket.pause();
    };
    const closed = new Promise((resolve) => {
      const stream = client.openPty('x', { onFrame: () => stream.close(), onClose: resolve });
    });
    expect(await closed).toMatchObject({ code: 1006 });
  }, 10_000);

  test('a daemon that is not there shows as a close', async () => {
    await fake.stop();
    expect(await new Promise((resolve) => client.openPty('x', { onClose: resolve }))).toMatchObject({ code: 1006 });
  });
});
