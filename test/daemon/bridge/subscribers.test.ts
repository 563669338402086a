import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamLog } from '../../../src/daemon/bridge/stream-log.js';
import type { Subscription } from '../../../src/daemon/bridge/subscriber.js';
import { Subscribers } from '../../../src/daemon/bridge/subscribers.js';
import type { Position } from '../../../src/protocol/index.js';
import { streamStart, Viewer } from './viewer.js';

function streamOf(capacity: number, text = '') {
  const log = new StreamLog(capacity);
  log.append(Buffer.from(text));
  const subscribers = new Subscribers({ epoch: 7, log });
  const put = (more: string) => {
    log.append(Buffer.from(more));
    subscribers.pump();
  };
  return { log, subscribers, put };
}

const line = '\x1b[32mfour words a line\x1b[m\r\n';

describe('a subscriber', () => {
  test('gets all there is, and then what comes', () => {
    const { subscribers, put } = streamOf(1000, 'before ');
    const viewer = new Viewer();
    subscribers.subscribe({ sink: viewer });
    put('after');
    expect(viewer.segments).toEqual([{ kind: 'attached', start: { epoch: 7, offset: 0 }, bytes: Buffer.from('before after') }]);
  });

  test('T2: goes on behind the position it had, to the byte', () => {
    const { subscribers, put } = streamOf(1000, 'hello ');
    const viewer = new Viewer();
    const first = subscribers.subscribe({ sink: viewer });
    first.close();
    put('world');
    expect(viewer.text).toBe('hello ');
    const again = new Viewer();
    subscribers.subscribe({ after: viewer.position, sink: again });
    expect(again.segments).toEqual([{ kind: 'attached', start: { epoch: 7, offset: 6 }, bytes: Buffer.from('world') }]);
  });

  test('T2: gets a marked gap and a fresh replay where its position is gone, of another epoch, or of the future', () => {
    const { log, subscribers } = streamOf(300, line.repeat(100));
    for (const after of [
      { epoch: 7, offset: 0 },
      { epoch: 6, offset: log.end },
      { epoch: 7, offset: log.end + 1 },
    ]) {
      const viewer = new Viewer();
      subscribers.subscribe({ after, sink: viewer });
      expect(viewer.kinds).toEqual(['attached', 'gap']);
      expect(viewer.segments[0]?.start).toEqual(viewer.segments[1]?.start);
      expect(viewer.position).toEqual({ epoch: 7, offset: log.end });
    }
  });

  test('S7: starts behind a preamble whose bytes count', () => {
    const { log, subscribers } = streamOf(300, `\x1b[?2004h\x1b[?25l${line.repeat(50)}`);
    const viewer = new Viewer();
    subscribers.subscribe({ sink: viewer });
    expect(viewer.text.startsWith('\x1b[?25l\x1b[?2004h')).toBe(true);
    expect(viewer.position).toEqual({ epoch: 7, offset: log.end });
  });

  test('a position inside a preamble is never taken for one of the stream', () => {
    const { subscribers, put, log } = streamOf(4096, `\x1b[?2004h\x1b[?25l${line.repeat(200)}`);
    const isInRing = () => (log.cleanStart()?.offset ?? 0) - (log.cleanStart()?.preamble.length ?? 0) > log.start;
    while (!isInRing()) put('.');
    const viewer = new Viewer();
    subscribers.subscribe({ sink: viewer }).close();
    const start = viewer.segments[0]?.start.offset ?? 0;
    expect(start).toBeGreaterThan(log.start);
    for (const offset of [start, start + 3]) {
      const again = new Viewer();
      subscribers.subscribe({ after: { epoch: 7, offset }, sink: again });
      expect(again.kinds).toEqual(['attached', 'gap']);
      expect(again.position.offset).toBe(log.end);
    }
  });

  test('waits for the end of a giant sequence, whose middle would be shown as text', () => {
    const { log, subscribers, put } = streamOf(300, `${line.repeat(20)}\x1bPq${'~'.repeat(1000)}`);
    const viewer = new Viewer();
    subscribers.subscribe({ sink: viewer });
    expect(viewer.text).toBe('');
    const told = viewer.position;
    put('~~~');
    const again = new Viewer();
    subscribers.subscribe({ after: told, sink: again });
    expect(again.text).toBe('');
    put('\x1b\\visible');
    for (const { text, kinds, position } of [viewer, again]) {
      expect([text, kinds, position.offset]).toEqual(['visible', ['attached', 'gap'], log.end]);
    }
  });

  test('T3: that is full gets nothing until it has drained, and goes on where it stopped', () => {
    const { subscribers, put } = streamOf(1000);
    const viewer = new Viewer();
    const subscription = subscribers.subscribe({ sink: viewer });
    viewer.room = 1;
    for (const more of ['one ', 'two ', 'three']) put(more);
    expect(viewer.text).toBe('one ');
    viewer.room = 100;
    subscription.drained();
    expect(viewer.text).toBe('one two three');
    expect(viewer.kinds).toEqual(['attached']);
  });

  test('T3: that is passed by the ring gets a gap and a fresh replay, and others are not disturbed', () => {
    const { log, subscribers, put } = streamOf(500);
    const [slow, quick] = [new Viewer(), new Viewer()];
    const subscription = subscribers.subscribe({ sink: slow });
    subscribers.subscribe({ sink: quick });
    slow.room = 1;
    for (let i = 0; i < 100; i++) put(line);
    expect(quick.text).toBe(line.repeat(100));
    expect(slow.text).toBe(line);
    slow.room = 100;
    subscription.drained();
    expect(slow.kinds).toEqual(['attached', 'gap']);
    expect(slow.position).toEqual({ epoch: 7, offset: log.end });
    expect(slow.overruns).toBe(0);
  });

  test('T3: writes are bounded, and two that keep up share one copy', () => {
    const { subscribers, log } = streamOf(1024 * 1024);
    const chunks: Buffer[][] = [[], []];
    for (const kept of chunks) {
      subscribers.subscribe({ sink: { attached() {}, gap() {}, end() {}, write: (chunk) => kept.push(chunk) > 0 } });
    }
    log.append(Buffer.alloc(500_000, 'x'));
    subscribers.pump();
    expect(Math.max(...(chunks[0] ?? []).map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
    log.append(Buffer.from('y'));
    subscribers.pump();
    expect(chunks[0]?.at(-1)).toBe(chunks[1]?.at(-1));
  });

  test('asks for a fresh replay', () => {
    const { subscribers, log } = streamOf(1000, 'screen');
    const viewer = new Viewer();
    subscribers.subscribe({ sink: viewer }).resync();
    expect([viewer.kinds, viewer.segments[1]?.bytes.toString(), viewer.position.offset]).toEqual([['attached', 'gap'], 'screen', log.end]);
  });

  test('is told the end once, when it has all', () => {
    const { subscribers, put } = streamOf(1000);
    const [quick, slow, gone] = [new Viewer(), new Viewer(), new Viewer()];
    subscribers.subscribe({ sink: quick });
    const behind = subscribers.subscribe({ sink: slow });
    subscribers.subscribe({ sink: gone }).close();
    slow.room = 1;
    put('last ');
    put('words');
    subscribers.end('sealed');
    expect([quick.ends, slow.ends]).toEqual([['sealed'], []]);
    slow.room = 100;
    behind.drained();
    behind.drained();
    subscribers.end('closed');
    expect([quick, slow, gone].map(({ ends, text }) => [ends, text])).toEqual([
      [['sealed'], 'last words'],
      [['sealed'], 'last words'],
      [[], ''],
    ]);
    expect(subscribers.count).toBe(0);
  });

  test('is cut off at once when the daemon lets go', () => {
    const { subscribers, put } = streamOf(1000);
    const slow = new Viewer();
    subscribers.subscribe({ sink: slow });
    slow.room = 1;
    put('a');
    put('b');
    subscribers.end('closed');
    expect([slow.ends, slow.text]).toEqual([['closed'], 'a']);
  });
});

type Step =
  | { readonly put: string }
  | { readonly viewer: number; readonly act: 'drop' | 'reconnect' | 'return' | 'fill' | 'drain' | 'resync' };

const PIECES = [
  'words ',
  'line\r\n',
  '\x1b[31m',
  '\x1b[m',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b]0;t\x07',
  '\x1b',
  '[1m',
  '\u6f22',
  '\x1bPq~~',
  '\x1b\\',
  line,
  line.repeat(4),
  line.repeat(15),
];
const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ put: fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join('')) }) },
    {
      weight: 2,
      arbitrary: fc.record({ viewer: fc.nat({ max: 2 }), act: fc.constantFrom('drop', 'reconnect', 'return', 'fill', 'drain', 'resync') }),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 80, size: 'max' },
);

