import { describe, expect, test } from 'vitest';
import { arrowSequence, NO_MODIFIERS, withModifiers } from '../../src/web/terminal/key-sequence.js';
import { ModifierLatch } from '../../src/web/terminal/modifier-latch.js';
import { pasteable } from '../../src/web/terminal/paste.js';

const CTRL = { ctrl: true, alt: false };
const ALT = { ctrl: false, alt: true };

test('arrows follow the program’s cursor key mode, and tell their modifiers', () => {
  expect(arrowSequence('up', NO_MODIFIERS, false)).toBe('\u001b[A');
  expect(arrowSequence('up', NO_MODIFIERS, true)).toBe('\u001bOA');
  expect(arrowSequence('left', CTRL, true)).toBe('\u001b[1;5D');
  expect(arrowSequence('right', ALT, false)).toBe('\u001b[1;3C');
  expect(arrowSequence('down', { ctrl: true, alt: true }, false)).toBe('\u001b[1;7B');
});

test('Ctrl makes control characters of those that have one', () => {
  expect(['c', 'C', '[', ' ', '?', '@', '1', 'é'].map((key) => withModifiers(key, CTRL))).toEqual([
    '\u0003',
    '\u0003',
    '\u001b',
    '\0',
    '\u007f',
    '\0',
    '1',
    'é',
  ]);
});

test('Alt puts an ESC ahead, and several characters at once are not held', () => {
  expect(withModifiers('b', ALT)).toBe('\u001bb');
  expect(withModifiers('c', { ctrl: true, alt: true })).toBe('\u001b\u0003');
  expect(withModifiers('paste', CTRL)).toBe('paste');
  expect(withModifiers('👍', ALT)).toBe('\u001b👍');
});

describe('a modifier of the key bar', () => {
  test('holds for one key', () => {
    const latch = new ModifierLatch();
    latch.tap('ctrl');
    expect([latch.apply('c'), latch.apply('c')]).toEqual(['\u0003', 'c']);
  });

  test('locked, it holds until it is tapped again', () => {
    const latch = new ModifierLatch();
    latch.hold('ctrl');
    expect([latch.apply('a'), latch.apply('b')]).toEqual(['\u0001', '\u0002']);
    latch.tap('ctrl');
    expect(latch.apply('c')).toBe('c');
  });

  test('is not used up by what no key sends, such as a mouse report', () => {
    const latch = new ModifierLatch();
    latch.tap('ctrl');
    expect(latch.apply('\u001b[<0;1;1M')).toBe('\u001b[<0;1;1M');
    expect(latch.value.ctrl).toBe('once');
  });
});

test('pasted text cannot end the bracket around it', () => {
  expect(pasteable('a\u001b[201~rm -rf')).toBe('a␛[201~rm -rf');
  expect(pasteable('tab\tand\nlines')).toBe('tab\tand\nlines');
});
