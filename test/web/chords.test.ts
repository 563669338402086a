import { describe, expect, test } from 'vitest';
import { directAction, isLeader, type KeyPress, leaderChord, leaderLabel, parseLeader } from '../../src/web/app/chords.js';

function press(key: string, ...held: ('ctrl' | 'alt' | 'meta' | 'shift')[]): KeyPress {
  const has = (name: (typeof held)[number]) => held.includes(name);
  return { key, ctrlKey: has('ctrl'), altKey: has('alt'), metaKey: has('meta'), shiftKey: has('shift') };
}

describe('the leader', () => {
  test('is what the host’s configuration says', () => {
    expect(parseLeader('C-b')).toEqual({ key: 'b', ctrl: true, alt: false });
    expect(parseLeader('M-A')).toEqual({ key: 'a', ctrl: false, alt: true });
    expect(parseLeader('C-M-x')).toEqual({ key: 'x', ctrl: true, alt: true });
    expect(parseLeader('C- ')).toEqual({ key: ' ', ctrl: true, alt: false });
  });

  test('is none where a page could not tell it from typing', () => {
    expect(['b', '', 'F1', undefined].map(parseLeader)).toEqual(Array(4).fill(undefined));
  });

  test('is its key with exactly its modifiers', () => {
    const leader = { key: 'b', ctrl: true, alt: false };
    expect(isLeader(press('b', 'ctrl'), leader)).toBe(true);
    expect(isLeader(press('B', 'ctrl'), leader)).toBe(true);
    const others = [press('b'), press('b', 'ctrl', 'alt'), press('b', 'ctrl', 'meta'), press('c', 'ctrl')];
    expect(others.map((other) => isLeader(other, leader))).toEqual([false, false, false, false]);
  });

  test('is written as tmux users write it', () => {
    expect(leaderLabel({ key: 'b', ctrl: true, alt: false })).toBe('^B');
    expect(leaderChord('next_waiting', parseLeader('C-b'))).toBe('^B n');
    expect(leaderChord('next_waiting', undefined)).toBeUndefined();
  });
});

describe('without the leader', () => {
  test('the page takes no key from a program on keyboards whose modifiers terminals know', () => {
    expect(directAction(press('F', 'ctrl', 'shift'), false)).toBe('find');
    expect([press('f', 'ctrl'), press('k', 'ctrl'), press('f', 'meta'), press('f', 'alt')].map((key) => directAction(key, false))).toEqual(
      Array(4).fill(undefined),
    );
  });

  test('it takes Cmd chords, which no terminal sends', () => {
    expect(directAction(press('f', 'meta'), true)).toBe('find');
    expect(directAction(press('k', 'meta'), true)).toBe('jump');
    expect([press('f', 'ctrl'), press('f', 'meta', 'shift'), press('c', 'meta')].map((key) => directAction(key, true))).toEqual(
      Array(3).fill(undefined),
    );
  });
});
