import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionEvent } from '../../src/protocol/index.js';
import { EventQueue } from '../../src/web/app/event-queue.js';
import { type Note, type NoteChannel, sharedEvents } from '../../src/web/app/shared-events.js';
import { fakeProgress, fakeTransition } from '../support/agent-answers.js';
import { aSession } from './sessions.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** One browser: a channel between its pages, one turn among them, and the daemon that they connect to. */
class Browser {
  readonly connections: EventQueue<SessionEvent>[] = [];
  readonly #channels = new Set<NoteChannel & { hear: (note: Note) => void }>();
  readonly #turns: (() => Promise<void>)[] = [];
  #taken = false;

  get daemon(): EventQueue<SessionEvent> {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('no page has connected');
    return connection;
  }

  /** A page, and what it hears. */
  page() {
    const heard: SessionEvent[] = [];
    const closing = new AbortController();
    const ended = (async () => {
      for await (const event of sharedEvents(this.#options(), closing.signal)) heard.push(event);
    })().then(
      () => 'closed',
      (error: unknown) => String(error),
    );
    return { heard, ended, close: () => closing.abort() };
  }

  /** Some page holds the turn and says nothing. */
  freeze(): void {
    this.#taken = true;
  }

  #options() {
    return {
      source: (signal: AbortSignal) => {
        const connection = new EventQueue<SessionEvent>();
        signal.addEventListener('abort', () => connection.end());
        this.connections.push(connection);
        return connection;
      },
      openChannel: (onNote: (note: Note) => void) => this.#openChannel(onNote),
      takeTurn: async (lead: () => Promise<void>) => {
        this.#turns.push(lead);
        await this.#nextTurn();
      },
    };
  }

  async #nextTurn(): Promise<void> {
    if (this.#taken) return;
    const lead = this.#turns.shift();
    if (lead === undefined) return;
    this.#taken = true;
    await lead();
    this.#taken = false;
    await this.#nextTurn();
  }

  #openChannel(onNote: (note: Note) => void): NoteChannel {
    const channel = {
      hear: onNote,
      post: (note: Note) => {
        for (const other of this.#channels) if (other !== channel) queueMicrotask(() => this.#channels.has(other) && other.hear(note));
      },
      close: () => void this.#channels.delete(channel),
    };
    this.#channels.add(channel);
    return channel;
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const [a, b, c] = ['a', 'b', 'c'].map((id) => aSession(id)) as [
  ReturnType<typeof aSession>,
  ReturnType<typeof aSession>,
  ReturnType<typeof aSession>,
];
const snapshot = (...sessions: (typeof a)[]): SessionEvent => ({ type: 'snapshot', sessions });

describe('pages of one browser', () => {
  test('hear the same over one connection, also those that come later', async () => {
    const browser = new Browser();
    const first = browser.page();
    await settle();
    browser.daemon.push(snapshot(a));
    await settle();
    const second = browser.page();
    await settle();
    browser.daemon.push({ type: 'session', session: b });
    browser.daemon.push({ type: 'removed', id: 'a' });
    await settle();
    const third = browser.page();
    await settle();
    expect(browser.connections).toHaveLength(1);
    expect(first.heard).toEqual([snapshot(a), { type: 'session', session: b }, { type: 'removed', id: 'a' }]);
    expect(second.heard.slice(0, 3)).toEqual([snapshot(a), { type: 'session', session: b }, { type: 'removed', id: 'a' }]);
    expect(third.heard).toEqual([snapshot(b)]);
  });

  test('lose no session by an event that takes none away', async () => {
    const browser = new Browser();
    const first = browser.page();
    await settle();
    browser.daemon.push(snapshot(a, b));
    browser.daemon.push({ type: 'transition', id: 'a', transition: fakeTransition() });
    browser.daemon.push({ type: 'resumes', progress: fakeProgress({ waiting: ['b'] }) });
    await settle();
    const second = browser.page();
    await settle();
    expect(first.heard.map(({ type }) => type)).toEqual(['snapshot', 'transition', 'resumes']);
    expect(second.heard).toEqual([snapshot(a, b)]);
  });

  test('take turns: when the one that leads is closed, another connects', async () => {
    const browser = new Browser();
    const first = browser.page();
    await settle();
    browser.daemon.push(snapshot(a));
    const second = browser.page();
    await settle();
    first.close();
    await settle();
    expect(await first.ended).toBe('closed');
    expect(browser.connections).toHaveLength(2);
    browser.daemon.push(snapshot(a, c));
    await settle();
    expect(second.heard.at(-1)).toEqual(snapshot(a, c));
  });

  test('are all cut off when the one that leads is', async () => {
    const browser = new Browser();
    const [first, second] = [browser.page(), browser.page()];
    await settle();
    browser.daemon.push(snapshot(a));
    await settle();
    browser.daemon.fail(new Error('gone'));
    expect(await first.ended).toContain('gone');
    expect(await second.ended).toContain('cut off');
  });

  test('do not wait for one that leads and says nothing', async () => {
    const browser = new Browser();
    browser.freeze();
    const page = browser.page();
    await vi.advanceTimersByTimeAsync(2999);
    expect(browser.connections).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    browser.daemon.push(snapshot(a));
    await settle();
    expect(page.heard).toEqual([snapshot(a)]);
  });

  test('take no change for the whole before they have a snapshot', async () => {
    const browser = new Browser();
    const first = browser.page();
    const second = browser.page();
    await settle();
    browser.daemon.push({ type: 'session', session: b });
    browser.daemon.push(snapshot(a));
    await settle();
    expect([first.heard, second.heard]).toEqual([[snapshot(a)], [snapshot(a)]]);
  });
});
