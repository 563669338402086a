import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bundleReporter, HookBench, ID } from './hook-bench.js';

const PATH = `${ID}.jsonl`;

beforeAll(bundleReporter);

test('twenty reporters at once mix no lines and lose none', async () => {
  const bench = new HookBench();
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const filler = 'x'.repeat(1000);
  const ends = await Promise.all(numbers.map((number) => bench.hook(['claude'], { input: JSON.stringify({ number, filler }) })));
  expect(ends).toEqual(numbers.map(() => ({ code: 0, output: '' })));
  const found = bench.reports().map(({ payload }) => (payload as { number: number }).number);
  expect(found.sort((a, b) => a - b)).toEqual(numbers);
});

test('a file of more than 32 KiB takes the place of the one before it', async () => {
  const bench = new HookBench();
  const lines = (text: string) => bench.spooled()[text]?.length;
  writeFileSync(join(bench.spool, PATH), `${'o'.repeat(33 * 1024)}\n`);
  await bench.hook(['claude']);
  expect([lines(PATH), lines(`${ID}.1.jsonl`)]).toEqual([1, 1]);
  writeFileSync(join(bench.spool, PATH), `${'n'.repeat(33 * 1024)}\n`);
  await bench.hook(['claude']);
  expect([lines(PATH), lines(`${ID}.1.jsonl`)]).toEqual([1, 1]);
  expect(readFileSync(join(bench.spool, `${ID}.1.jsonl`), 'utf8').startsWith('nnn')).toBe(true);
});

test('reporters with large reports at once leave whole lines, the last among them', async () => {
  const bench = new HookBench();
  const filler = Array.from({ length: 8 }, () => 'x'.repeat(4000));
  await Promise.all(Array.from({ length: 12 }, () => bench.hook(['claude'], { input: JSON.stringify({ filler }) })));
  await bench.hook(['claude'], { input: JSON.stringify({ last: true }) });
  expect(bench.reports().map(({ payload }) => payload)).toContainEqual({ last: true });
});

test('what another reporter could write only half of stays a line of its own', async () => {
  const bench = new HookBench();
  writeFileSync(join(bench.spool, PATH), '{"half');
  await bench.hook(['claude']);
  const [half, whole = ''] = bench.spooled()[PATH] ?? [];
  expect(half).toBe('{"half');
  expect(JSON.parse(whole)).toMatchObject({ id: ID });
});

test('a fifo in place of the file holds nobody up', async () => {
  const bench = new HookBench();
  execFileSync('mkfifo', [join(bench.spool, PATH)]);
  expect(await bench.hook(['claude'])).toEqual({ code: 0, output: '' });
});