interface Visit {
  readonly viewer: Viewer;
  readonly after: Position | undefined;
}

/** A viewer that comes and goes, and may lose what was on its way when it goes. */
class Client {
  readonly visits: Visit[] = [];
  readonly #subscribers: Subscribers;
  #subscription: Subscription | undefined;
  #position: Position | undefined;

  constructor(subscribers: Subscribers) {
    this.#subscribers = subscribers;
    this.act('return');
  }

  act(what: Exclude<Step, { put: string }>['act']): void {
    const viewer = this.visits.at(-1)?.viewer;
    if (what === 'return') this.#return();
    else if (what === 'resync') this.#subscription?.resync();
    else if (viewer !== undefined && what === 'drop') this.#leave(viewer, false);
    else if (viewer !== undefined && what === 'reconnect') {
      this.#leave(viewer, true);
      this.#return();
    } else if (viewer !== undefined) {
      viewer.room = what === 'fill' ? 1 : Number.POSITIVE_INFINITY;
      if (what === 'drain') this.#subscription?.drained();
    }
  }

  #return(): void {
    if (this.#subscription !== undefined) return;
    const viewer = new Viewer();
    this.visits.push({ viewer, after: this.#position });
    this.#subscription = this.#subscribers.subscribe({ after: this.#position, sink: viewer });
  }

  #leave(viewer: Viewer, loses: boolean): void {
    if (this.#subscription === undefined) return;
    this.#subscription.close();
    this.#subscription = undefined;
    const { start, bytes } = viewer.segments.at(-1) ?? { start: viewer.position, bytes: Buffer.alloc(0) };
    this.#position = loses ? { epoch: start.epoch, offset: start.offset + Math.min(bytes.length, 5) } : viewer.position;
  }
}

/** Where in the stream the last segment of a visit began. */
function check({ viewer, after }: Visit, stream: Buffer): number | undefined {
  const starts = viewer.segments.map((segment, index) => {
    const isVoid = viewer.segments[index + 1]?.kind === 'gap' && segment.bytes.length === 0;
    const start = streamStart(segment, stream, after !== undefined && segment.kind === 'attached');
    if (!isVoid && segment.bytes.length > 0) expect(start).toBeDefined();
    return start;
  });
  expect(viewer.kinds.lastIndexOf('attached')).toBe(0);
  return starts.at(-1);
}

test('T2, T3: whatever viewers do, each sees the stream to the byte, except across marked gaps', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 32, max: 2000 }), (script, capacity) => {
      const { subscribers, put, log } = streamOf(capacity);
      const clients = [new Client(subscribers), new Client(subscribers), new Client(subscribers)];
      let all = '';
      for (const step of script) {
        if ('put' in step) {
          put(step.put);
          all += step.put;
        } else clients[step.viewer]?.act(step.act);
      }
      put('\x1b\\\x18 end of it all, in a stream that is at ground again');
      all += '\x1b\\\x18 end of it all, in a stream that is at ground again';
      const stream = Buffer.from(all);
      for (const client of clients) {
        client.act('return');
        client.act('drain');
        let began: number | undefined;
        for (const visit of client.visits) {
          const isContinued = visit.after !== undefined && visit.viewer.kinds[1] !== 'gap';
          if (isContinued && began !== undefined) expect(visit.after?.offset).toBeGreaterThanOrEqual(began);
          began = check(visit, stream);
        }
        if (log.cleanStart() !== undefined) expect(client.visits.at(-1)?.viewer.position.offset).toBe(stream.length);
      }
    }),
    { numRuns: 200 },
  );
});

