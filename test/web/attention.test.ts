import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeedSnapshot } from '../../src/client/index.js';
import type { Activity, Session } from '../../src/protocol/index.js';
import { AttentionWatch, FRESH_MS, SETTLE_MS } from '../../src/web/attention/attention-watch.js';
import { HostClock } from '../../src/web/attention/host-clock.js';
import { noticeOf, occasionOf } from '../../src/web/attention/occasion.js';
import { parseTold } from '../../src/web/attention/told-once.js';
import { aSession } from './sessions.js';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-05-04T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const now = () => new Date().toISOString();
const working = (id: string): Session => doing(id, { state: 'working' });
const waiting = (id: string, part: Partial<Activity> = {}): Session => doing(id, { state: 'waiting', kind: 'permission', ...part });
const done = (id: string, part: Partial<Activity> = {}): Session => doing(id, { state: 'idle', done: true, ...part });

function doing(id: string, activity: Omit<Activity, 'since'> & { since?: string }): Session {
  return aSession(id, { updated_at: now(), activity: { since: now(), ...activity } });
}

/** A page that follows the sessions, and what it tells its user. */
class Page {
  readonly told: string[] = [];
  readonly retracted: string[] = [];
  readonly changed: string[] = [];
  readonly kept: string[][] = [];
  /** How far the host's clock is from where the page believes it to be. */
  hostAhead = 0;
  asked = 0;
  wanted = ['waiting', 'done', 'failed'];
  inView: readonly string[] = [];
  seenAt = 0;
  readonly claims: Set<string>;
  readonly watch: AttentionWatch;
  #snapshot: FeedSnapshot = { state: 'connecting', sessions: [] };
  #listener = () => {};

  constructor(claims = new Set<string>()) {
    this.claims = claims;
    const page = this;
    this.watch = new AttentionWatch({
      feed: {
        get snapshot() {
          return page.#snapshot;
        },
        subscribe: (listener) => {
          this.#listener = listener;
          return () => {
            this.#listener = () => {};
          };
        },
      },
      hostNow: () => Date.now(),
      askHostNow: async () => {
        this.asked += 1;
        return Date.now() + this.hostAhead;
      },
      wants: (kind) => this.wanted.includes(kind),
      isSeen: (_, since) => this.seenAt >= since,
      isInView: async (id) => this.inView.includes(id),
      claim: async (id, key) => !this.claims.has(`${id} ${key}`) && this.claims.add(`${id} ${key}`).size > 0,
      tell: ({ session, kind }) => this.told.push(`${session.id} ${kind}`),
      change: ({ session }) => this.changed.push(String(session.metadata?.name ?? session.id)),
      keepOnly: (ids) => this.kept.push([...ids]),
      retract: (id) => this.retracted.push(id),
    });
  }

  hears(sessions: readonly Session[], state: FeedSnapshot['state'] = 'live'): void {
    const ids = sessions.map(({ id }) => id);
    this.#snapshot = { state, sessions: [...this.#snapshot.sessions.filter(({ id }) => !ids.includes(id)), ...sessions] };
    this.#listener();
  }

  loses(id: string): void {
    this.#snapshot = { ...this.#snapshot, sessions: this.#snapshot.sessions.filter((session) => session.id !== id) };
    this.#listener();
  }
}

const settle = () => vi.advanceTimersByTimeAsync(SETTLE_MS);

function pageWith(...sessions: Session[]): Page {
  const page = new Page();
  page.hears(sessions);
  return page;
}

describe('the user is told', () => {
  test('when a session begins to wait, and when it is done or has failed', async () => {
    const page = pageWith(working('a'), working('b'), working('c'));
    page.hears([waiting('a'), done('b'), done('c', { failed: true })]);
    await settle();
    expect(page.told).toEqual(['a waiting', 'b done', 'c failed']);
  });

  test('once, however often the session changes otherwise', async () => {
    const page = pageWith(working('a'));
    const asking = waiting('a');
    page.hears([asking]);
    await settle();
    page.hears([{ ...asking, activity: { ...(asking.activity as Activity), message: 'more' } }]);
    page.hears([{ ...asking, metadata: { name: 'renamed' } }]);
    await settle();
    expect(page.told).toEqual(['a waiting']);
  });

  test('again when it waits again, or for something else', async () => {
    const page = pageWith(working('a'));
    const asking = waiting('a');
    page.hears([asking]);
    await settle();
    page.hears([{ ...asking, activity: { ...(asking.activity as Activity), kind: 'question' } }]);
    await settle();
    page.hears([working('a')]);
    await vi.advanceTimersByTimeAsync(1000);
    page.hears([waiting('a')]);
    await settle();
    expect(page.told).toEqual(['a waiting', 'a waiting', 'a waiting']);
  });

  test('by one page of several', async () => {
    const claims = new Set<string>();
    const pages = [new Page(claims), new Page(claims), new Page(claims)];
    for (const page of pages) page.hears([working('a')]);
    const asking = waiting('a');
    for (const page of pages) page.hears([asking]);
    await settle();
    expect(pages.flatMap(({ told }) => told)).toEqual(['a waiting']);
  });

  test('of what began while the page was cut off for a moment', async () => {
    const page = pageWith(working('a'));
    page.hears([], 'cut_off');
    page.hears([waiting('a')]);
    await settle();
    expect(page.told).toEqual(['a waiting']);
  });

  test('of work that was done in the background long after its last word', async () => {
    const since = now();
    const page = pageWith(working('a'));
    await vi.advanceTimersByTimeAsync(10 * FRESH_MS);
    page.hears([done('a', { since })]);
    await settle();
    expect(page.told).toEqual(['a done']);
  });
});

