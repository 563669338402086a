import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Backoff } from '../../src/client/backoff.js';
import { mayReconnect, type PtyState, ReconnectingPty } from '../../src/client/reconnecting-pty.js';
import { CLOSE_CODE, type ServerFrame } from '../../src/protocol/index.js';
import { FakePtyDaemon, PREAMBLE_BYTE } from './pty-daemon.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A viewer's terminal, which notes all that happens to it. */
class Screen {
  shown: number[] = [];
  resets = 0;
  readonly frames: ServerFrame[] = [];
  readonly states: PtyState[] = [];
  readonly pty: ReconnectingPty;

  constructor(daemon: FakePtyDaemon) {
    this.pty = new ReconnectingPty(
      { open: daemon.open, backoff: new Backoff({ random: () => 1 }) },
      {
        onOutput: (bytes) => this.shown.push(...bytes),
        onReset: () => {
          this.shown = [];
          this.resets += 1;
        },
        onFrame: (frame) => this.frames.push(frame),
        onState: (state) => this.states.push(state),
      },
    );
  }

  get text(): number[] {
    return this.shown.filter((byte) => byte !== PREAMBLE_BYTE);
  }
}

function opened(daemon = new FakePtyDaemon()) {
  const screen = new Screen(daemon);
  daemon.last.deliverAll();
  return { daemon, screen, pty: screen.pty };
}

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('T2: output over many connections', () => {
  test('goes on right behind the last byte', () => {
    const { daemon, screen } = opened();
    daemon.print(10);
    daemon.last.deliver(4);
    daemon.last.cut();
    vi.runOnlyPendingTimers();
    expect(daemon.last.asked).toEqual({ epoch: 1, offset: 4 });
    daemon.last.deliverAll();
    expect(screen.shown).toEqual(daemon.stream);
    expect(screen.resets).toBe(0);
  });

  test('begins anew where it cannot go on, on a reset terminal', () => {
    const { daemon, screen } = opened();
    daemon.print(10);
    daemon.last.deliverAll();
    daemon.last.cut();
    daemon.begin();
    daemon.print(3);
    vi.runOnlyPendingTimers();
    daemon.last.deliverAll();
    expect(screen.resets).toBe(1);
    expect(screen.shown).toEqual([0, 1, 2]);
  });

  test('is reset also by a daemon that goes on elsewhere without a gap', () => {
    const { daemon, screen } = opened();
    daemon.print(10);
    daemon.last.deliverAll();
    daemon.last.cut();
    daemon.begin();
    daemon.print(3);
    vi.runOnlyPendingTimers();
    daemon.last.outbox.splice(1, 1); // the gap
    daemon.last.deliverAll();
    expect(screen.resets).toBe(1);
    expect(screen.shown).toEqual([0, 1, 2]);
  });

  test('a connection that was left behind is not listened to any more', () => {
    const { daemon, screen } = opened();
    const old = daemon.last;
    old.cut();
    vi.runOnlyPendingTimers();
    daemon.last.deliverAll();
    old.outbox.push(bytes(1, 2, 3));
    old.isClosed = false;
    old.deliverAll();
    old.cut(CLOSE_CODE.notFound);
    expect(screen.shown).toEqual([]);
    expect(screen.pty.state).toEqual({ kind: 'live' });
  });

  /** What may happen to a viewer and its session, in any order. */
  const step = fc.oneof(
    fc.record({ do: fc.constant('print' as const), count: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ do: fc.constant('deliver' as const), limit: fc.integer({ min: 1, max: 25 }) }),
    fc.record({ do: fc.constant('cut' as const) }),
    fc.record({ do: fc.constant('wait' as const) }),
    fc.record({ do: fc.constant('forget' as const), keep: fc.integer({ min: 0, max: 60 }), preamble: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ do: fc.constant('begin' as const) }),
  );

  test('no byte is missing and none comes twice, wherever connections break', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const daemon = new FakePtyDaemon();
        const screen = new Screen(daemon);
        for (const one of steps) {
          if (one.do === 'print') daemon.print(one.count);
          else if (one.do === 'deliver') daemon.last.deliver(one.limit);
          else if (one.do === 'cut') daemon.last.cut();
          else if (one.do === 'wait') vi.advanceTimersByTime(60_000);
          else if (one.do === 'forget') daemon.forget(daemon.stream.length - one.keep, one.preamble);
          else {
            daemon.last.cut(1001);
            daemon.begin();
          }
        }
        screen.pty.nudge();
        daemon.last.deliverAll();
        expect(screen.text).toEqual(daemon.stream.slice(daemon.stream.length - screen.text.length));
        expect(screen.text.length).toBeGreaterThanOrEqual(daemon.stream.length - daemon.cleanStart);
        expect(screen.pty.position).toEqual({ epoch: daemon.epoch, offset: daemon.stream.length });
        screen.pty.close();
      }),
      { numRuns: 300 },
    );
  });
});

