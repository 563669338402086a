import { createServer } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockStarts, choosePorts, isFree, type PortBlock } from '../../../../src/daemon/worktree/setup/ports.js';
import { failureOf } from '../../store/failures.js';

const always = () => Promise.resolve(true);

test('blocks lie side by side from the beginning of the range; one that was freed is given again', async () => {
  const taken = [0, 1, 3].map((number) => ({ start: 20_000 + 10 * number, count: 10 }));
  const choice = { range: [20_000, 20_099], count: 10, taken } as const;
  expect(await choosePorts(choice, always)).toBe(20_020);
  expect([...blockStarts(choice)]).toEqual([20_020, 20_040, 20_050, 20_060, 20_070, 20_080, 20_090]);
});

test('a block of which one port is in use is passed over', async () => {
  const choice = { range: [20_000, 20_029], count: 10, taken: [] } as const;
  expect(await choosePorts(choice, (port) => Promise.resolve(port !== 20_009 && port !== 20_010))).toBe(20_020);
});

test('when none is left the range and what to do are named', async () => {
  const choice = { range: [20_000, 20_008], count: 10, taken: [] } as const;
  const error = await failureOf(choosePorts(choice, always));
  expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'worktree', range: [20_000, 20_008] } });
  expect(error.message).toContain('between 20000 and 20008');
});

test('no block ever shares a port with another, whatever their sizes, nor leaves the range', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (wanted) => {
      const taken: PortBlock[] = [];
      for (const count of wanted) {
        const next = blockStarts({ range: [30_000, 31_000], count, taken }).next();
        if (!next.done) taken.push({ start: next.value, count });
      }
      const ports = taken.flatMap(({ start, count }) => Array.from({ length: count }, (_, index) => start + index));
      expect(new Set(ports).size).toBe(ports.length);
      expect(ports.every((port) => port >= 30_000 && port <= 31_000)).toBe(true);
    }),
  );
});

test.each(['127.0.0.1', '0.0.0.0', '::'])('a port on which something listens at %s is not free', async (host) => {
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => resolve((server.address() as { port: number }).port));
  });
  expect(await isFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isFree(port)).toBe(true);
});
