import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Backoff } from '../../src/client/backoff.js';
import { SessionFeed } from '../../src/client/session-feed.js';
import { UnreachableError } from '../../src/client/transport.js';
import { MaestroError, type Session, type SessionEvent } from '../../src/protocol/index.js';
import { fakeProgress, fakeTransition } from '../support/agent-answers.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function session(id: string, updated = 1, status: Session['status'] = 'running'): Session {
  const at = new Date(updated * 1000).toISOString();
  return { id, status, created_at: at, updated_at: at, cwd: '/', command: 'x', env: {}, metadata: {}, size: { cols: 80, rows: 24 } };
}

/** The daemon's side: connections that the test feeds and breaks. */
class FakeEvents {
  readonly connections: { push: (event: SessionEvent) => Promise<void>; fail: (error: unknown) => Promise<void> }[] = [];
  readonly #feed: SessionFeed;

  constructor() {
    this.#feed = new SessionFeed({ events: (signal) => this.#connect(signal), backoff: new Backoff({ random: () => 1 }) });
  }

  get feed(): SessionFeed {
    return this.#feed;
  }

  get last() {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('nobody has connected');
    return connection;
  }

  get ids(): string[] {
    return this.feed.snapshot.sessions.map(({ id }) => id);
  }

  async *#connect(signal: AbortSignal): AsyncGenerator<SessionEvent> {
    const waiting: (() => SessionEvent)[] = [];
    let wake = () => {};
    const give = async (make: () => SessionEvent) => {
      waiting.push(make);
      wake();
      await vi.advanceTimersByTimeAsync(0);
    };
    this.connections.push({
      push: (event) => give(() => event),
      fail: (error) =>
        give(() => {
          throw error;
        }),
    });
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next();
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
}

const broken = () => new UnreachableError('broken', 'gone');

test('knows what the snapshot and every change say', async () => {
  const events = new FakeEvents();
  expect(events.feed.snapshot).toEqual({ state: 'connecting', sessions: [] });
  await events.last.push({ type: 'snapshot', sessions: [session('a'), session('b')] });
  await events.last.push({ type: 'session', session: session('b', 2, 'dead') });
  await events.last.push({ type: 'session', session: session('c') });
  await events.last.push({ type: 'removed', id: 'a' });
  expect(events.feed.snapshot).toEqual({ state: 'live', sessions: [session('b', 2, 'dead'), session('c')] });
});

test('tells how far a resume of several sessions is, and forgets it with the daemon that told it', async () => {
  const events = new FakeEvents();
  const listener = vi.fn();
  await events.last.push({ type: 'snapshot', sessions: [session('a')] });
  events.feed.subscribe(listener);
  const progress = fakeProgress({ waiting: ['a'] });
  await events.last.push({ type: 'resumes', progress });
  await events.last.push({ type: 'transition', id: 'a', transition: fakeTransition() });
  expect(events.feed.snapshot).toEqual({ state: 'live', sessions: [session('a')], resumes: progress });
  expect(listener).toHaveBeenCalledTimes(1);
  await events.last.fail(broken());
  await vi.advanceTimersByTimeAsync(250);
  await events.last.push({ type: 'snapshot', sessions: [session('a')] });
  expect(events.feed.snapshot).toEqual({ state: 'live', sessions: [session('a')] });
});

test('keeps what it knows while cut off, and misses nothing of what changed meanwhile', async () => {
  const events = new FakeEvents();
  await events.last.push({ type: 'snapshot', sessions: [session('a'), session('b')] });
  await events.last.fail(broken());
  expect(events.feed.snapshot).toMatchObject({ state: 'cut_off' });
  expect(events.ids).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(250);
  await events.last.push({ type: 'snapshot', sessions: [session('b'), session('c')] });
  expect(events.feed.snapshot.state).toBe('live');
  expect(events.ids).toEqual(['b', 'c']);
});

test('waits longer and longer, and not at all after a nudge', async () => {
  const events = new FakeEvents();
  await events.last.fail(broken());
  await vi.advanceTimersByTimeAsync(250);
  await events.last.fail(broken());
  await vi.advanceTimersByTimeAsync(499);
  expect(events.connections).toHaveLength(2);
  events.feed.nudge();
  await vi.advanceTimersByTimeAsync(0);
  expect(events.connections).toHaveLength(3);
});

test('ends when the daemon no longer knows who asks', async () => {
  const events = new FakeEvents();
  await events.last.fail(new MaestroError('unauthorized', 'log in'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events.feed.snapshot.state).toBe('ended');
  expect(events.connections).toHaveLength(1);
});

test('takes over what an answer brings, unless it knows something newer or the session is gone', async () => {
  const events = new FakeEvents();
  await events.last.push({ type: 'snapshot', sessions: [session('a', 5), session('b')] });
  events.feed.put(session('a', 4, 'dead'));
  expect(events.feed.snapshot.sessions[0]).toEqual(session('a', 5));
  events.feed.put(session('a', 6, 'dead'));
  expect(events.feed.snapshot.sessions[0]).toEqual(session('a', 6, 'dead'));
  events.feed.remove('b');
  events.feed.put(session('b', 9));
  expect(events.ids).toEqual(['a']);
});

test('tells its listeners once per change, and gives them the same snapshot until then', async () => {
  const events = new FakeEvents();
  const listener = vi.fn();
  const stop = events.feed.subscribe(listener);
  const before = events.feed.snapshot;
  expect(events.feed.snapshot).toBe(before);
  await events.last.push({ type: 'snapshot', sessions: [] });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(events.feed.snapshot).not.toBe(before);
  stop();
  await events.last.push({ type: 'session', session: session('a') });
  expect(listener).toHaveBeenCalledTimes(1);
});

test('closed, it ends its connection and makes no other', async () => {
  const events = new FakeEvents();
  await events.last.push({ type: 'snapshot', sessions: [] });
  events.feed.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events.feed.snapshot.state).toBe('ended');
  expect(events.connections).toHaveLength(1);
});

test('waits longer and longer also for a daemon that answers and hangs up at once, until one connection has lasted', async () => {
  const events = new FakeEvents();
  for (const wait of [250, 500, 1000, 2000]) {
    const connections = events.connections.length;
    await events.last.push({ type: 'snapshot', sessions: [] });
    await events.last.fail(broken());
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(events.connections).toHaveLength(connections);
    await vi.advanceTimersByTimeAsync(1);
    expect(events.connections).toHaveLength(connections + 1);
  }
  await events.last.push({ type: 'snapshot', sessions: [] });
  await vi.advanceTimersByTimeAsync(5000);
  await events.last.fail(broken());
  await vi.advanceTimersByTimeAsync(250);
  expect(events.connections).toHaveLength(6);
});