describe('a connection that breaks', () => {
  test('is tried again after longer and longer waits, and after a good one at once', () => {
    const { daemon, screen, pty } = opened();
    vi.advanceTimersByTime(6000);
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      daemon.last.cut();
      const { state } = pty;
      if (state.kind === 'cut_off' && state.retryAt !== undefined) waits.push(state.retryAt - Date.now());
      vi.runOnlyPendingTimers();
    }
    expect(waits).toEqual([250, 500, 1000, 2000]);
    daemon.last.deliverAll();
    vi.advanceTimersByTime(6000);
    daemon.last.cut();
    expect(screen.states.at(-1)).toMatchObject({ kind: 'cut_off', retryAt: Date.now() + 250 });
    pty.close();
  });

  test('tells since when, and while it is tried that it is', () => {
    const { daemon, screen, pty } = opened();
    const since = Date.now();
    daemon.last.cut();
    vi.advanceTimersByTime(250);
    expect(screen.states.at(-1)).toEqual({ kind: 'cut_off', since });
    daemon.last.cut();
    expect(screen.states.at(-1)).toMatchObject({ kind: 'cut_off', since });
    pty.close();
  });

  test('is tried at once when something has changed', () => {
    const { daemon, pty } = opened();
    daemon.last.cut();
    pty.nudge();
    expect(daemon.connections).toHaveLength(2);
    pty.nudge(); // one is being made already
    expect(daemon.connections).toHaveLength(2);
    vi.advanceTimersByTime(5000);
    expect(daemon.connections).toHaveLength(2);
    pty.close();
  });

  test('that answers nothing is given up after ten seconds', () => {
    const daemon = new FakePtyDaemon();
    const screen = new Screen(daemon);
    const silent = daemon.last;
    vi.advanceTimersByTime(10_000);
    expect(silent.isClosed).toBe(true);
    expect(screen.pty.state.kind).toBe('cut_off');
    screen.pty.close();
  });

  test('by a reason of the daemon says it', () => {
    const { daemon, screen } = opened();
    daemon.last.tell({ type: 'error', code: 'tmux_unavailable', message: 'tmux does not answer' });
    daemon.last.deliverAll();
    daemon.last.cut(CLOSE_CODE.unavailable);
    expect(screen.states.at(-1)).toMatchObject({ kind: 'cut_off', reason: 'tmux does not answer' });
    screen.pty.close();
  });

  test.each([1001, 1005, 1006, 1011, 1012, CLOSE_CODE.unavailable])('with %d may be served again', (code) => {
    expect(mayReconnect(code)).toBe(true);
  });

  test.each([1000, 1008, CLOSE_CODE.notFound, CLOSE_CODE.notRunning])('with %d is over', (code) => {
    const { daemon, screen } = opened();
    daemon.last.cut(code, 'why');
    vi.advanceTimersByTime(60_000);
    expect(daemon.connections).toHaveLength(1);
    expect(screen.states.at(-1)).toEqual({ kind: 'over', close: { code, reason: 'why' } });
  });
});

describe('T4: input', () => {
  test('arrives in order and byte-exact, however much it is', () => {
    const { daemon, pty } = opened();
    const paste = Uint8Array.from({ length: 200_000 }, (_, n) => n % 256);
    expect(pty.sendInput(paste)).toBe(true);
    expect(daemon.last.input).toEqual([...paste]);
  });

  test('is refused before the first connection, while cut off and when all is over, and never sent later', () => {
    const daemon = new FakePtyDaemon();
    const { pty } = new Screen(daemon);
    expect(pty.sendInput(bytes(1))).toBe(false);
    daemon.last.deliverAll();
    expect(pty.sendInput(bytes(2))).toBe(true);
    daemon.last.cut();
    expect(pty.sendInput(bytes(3))).toBe(false);
    vi.runOnlyPendingTimers();
    expect(pty.sendInput(bytes(4))).toBe(false);
    daemon.last.deliverAll();
    daemon.last.cut(CLOSE_CODE.notRunning);
    expect(pty.sendInput(bytes(5))).toBe(false);
    expect(daemon.connections.map(({ input }) => input)).toEqual([[2], []]);
  });

  test('is refused while too much of it waits for the network', () => {
    const { daemon, pty } = opened();
    daemon.last.bufferedBytes = 4 * 1024 * 1024;
    expect(pty.sendInput(bytes(1))).toBe(false);
    expect(daemon.last.input).toEqual([]);
  });
});

