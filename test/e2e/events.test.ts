import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Session, SessionEvent } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { EventReader } from '../support/event-reader.js';

let host: TestHost;
let readers: EventReader[] = [];
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
  readers = [];
  for (const session of await host.sessions()) await host.kill(session.id);
});

async function reader(): Promise<EventReader> {
  const opened = await EventReader.open(host);
  readers.push(opened);
  return opened;
}

const isSession = (id: string, fits: (session: Session) => boolean) => (event: SessionEvent) =>
  event.type === 'session' && event.session.id === id && fits(event.session);

const isRemoved = (id: string) => (event: SessionEvent) => event.type === 'removed' && event.id === id;

const patch = (id: string, metadata: Record<string, unknown>) => host.call<Session>('PATCH', `/api/sessions/${id}`, { metadata });

test('a reader gets a snapshot, then every change of any session, with ids that count up by one', async () => {
  const old = await host.create({ command: 'exec cat', metadata: { name: 'old' } });
  const events = await reader();
  expect(events.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const snapshot = await events.waitFor('snapshot', () => true);
  expect(snapshot).toEqual({ id: 1, name: 'snapshot', event: { type: 'snapshot', sessions: [await host.session(old.id)] } });

  const { id } = await host.create({ command: 'read go; exit 3' });
  await events.waitFor(
    'create',
    isSession(id, ({ status }) => status === 'running'),
  );
  await patch(id, { name: 'two' });
  await events.waitFor(
    'patch',
    isSession(id, ({ metadata }) => metadata.name === 'two'),
  );
  await host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message: 'May I?', agent_session: 'c1' });
  await events.waitFor(
    'activity',
    isSession(id, ({ activity, agent_session }) => activity?.state === 'waiting' && agent_session === 'c1'),
  );
  await host.call('POST', `/api/sessions/${id}/size`, { cols: 90, rows: 30 });
  await events.waitFor(
    'size',
    isSession(id, ({ size }) => size.cols === 90),
  );
  await host.call('POST', `/api/sessions/${id}/input`, { keys: ['Enter'] });
  await events.waitFor(
    'end',
    isSession(id, ({ status, exit }) => status === 'dead' && exit?.code === 3),
  );
  await host.resume(id);
  await events.waitFor(
    'resume',
    isSession(id, ({ status, exit, activity }) => status === 'running' && !exit && !activity),
  );
  await host.kill(id);
  await events.waitFor('kill', isRemoved(id));

  expect(events.events.map((event) => event.id)).toEqual(events.events.map((_, n) => n + 1));
  for (const { name, event } of events.events) expect(name).toBe(event.type);
  const ofTheFirst = events.events.slice(1).filter(({ event }) => event.type === 'session' && event.session.id === old.id);
  expect(ofTheFirst).toEqual([]);
});

test('what an event says is what the session and the list say (B104)', async () => {
  const { id } = await host.create({ command: 'exec sleep 1000' });
  const events = await reader();
  for (const state of ['working', 'waiting', 'idle'] as const) {
    await host.call('POST', `/api/sessions/${id}/activity`, { state });
    const { event } = await events.waitFor(
      state,
      isSession(id, ({ activity }) => activity?.state === state),
    );
    const session = await host.session(id);
    expect(event).toEqual({ type: 'session', session });
    expect((await host.sessions()).find((one) => one.id === id)).toEqual(session);
  }
  await host.call('POST', `/api/sessions/${id}/stop`);
  const { event } = await events.waitFor(
    'stop',
    isSession(id, ({ status }) => status === 'dead'),
  );
  expect(event).toEqual({ type: 'session', session: await host.session(id) });
});

test('what changes nothing, and what is refused, is no event', async () => {
  const { id } = await host.create({ command: 'exec cat', metadata: { name: 'same' } });
  const events = await reader();
  await events.waitFor('snapshot', () => true);
  await host.call('POST', '/api/sessions', { cwd: '/nonexistent', command: 'true' });
  await host.call('POST', `/api/sessions/${id}/resume`);
  await host.call('POST', `/api/sessions/${id}/size`, { cols: 120, rows: 40 });
  await host.call('POST', `/api/sessions/${id}/activity`, { state: 'busy' });
  await host.call('POST', `/api/sessions/${id}/input`, { text: 'x' });
  await host.kill(id);
  await events.waitFor('kill', isRemoved(id));
  expect(events.events.map(({ name }) => name)).toEqual(['snapshot', 'removed']);
});

test('all readers get the same changes, each with ids of its own; one that comes back gets all there is', async () => {
  const first = await reader();
  const { id } = await host.create({ command: 'exec cat' });
  const second = await reader();
  for (let n = 1; n <= 50; n += 1) await patch(id, { n });
  for (const events of [first, second])
    await events.waitFor(
      'last',
      isSession(id, ({ metadata }) => metadata.n === 50),
    );
  const numbers = (events: EventReader) =>
    events.events.flatMap(({ event }) => (event.type === 'session' ? [event.session.metadata.n] : []));
  const all = Array.from({ length: 50 }, (_, n) => n + 1);
  expect(numbers(second)).toEqual(all);
  expect(numbers(first).slice(-50)).toEqual(all);
  const third = await reader();
  const { event } = await third.waitFor('snapshot', () => true);
  expect(event).toEqual({ type: 'snapshot', sessions: await host.sessions() });
});

test('a reader that reads nothing is cut off once it lags, and hinders neither others nor the daemon', async () => {
  const { id } = await host.create({ command: 'exec cat' });
  const slow = await reader();
  const quick = await reader();
  await slow.waitFor('snapshot', () => true);
  slow.pause();
  const large = 'x'.repeat(1024 * 1024);
  const rounds = 40;
  for (let n = 1; n <= rounds; n += 1) expect((await patch(id, { n, large })).status).toBe(200);
  await quick.waitFor(
    'last',
    isSession(id, ({ metadata }) => metadata.n === rounds),
  );
  expect(quick.events).toHaveLength(rounds + 1);
  slow.resume();
  expect(await slow.closed).toBe('cut off');
  expect(slow.read).toBeLessThan((rounds * large.length) / 2);
  const again = await reader();
  const { event } = await again.waitFor('snapshot', () => true);
  expect(event).toEqual({ type: 'snapshot', sessions: await host.sessions() });
});

test('a snapshot of any size reaches its reader whole, though changes come while it is on its way', async () => {
  const large = 'x'.repeat(3 * 1024 * 1024);
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await host.create({ command: 'true', metadata: { large } })).id));
  for (const id of ids) await host.reaches(id, 'dead');
  const small = await host.create({ command: 'exec cat' });
  const events = await reader();
  events.pause();
  for (let n = 1; n <= 20; n += 1) await patch(small.id, { n });
  events.resume();
  await events.waitFor(
    'last',
    isSession(small.id, ({ metadata }) => metadata.n === 20),
  );
  const [snapshot] = events.events;
  expect(snapshot?.event.type === 'snapshot' && snapshot.event.sessions.length).toBe(6);
  expect(events.events).toHaveLength(21);
});

test('a HEAD request does not wait for an end that never comes', async () => {
  const answer = await fetch(`http://${host.ready.listen}/api/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${host.token}` },
    signal: AbortSignal.timeout(20_000),
  });
  expect(answer.status).toBe(404);
});

test('a stop of the daemon ends the stream', async () => {
  await using other = await TestHost.started();
  const events = await EventReader.open(other);
  await events.waitFor('snapshot', () => true);
  expect(await other.end('SIGTERM')).toBe(0);
  await events.closed;
});
