import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer, readError, readEvent, readFrame, SessionsAnswer } from '../../src/client/answers.js';
import { PtyStream } from '../../src/client/pty-stream.js';
import { serverSentEvents } from '../../src/client/server-sent-events.js';
import type { SocketEvents } from '../../src/client/transport.js';
import { wrapWebSocket } from '../../src/client/web-socket.js';
import { MaestroError } from '../../src/protocol/index.js';
import { cutAt, cuts, FUZZ_TIMEOUT, fuzz } from './fuzz-runs.js';

async function eventsOf(chunks: readonly Uint8Array[]) {
  const events = [];
  async function* body() {
    yield* chunks;
  }
  for await (const event of serverSentEvents(body())) events.push(event);
  return events;
}

const eventText = fc
  .array(
    fc.oneof(
      fc.constantFrom('data', 'event', 'id', ':', ': ', '\n', '\n\n', '\r', '\r\n', '\0', 'data:', 'data: x', '\ufeff', 'retry: 9'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => Buffer.from(parts.join('')));
const anyBytes = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes));

const position = fc.constantFrom('1:0', '1:5', '9:999999999999999', '', '-1:0', '1:0x5', '1', ':', '9999999999999999:0', '__proto__');
const frame = fc
  .record(
    {
      type: fc.constantFrom('attached', 'gap', 'size', 'exit', 'error', 'later', '__proto__', 'toString'),
      position,
      size: fc.constantFrom<unknown>({ cols: 80, rows: 24 }, { cols: 1e9, rows: 0 }, null, '80x24'),
      status: fc.constantFrom('running', 'odd', null),
      owner: fc.constantFrom<unknown>(true, 'yes'),
      exit: fc.constantFrom<unknown>({ reason: 'exited', code: 1, at: '2026-01-02T03:04:05Z' }, {}, 5),
      code: fc.constantFrom('not_found', 'constructor', 'new_code'),
      message: fc.constantFrom<unknown>('x', 5),
    },
    { requiredKeys: ['type'] },
  )
  .map((value) => JSON.stringify(value));
const message = fc.oneof(
  { weight: 3, arbitrary: frame },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom('', '{', 'null', '['.repeat(9000), '"\\ud800"') },
  { weight: 2, arbitrary: anyBytes },
);

describe('what a daemon sends, whatever it is', () => {
  test(
    'an event stream gives the same events however it is cut',
    async () => {
      await fuzz(
        fc.asyncProperty(fc.oneof(eventText, anyBytes), cuts, async (bytes, places) => {
          const whole = await eventsOf([bytes]);
          expect(await eventsOf(cutAt(bytes, places))).toEqual(whole);
          expect(await eventsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
          for (const { data } of whole) readEvent(data);
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'a terminal stream counts every byte of output and throws at nothing',
    async () => {
      await fuzz(
        fc.property(fc.array(message, { maxLength: 15 }), (messages) => {
          let events: SocketEvents | undefined;
          const seen: string[] = [];
          const stream = new PtyStream(
            (given) => {
              events = given;
              return { bufferedBytes: 0, send: () => undefined, close: () => undefined };
            },
            { onOutput: (bytes, { epoch, offset }) => seen.push(`${epoch}:${offset}:${bytes.length}`) },
          );
          events?.onOpen();
          let expected: { epoch: number; offset: number } | undefined;
          for (const sent of messages) {
            events?.onMessage(sent);
            const read = typeof sent === 'string' ? readFrame(sent) : undefined;
            if (read?.type === 'attached' || read?.type === 'gap') {
              const [epoch = 0, offset = 0] = read.position.split(':').map(Number);
              expected = { epoch, offset };
            } else if (typeof sent !== 'string' && expected !== undefined)
              expected = { ...expected, offset: expected.offset + sent.length };
            expect(stream.position).toEqual(expected);
          }
          events?.onClose({ code: 1006, reason: '' });
          expect(seen.length).toBeLessThanOrEqual(messages.length);
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'answers and refusals of any bytes become what was asked for or an error of the table',
    async () => {
      const answers = fc.oneof(
        anyBytes,
        fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
        fc
          .constantFrom(
            '[]',
            '{"error":{"code":"__proto__","message":"x"}}',
            '{"error":{"code":"not_found","message":"x","details":5}}',
            '['.repeat(50_000),
          )
          .map((text) => Buffer.from(text)),
      );
      await fuzz(
        fc.property(answers, fc.integer({ min: 300, max: 599 }), (bytes, status) => {
          try {
            expect(Array.isArray(readAnswer(SessionsAnswer, bytes, 'GET /api/sessions'))).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({ name: 'MaestroError', code: 'internal' });
          }
          const refusal = readError(status, bytes);
          expect(refusal).toBeInstanceOf(MaestroError);
          expect(refusal.status).toBeGreaterThanOrEqual(400);
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test('messages of kinds that no daemon sends are passed over', () => {
    const listeners = new Map<string, (event: never) => void>();
    const got: unknown[] = [];
    const socket = {
      binaryType: '',
      readyState: 1,
      bufferedAmount: 0,
      send: () => undefined,
      close: () => undefined,
      addEventListener: (type: string, listener: (event: never) => void) => listeners.set(type, listener),
    };
    wrapWebSocket(socket as never, { onOpen: () => undefined, onMessage: (data) => got.push(data), onClose: () => undefined });
    for (const data of [null, undefined, 5, {}, new Blob(['x'])]) listeners.get('message')?.({ data } as never);
    listeners.get('message')?.({ data: 'text' } as never);
    expect(got).toEqual(['text']);
  });
});
