import { expect, test } from 'vitest';
import { isStartOf } from '../../../../src/daemon/agents/sources/status-file.js';

test.each([
  ['2342097', '2342097', true],
  ['2342097', '2342098', false],
  [undefined, '2342097', true],
  ['a form that nobody knows', '2342097', true],
  ['a form that nobody knows', 'Mon Nov 30 09:12:44 2026', true],
])('a process that began at %s may be the one that began at %s: %s', (procStart, started, may) => {
  expect(isStartOf(procStart, started)).toBe(may);
});

test('the two forms of ps are compared as moments, the one in UTC, the other in local time', () => {
  const started = 'Mon Nov 30 09:12:44 2026';
  const utc = new Date(Date.parse(started)).toUTCString().replace(/ GMT$/, '');
  expect(isStartOf(utc, started)).toBe(true);
  expect(isStartOf('Mon Nov 30 09:12:45 2025', started)).toBe(false);
});