describe('T5: the viewer’s size', () => {
  const size = { cols: 100, rows: 30 };

  test('is told on each connection while it is the session’s', () => {
    const { daemon, pty } = opened();
    pty.setSize(size);
    expect(daemon.last.frames).toEqual([{ type: 'size', ...size }]);
    daemon.last.cut();
    vi.runOnlyPendingTimers();
    daemon.last.deliverAll();
    expect(daemon.last.frames).toEqual([{ type: 'size', ...size }]);
  });

  test('is not claimed by a reconnect from the viewer that owns it meanwhile, but with the next key', () => {
    const { daemon, pty } = opened();
    pty.setSize(size);
    daemon.last.tell({ type: 'size', size: { cols: 80, rows: 24 }, owner: false });
    daemon.last.deliverAll();
    daemon.last.cut();
    vi.runOnlyPendingTimers();
    daemon.last.deliverAll();
    expect(daemon.last.frames).toEqual([]);
    pty.sendInput(bytes(1));
    expect(daemon.last.frames).toEqual([{ type: 'size', ...size }]);
  });

  test('of a hidden viewer is told behind its being hidden', () => {
    const daemon = new FakePtyDaemon();
    const { pty } = new Screen(daemon);
    pty.setSize(size);
    pty.setVisible(false);
    daemon.last.deliverAll();
    expect(daemon.last.frames).toEqual([
      { type: 'visibility', visible: false },
      { type: 'size', ...size },
    ]);
    pty.setVisible(true);
    expect(daemon.last.frames.at(-1)).toEqual({ type: 'visibility', visible: true });
  });
});

test('what was shown is acknowledged while live only', () => {
  const { daemon, pty } = opened();
  pty.acknowledge({ epoch: 1, offset: 7 });
  daemon.last.cut();
  pty.acknowledge({ epoch: 1, offset: 9 });
  expect(daemon.connections.flatMap(({ frames }) => frames)).toEqual([{ type: 'ack', position: '1:7' }]);
});

test('a closed one is over, and closes its connection', () => {
  const { daemon, screen, pty } = opened();
  pty.close();
  pty.close();
  expect(daemon.last.isClosed).toBe(true);
  expect(screen.states.filter(({ kind }) => kind === 'over')).toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  expect(daemon.connections).toHaveLength(1);
});

describe('a connection that has died without a word', () => {
  const pings = (daemon: FakePtyDaemon) => daemon.last.frames.filter(({ type }) => type === 'ping').length;
  const answer = (daemon: FakePtyDaemon) => {
    daemon.last.tell({ type: 'pong' });
    daemon.last.deliverAll();
  };

  test('is noticed within 15 s, and another one goes on right behind the last byte', () => {
    const { daemon, screen, pty } = opened();
    daemon.print(10);
    daemon.last.deliverAll();
    vi.advanceTimersByTime(15_000);
    expect(daemon.connections.length).toBe(2);
    expect(pty.state.kind).toBe('cut_off');
    daemon.last.deliverAll();
    expect(daemon.last.asked).toEqual({ epoch: 1, offset: 10 });
    expect(screen.shown).toEqual(daemon.stream);
    expect(screen.resets).toBe(0);
  });

  test('is not what a quiet one is, nor one that prints without end', () => {
    const { daemon, pty } = opened();
    for (let quiet = 0; quiet < 20; quiet += 1) {
      const before = pings(daemon);
      vi.advanceTimersByTime(2000);
      if (pings(daemon) > before) answer(daemon);
    }
    expect(pings(daemon)).toBeGreaterThan(2);
    daemon.print(1);
    daemon.last.deliverAll();
    const asked = pings(daemon);
    for (let busy = 0; busy < 40; busy += 1) {
      vi.advanceTimersByTime(1000);
      daemon.print(1);
      daemon.last.deliverAll();
    }
    expect(pings(daemon)).toBe(asked);
    expect(pty.state).toEqual({ kind: 'live' });
    expect(daemon.connections.length).toBe(1);
  });

  test('is looked for at once when the page comes back, and is then given 3 s', () => {
    const { daemon, pty } = opened();
    pty.nudge();
    pty.nudge();
    expect(pings(daemon)).toBe(1);
    answer(daemon);
    vi.advanceTimersByTime(3000);
    expect(pty.state).toEqual({ kind: 'live' });
    pty.nudge();
    vi.advanceTimersByTime(3000);
    expect(pty.state.kind).toBe('cut_off');
  });

  test('is not taken for one because timers came late, as on a page that nobody sees', () => {
    const { daemon, pty } = opened();
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(4500);
    expect(pings(daemon)).toBe(1);
    answer(daemon);
    expect(pty.state).toEqual({ kind: 'live' });
  });

  test('leaves no timer behind when it is over', () => {
    const { pty } = opened();
    pty.nudge();
    pty.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
