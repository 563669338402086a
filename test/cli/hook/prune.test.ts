import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeReport } from '../../../src/cli/hook/compose-report.js';
import { type Json, jsonBytes, prune } from '../../../src/cli/hook/prune.js';
import { REPORT_LIMIT, ReportRequestSchema } from '../../../src/protocol/index.js';

const AMPLE = 1_000_000;
const PARTS = { agent: 'claude', run: 1, at: 1, pid: 2, ancestors: [{ pid: 1, name: 'init' }] };

describe('every value', () => {
  test('of small size stays as it is', () => {
    const value = { a: [1, 'x', null, true, { b: {} }], ['__proto__']: { c: 'd' } };
    expect(JSON.stringify(prune(value, AMPLE))).toBe(JSON.stringify(value));
  });

  test('that is a text is cut to 4096 characters, and never in the middle of one', () => {
    expect(prune('x'.repeat(4097), AMPLE)).toBe('x'.repeat(4096));
    expect(prune(`${'x'.repeat(4095)}\u{1F600}`, AMPLE)).toBe('x'.repeat(4095));
    expect(prune(`${'x'.repeat(4094)}\u{1F600}y`, AMPLE)).toBe(`${'x'.repeat(4094)}\u{1F600}`);
  });

  test('that is an array keeps its first 50 items', () => {
    const items = Array.from({ length: 60 }, (_, index) => index);
    expect(prune({ items }, AMPLE)).toEqual({ items: items.slice(0, 50) });
  });

  test('that is nested more than 8 levels deep is null', () => {
    const nested = (levels: number): Json => (levels === 0 ? 1 : { in: nested(levels - 1) });
    expect(JSON.stringify(prune(nested(9), AMPLE))).toBe(`${'{"in":'.repeat(8)}null${'}'.repeat(8)}`);
    expect(prune(nested(8), AMPLE)).toEqual(nested(8));
  });
});

describe('what is too large', () => {
  const output = Array.from({ length: 40 }, () => 'o'.repeat(4000));

  test('loses its largest values first, and no key', () => {
    const value = { id: 's-1', input: { command: 'c'.repeat(3000) }, output, note: 'n'.repeat(2000) };
    expect(prune(value, 6000)).toEqual({ ...value, output: output.map(() => null) });
    expect(prune(value, 5200)).toEqual({ ...value, output: null });
  });

  test('loses no more of its largest value than it has to', () => {
    const { lines } = prune({ id: 's-1', result: { output, ok: true }, lines: ['kept'] }, 50_000) as { lines: Json };
    expect(lines).toEqual(['kept']);
    const pruned = prune({ result: { output, ok: true } }, 50_000) as { result: { output: (string | null)[]; ok: boolean } };
    expect(pruned.result.ok).toBe(true);
    expect(pruned.result.output.filter((line) => line !== null)).toHaveLength(12);
  });

  test('by its keys alone is not sent', () => {
    expect(prune(Object.fromEntries(output.map((text, index) => [`${index}${text}`, 1])), 10_000)).toBeUndefined();
  });

  test('fits whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), fc.integer({ min: 2, max: 400 }), (value, limit) => {
        const pruned = prune(value as Json, limit);
        if (pruned !== undefined) expect(jsonBytes(pruned)).toBeLessThanOrEqual(limit);
        if (jsonBytes(value as Json) <= limit) expect(pruned).toBeDefined();
      }),
    );
  });
});

test('a report with the largest payload is one that the daemon takes', () => {
  const payload = Array.from({ length: 50 }, () => '\u{1F600}\0'.repeat(1400));
  const composed = composeReport(PARTS, payload) ?? '';
  expect(Buffer.byteLength(composed)).toBeLessThanOrEqual(REPORT_LIMIT);
  expect(Buffer.byteLength(composed)).toBeGreaterThan(REPORT_LIMIT / 2);
  expect(ReportRequestSchema.safeParse(JSON.parse(composed)).success).toBe(true);
});
