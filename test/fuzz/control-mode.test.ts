import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlParser, type ReplyBlock } from '../../src/daemon/panes/control-parser.js';
import { ControlRequest } from '../../src/daemon/panes/control-request.js';
import { cutAt, cuts, FUZZ_TIMEOUT, fuzz } from './fuzz-runs.js';

type Event = { readonly block: ReplyBlock } | { readonly line: string };

function eventsOf(chunks: readonly Buffer[]): Event[] {
  const events: Event[] = [];
  const parser = new ControlParser({ block: (block) => events.push({ block }), notification: (line) => events.push({ line }) });
  for (const chunk of chunks) parser.push(chunk);
  return events;
}

const guards = fc
  .tuple(
    fc.constantFrom('%begin', '%end', '%error', '%output', '%exit', '%begin ', 'begin'),
    fc.nat({ max: 3 }),
    fc.nat({ max: 3 }),
    fc.constantFrom('0', '1', '', 'x'),
  )
  .map((parts) => `${parts.join(' ')}`);
const lines = fc.oneof(guards, guards, fc.constantFrom('', '%exit server exited', '%begin 1 2 3 4'), fc.string({ maxLength: 8 }));
const transcript = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(lines, fc.constantFrom('\n', '\n', '\n', '\r\n', '')).map((parts) => Buffer.from(parts.join(''))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 10 }).map((bytes) => Buffer.from(bytes)) },
  ),
  { maxLength: 20 },
);

describe('what tmux prints in control mode, for any bytes', () => {
  test(
    'any chunking gives the same events',
    async () => {
      await fuzz(
        fc.property(transcript, cuts, (parts, places) => {
          const bytes = Buffer.concat(parts);
          const whole = eventsOf([bytes]);
          expect(eventsOf(cutAt(bytes, places))).toEqual(whole);
          expect(eventsOf([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
        }),
        800,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'the body of a block comes out as it went in, whatever guards it holds',
    async () => {
      await fuzz(
        fc.property(
          fc.array(
            lines.filter((line) => !/[\n]/.test(line)),
            { maxLength: 12 },
          ),
          fc.boolean(),
          (body, ok) => {
            const guard = '1700000000 4711 1';
            const printed = body.map((line) => `${line}\n`).join('');
            const events = eventsOf([Buffer.from(`%begin ${guard}\n${printed}%${ok ? 'end' : 'error'} ${guard}\n%exit\n`)]);
            expect(events).toEqual([{ block: { ok, own: true, body: Buffer.from(body.join('\n')) } }, { line: '%exit' }]);
          },
        ),
        600,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'each line of commands gets its own answer, however blocks fail and callers give up',
    async () => {
      const command = fc.record({
        replies: fc.integer({ min: 1, max: 3 }),
        failsAt: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
        givenUp: fc.boolean(),
      });
      await fuzz(
        fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 6 }), async (commands) => {
          for (const [nth, { replies, failsAt, givenUp }] of commands.entries()) {
            const late: string[] = [];
            const request = new ControlRequest([{ text: `c${nth}`, replies } as never], { late: () => late.push('late') });
            const done = request.done.then(
              (reply) => (reply.ok ? 'ok' : 'failed'),
              () => 'given up',
            );
            if (givenUp) request.reject(new Error('too slow'));
            const isFailing = failsAt !== undefined && failsAt < replies;
            const given = isFailing ? failsAt + 1 : replies;
            const taken = Array.from({ length: given }, (_, at) =>
              request.take({ ok: !(isFailing && at === failsAt), own: true, body: Buffer.from('x') }),
            );
            expect(taken).toEqual(taken.map((_, at) => at === given - 1));
            expect(await done).toBe(givenUp ? 'given up' : isFailing ? 'failed' : 'ok');
            expect(late).toEqual(givenUp ? ['late'] : []);
          }
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );
});
