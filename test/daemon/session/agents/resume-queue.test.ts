import { pino } from 'pino';
import { expect, test } from 'vitest';
import { deferred } from '../../../../src/daemon/deferred.js';
import { ResumeQueue } from '../../../../src/daemon/session/agents/resume-queue.js';
import { SessionEntry } from '../../../../src/daemon/session/session-entry.js';
import { SessionRegistry } from '../../../../src/daemon/session/session-registry.js';
import { SIDECAR_VERSION, type Sidecar } from '../../../../src/daemon/store/sidecar.js';
import { MaestroError, type ResumeProgress } from '../../../../src/protocol/index.js';
import { until } from '../../../support/until.js';

const idOf = (n: number): string => `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`;

/** Sessions that rest, and a queue whose resumes come about when the test lets them. */
class Bench {
  readonly registry = new SessionRegistry();
  readonly begun: string[] = [];
  readonly told: ResumeProgress[] = [];
  readonly #gates = new Map<string, { resolve: () => void; promise: Promise<void> }>();
  readonly #failing = new Map<string, MaestroError>();
  readonly queue: ResumeQueue;

  constructor(slots: number) {
    this.queue = new ResumeQueue({
      registry: this.registry,
      resume: async (id) => {
        this.begun.push(id);
        const failure = this.#failing.get(id);
        if (failure) throw failure;
        return this.registry.need(id).view();
      },
      started: (id) => this.#gate(id).promise,
      slots,
      log: pino({ level: 'silent' }),
    });
    this.registry.subscribe((event) => {
      if (event.type === 'resumes') this.told.push(event.progress);
    }, new AbortController().signal);
  }

  add(n: number, fields: Partial<Sidecar> = {}): string {
    const id = idOf(n);
    const at = `2026-01-01T00:00:0${n}.000Z`;
    const record: Sidecar = {
      ...{
        version: SIDECAR_VERSION,
        id,
        status: 'dormant',
        created_at: at,
        updated_at: at,
        cwd: '/',
        command: 'sh',
        env: {},
        metadata: {},
      },
      ...{ size: { cols: 80, rows: 24 }, run: 1, epoch: 1 },
      ...fields,
    };
    this.registry.add(new SessionEntry(record, { kind: 'resting' }));
    return id;
  }

  fail(id: string, error: MaestroError): void {
    this.#failing.set(id, error);
  }

  start(id: string): void {
    this.#gate(id).resolve();
  }

  #gate(id: string) {
    const gate = this.#gates.get(id) ?? deferred();
    this.#gates.set(id, gate);
    return gate;
  }
}

test('those come first that wait for the user, then those that were looked at last', async () => {
  const bench = new Bench(1);
  const old = bench.add(1);
  const recent = bench.add(3);
  const waiting = bench.add(2, { was_waiting: true });
  const seen = bench.add(4, { seen_at: '2026-01-02T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' });
  bench.add(5, { status: 'dead' });
  expect(bench.queue.add().waiting).toEqual([seen, recent, old]);
  for (const id of [waiting, seen, recent, old]) {
    await until(`${id} to be resumed`, () => bench.begun.at(-1) === id);
    bench.start(id);
  }
  await bench.queue.idle();
  expect(bench.queue.progress).toMatchObject({ total: 4, resumed: [waiting, seen, recent, old], waiting: [], resuming: [], failed: [] });
});

test('no more programs are starting at once than there are slots, and the next one waits for the start of one before', async () => {
  const bench = new Bench(2);
  const ids = [1, 2, 3, 4].map((n) => bench.add(n));
  bench.queue.add(ids);
  expect(bench.queue.progress.resuming).toHaveLength(2);
  expect(bench.begun).toHaveLength(2);
  bench.start(bench.begun[0] ?? '');
  await until('the third to begin', () => bench.begun.length === 3);
  for (const id of ids) bench.start(id);
  await bench.queue.idle();
  expect(new Set(bench.begun)).toEqual(new Set(ids));
});

test('one that fails does not hold up the others, and is told with its reason', async () => {
  const bench = new Bench(1);
  const ids = [bench.add(2), bench.add(1)];
  bench.fail(idOf(2), new MaestroError('cwd_missing', 'the directory /gone is not there'));
  bench.fail(idOf(1), new MaestroError('already_running', 'it came back by another hand'));
  bench.queue.add(ids);
  await bench.queue.idle();
  expect(bench.queue.progress.failed).toEqual([{ id: idOf(2), code: 'cwd_missing', message: 'the directory /gone is not there' }]);
  expect(bench.queue.progress.resumed).toEqual([idOf(1)]);
  expect(bench.told.at(-1)).toEqual(bench.queue.progress);
});

test('asking again while it goes on adds nothing twice, and a session that nobody has refuses the whole request', async () => {
  const bench = new Bench(1);
  const [first, second] = [bench.add(2), bench.add(1)];
  bench.queue.add([first, second]);
  expect(() => bench.queue.add([second, idOf(9)])).toThrow('there is no session');
  expect(bench.queue.add().total).toBe(2);
  bench.start(first);
  bench.start(second);
  await bench.queue.idle();
  expect(bench.begun).toEqual([first, second]);
});

test('one that failed and is asked for again while others go on is counted once', async () => {
  const bench = new Bench(1);
  const [failing, slow] = [bench.add(2), bench.add(1)];
  bench.fail(failing, new MaestroError('cwd_missing', 'the directory is not there'));
  bench.queue.add([failing, slow]);
  await until('the failure', () => bench.queue.progress.failed.length === 1);
  expect(bench.queue.add([failing])).toMatchObject({ total: 2, waiting: [failing], resuming: [slow], failed: [] });
  bench.start(slow);
  await bench.queue.idle();
});

test('a queue that is closed begins nothing more', async () => {
  const bench = new Bench(1);
  const [first, second] = [bench.add(2), bench.add(1)];
  bench.queue.add([first, second]);
  bench.queue.close();
  bench.start(first);
  await bench.queue.idle();
  expect(bench.begun).toEqual([first]);
});