test('a clock that is put right, here or on the host, does not make a change look old, and is asked for once', async () => {
  const page = pageWith(working('a'), working('b'));
  page.hostAhead = -3_600_000;
  const at = new Date(Date.now() - 3_600_000).toISOString();
  page.hears(['a', 'b'].map((id) => ({ ...waiting(id, { since: at }), updated_at: at })));
  await settle();
  expect([page.told, page.asked]).toEqual([['a waiting', 'b waiting'], 1]);
});

describe('nothing is told', () => {
  test('of what was so when the page came to know the sessions', async () => {
    const page = pageWith(waiting('a'), done('b'));
    await settle();
    expect(page.told).toEqual([]);
  });

  test('of a session that somebody looks at, or whose end was seen', async () => {
    const page = pageWith(working('a'), working('b'));
    page.inView = ['a'];
    page.seenAt = Date.now();
    page.hears([waiting('a'), done('b')]);
    await settle();
    expect(page.told).toEqual([]);
  });

  test('of what is over at once', async () => {
    const page = pageWith(working('a'), working('b'));
    page.hears([waiting('a'), waiting('b')]);
    await vi.advanceTimersByTimeAsync(SETTLE_MS - 1);
    page.hears([working('a')]);
    page.loses('b');
    await settle();
    expect(page.told).toEqual([]);
  });

  test('that the user does not want', async () => {
    const page = pageWith(working('a'), working('b'));
    page.wanted = ['done'];
    page.hears([waiting('a'), done('b')]);
    await settle();
    page.wanted = ['waiting', 'done'];
    await settle();
    expect(page.told).toEqual(['b done']);
  });

  test('of old changes that come late, after a sleep of the page', async () => {
    const page = pageWith(working('a'), working('b'));
    const late = [waiting('a'), done('b')];
    await vi.advanceTimersByTimeAsync(FRESH_MS + 1);
    for (const session of late) page.hears([session]);
    await settle();
    expect(page.told).toEqual([]);
  });

  test('of what has been so for long when the page is back from a cut, though something small has changed since', async () => {
    const page = pageWith(working('a'));
    const { since } = waiting('a').activity as Activity;
    page.hears([], 'cut_off');
    await vi.advanceTimersByTimeAsync(FRESH_MS + 1);
    page.hears([waiting('a', { since })]);
    await settle();
    expect(page.told).toEqual([]);
  });

  test('after its end', async () => {
    const page = pageWith(working('a'));
    page.hears([waiting('a')]);
    page.watch.close();
    await settle();
    expect(page.told).toEqual([]);
  });
});

test('what was told is taken back once it is no longer so', async () => {
  const page = pageWith(working('a'), working('b'));
  page.hears([waiting('a'), done('b')]);
  await settle();
  page.retracted.length = 0;
  page.hears([working('a')]);
  page.loses('b');
  expect(page.retracted).toEqual(['a', 'b']);
});

test('what was told is put in other words while it goes on, such as after a new name', async () => {
  const page = pageWith(working('a'));
  const asking = waiting('a');
  page.hears([asking]);
  await settle();
  page.retracted.length = 0;
  page.hears([{ ...asking, metadata: { name: 'renamed' } }]);
  expect([page.changed, page.retracted]).toEqual([['renamed'], []]);
});

test('what a page that was closed had told goes where it is no longer so', () => {
  const page = pageWith(waiting('a'), working('b'), done('c'));
  expect([page.kept, page.retracted]).toEqual([[['a', 'c']], []]);
  page.hears([working('a')]);
  expect([page.kept.length, page.retracted]).toEqual([1, ['a']]);
});

describe('a notice', () => {
  const noticeFor = (session: Session) => {
    const occasion = occasionOf(session);
    if (occasion === undefined) throw new Error('there is nothing to tell');
    return noticeOf(occasion);
  };

  test('says which session, why, and what its agent says', () => {
    expect(noticeFor(waiting('a', { message: 'Bash: make' }))).toEqual({ title: 'a: waiting for permission', body: 'Bash: make' });
    expect(noticeFor(done('a', { message: 'all green' }))).toEqual({ title: 'a: done', body: 'all green' });
    expect(noticeFor(done('a', { failed: true }))).toEqual({ title: 'a: failed', body: '/home/me/src/app' });
  });

  test('is one bounded line, with nothing hidden in it', () => {
    const message = `<img src=x onerror=alert(1)>\n\n\u202eevil\u0007 ${'long '.repeat(10_000)}`;
    const { title, body } = noticeFor({ ...waiting('a', { message }), metadata: { name: `n\u001b[31m\u2066${'m'.repeat(500)}` } });
    expect(body).toMatch(/^<img src=x onerror=alert\(1\)> \[U\+202E\]evil␇ long .*…$/);
    expect([[...body].length, [...title].length <= 100]).toEqual([200, true]);
    expect(title).toMatch(/^n␛\[31m\[U\+2066\]m+…: waiting for permission$/);
  });
});

test('the host’s clock is known by the dates of its answers', () => {
  const clock = new HostClock();
  clock.learn(new Date(Date.now() - 3_600_000).toUTCString());
  clock.learn('no date');
  expect(clock.now()).toBe(Date.now() - 3_600_000);
});

test('what was told before is read from what a page wrote, and from nothing else', () => {
  expect([...parseTold('[["a","waiting 1"]]')]).toEqual([['a', 'waiting 1']]);
  expect([undefined, 'x', '{}', '[1,["a"],["a",1]]'].map((json) => parseTold(json).size)).toEqual([0, 0, 0, 0]);
});
