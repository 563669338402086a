import { expect, test } from 'vitest';
import { parseSeen } from '../../src/web/session/seen-sessions.js';

test('what was looked at is remembered', () => {
  expect(parseSeen('[["a",5],["b",6]]')).toEqual(
    new Map([
      ['a', 5],
      ['b', 6],
    ]),
  );
});

test('what is not understood counts as never seen', () => {
  expect([undefined, '', '{', '{}', 'null', '[1,["a"],["a","b"],[1,2]]'].map((text) => parseSeen(text).size)).toEqual([0, 0, 0, 0, 0, 0]);
});
