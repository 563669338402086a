import { expect, test } from 'vitest';
import { LoginCodes } from '../../../src/daemon/api/login-codes.js';

function setUp() {
  let now = 0;
  const codes = new LoginCodes({ now: () => Date.now(), monotonic: () => now });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { codes, pass };
}

test('a code opens once', () => {
  const { codes } = setUp();
  const { code } = codes.issue();
  expect(codes.redeem(code)).toBe('accepted');
  expect(codes.redeem(code)).toBe('refused');
});

test('a code is good for as long as it says, and no longer', () => {
  const { codes, pass } = setUp();
  const first = codes.issue();
  pass(first.validMs - 1);
  expect(codes.redeem(first.code)).toBe('accepted');
  const second = codes.issue();
  pass(second.validMs);
  expect(codes.redeem(second.code)).toBe('refused');
});

test('ten wrong codes close the door for a minute, also to a right one', () => {
  const { codes, pass } = setUp();
  const { code } = codes.issue();
  for (let n = 0; n < 10; n += 1) expect(codes.redeem(`wrong-${n}`)).toBe('refused');
  expect(codes.redeem(code)).toBe('locked');
  pass(60_000);
  expect(codes.redeem(code)).toBe('accepted');
});

test('codes that nobody uses do not pile up', () => {
  const { codes } = setUp();
  const first = codes.issue();
  for (let n = 0; n < 50; n += 1) codes.issue();
  expect(codes.redeem(first.code)).toBe('refused');
});