describe('a repaint', () => {
  /** A viewer whose replay lacks the start of the stream; one that has seen all; and what was asked for. */
  function partial() {
    const log = new StreamLog(64);
    let asked = 0;
    const subscribers = new Subscribers({ epoch: 7, log }, () => {
      asked += 1;
    });
    const put = (more: string) => {
      log.append(Buffer.from(more));
      subscribers.pump();
    };
    const whole = new Viewer();
    subscribers.subscribe({ sink: whole });
    put('0123456789'.repeat(6));
    put('abcdefghij'.repeat(4));
    const late = new Viewer();
    const subscription = subscribers.subscribe({ sink: late });
    return { log, subscribers, put, whole, late, subscription, asked: () => asked };
  }

  test('is asked for once by a viewer whose replay does not reach back to the start, when it has it all', () => {
    const { put, asked, subscribers } = partial();
    expect(asked()).toBe(1);
    expect(subscribers.awaitRepaint).toBe(true);
    put('more');
    expect(asked()).toBe(1);
  });

  test('T2: goes to that viewer alone, behind a gap, and its position is right behind it', () => {
    const { put, whole, late, subscribers } = partial();
    subscribers.repaint(Buffer.from('[the screen]'));
    put('next');
    expect(late.kinds).toEqual(['attached', 'gap']);
    expect(late.segments[1]).toEqual({ kind: 'gap', start: { epoch: 7, offset: 88 }, bytes: Buffer.from('[the screen]next') });
    expect(late.position).toEqual({ epoch: 7, offset: 104 });
    expect(whole.position).toEqual(late.position);
    expect(whole.kinds).toEqual(['attached']);
    expect(subscribers.awaitRepaint).toBe(false);
  });

  test('T2: nobody goes on from a position inside it, as bytes of the stream have that position too', () => {
    const { log, put, subscribers } = partial();
    subscribers.repaint(Buffer.from('[the screen]'));
    put('next');
    for (let offset = 88; offset < 100; offset++) expect(log.canContinue(offset)).toBe(false);
    for (const offset of [87, 100, 101]) expect(log.canContinue(offset)).toBe(true);
  });

  test('the places of many of them are remembered in bounded space, and never too few', () => {
    const { log, put } = partial();
    const inside: number[] = [];
    for (let i = 0; i < 50; i++) {
      put('x');
      inside.push(log.repaintAt(1 + (i % 5)));
    }
    for (const offset of inside) expect(log.canContinue(offset)).toBe(false);
    expect(log.canContinue(log.end)).toBe(true);
    put('y'.repeat(200));
    expect(log.canContinue(log.end - 20)).toBe(true);
  });

  test('passes over a full viewer, which asks again once it has caught up', () => {
    const { late, put, subscribers, subscription, asked } = partial();
    late.room = 1;
    put('this fills it');
    const kinds = late.kinds.length;
    subscribers.repaint(Buffer.from('[the screen]'));
    expect(late.kinds.length).toBe(kinds);
    late.room = 10;
    expect([asked(), subscribers.awaitRepaint]).toEqual([1, false]);
    subscription.drained();
    expect([asked(), subscribers.awaitRepaint]).toEqual([2, true]);
  });

  test('T5: is asked for where the size has changed since the start, also where former lives printed something', () => {
    const asked = (former: string) => {
      const log = new StreamLog(1000);
      log.append(Buffer.from(former));
      log.beginLife();
      log.append(Buffer.from('drawn'));
      let count = 0;
      const subscribers = new Subscribers({ epoch: 7, log }, () => {
        count += 1;
      });
      subscribers.subscribe({ sink: new Viewer() });
      log.resized();
      subscribers.subscribe({ sink: new Viewer() });
      return count;
    };
    expect([asked(''), asked('former')]).toEqual([1, 1]);
  });
});
