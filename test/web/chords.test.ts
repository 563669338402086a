import { describe, expect, test } from 'vitest';
import {
  chordAction,
  directAction,
  isLeader,
  type KeyPress,
  type Leader,
  leaderChord,
  leaderLabel,
  parseLeader,
} from '../../src/web/keys/chords.js';
import {
  chordsOf,
  isRefusal,
  type KeyBindings,
  keyOf,
  parseBindings,
  rebound,
  restored,
  unbound,
} from '../../src/web/keys/key-bindings.js';
import { ALL_ACTIONS, defaultKey, type PageAction } from '../../src/web/keys/page-actions.js';

function press(key: string, ...held: ('ctrl' | 'alt' | 'meta' | 'shift')[]): KeyPress {
  const has = (name: (typeof held)[number]) => held.includes(name);
  return { key, ctrlKey: has('ctrl'), altKey: has('alt'), metaKey: has('meta'), shiftKey: has('shift') };
}

function leaderWith(bindings: KeyBindings): Leader {
  return { key: 'b', ctrl: true, alt: false, chords: chordsOf(bindings) };
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
    expect(leaderChord('next_waiting', leaderWith({}))).toBe('^B n');
    expect(leaderChord('next_waiting', leaderWith({ next_waiting: 'ArrowRight' }))).toBe('^B →');
    expect(leaderChord('next_waiting', leaderWith({ next_waiting: '' }))).toBeUndefined();
    expect(leaderChord('next_waiting', undefined)).toBeUndefined();
  });
});

describe('without the leader', () => {
  const linux = { isApple: false, inTerminal: true };
  const apple = { isApple: true, inTerminal: true };

  test('the page takes no key from a program on keyboards whose modifiers terminals know', () => {
    expect(directAction(press('F', 'ctrl', 'shift'), linux)).toBe('find');
    const others = [press('f', 'ctrl'), press('k', 'ctrl'), press('f', 'meta'), press('f', 'alt'), press('n', 'alt')];
    expect(others.map((key) => directAction(key, linux))).toEqual(Array(5).fill(undefined));
  });

  test('it takes Ctrl+K where no terminal has the keyboard', () => {
    expect(directAction(press('k', 'ctrl'), { isApple: false, inTerminal: false })).toBe('palette');
    expect(directAction(press('k', 'ctrl'), { isApple: true, inTerminal: false })).toBeUndefined();
  });

  test('it takes two chords of Ctrl and Alt everywhere', () => {
    for (const where of [linux, apple]) {
      expect(directAction(press('k', 'ctrl', 'alt'), where)).toBe('palette');
      expect(directAction({ ...press('˜', 'ctrl', 'alt'), code: 'KeyN' }, where)).toBe('next_waiting');
      expect(directAction(press('c', 'ctrl', 'alt'), where)).toBeUndefined();
    }
  });

  test('it takes Cmd chords, which no terminal sends', () => {
    expect(directAction(press('f', 'meta'), apple)).toBe('find');
    expect(directAction(press('k', 'meta'), apple)).toBe('palette');
    expect([press('f', 'ctrl'), press('f', 'meta', 'shift'), press('c', 'meta')].map((key) => directAction(key, apple))).toEqual(
      Array(3).fill(undefined),
    );
  });
});

describe('behind the leader', () => {
  test('a key means its action, and with Ctrl or Cmd held nothing', () => {
    const leader = leaderWith({});
    expect(chordAction(press('c'), leader)).toBe('new');
    expect(chordAction(press('%', 'shift'), leader)).toBe('split_right');
    expect(chordAction(press('%', 'ctrl', 'alt'), leader)).toBe('split_right'); // written with AltGr
    expect([press('r', 'ctrl'), press('r', 'meta'), press('q')].map((key) => chordAction(key, leader))).toEqual(Array(3).fill(undefined));
  });

  test('no two actions come with the same key, and all keys that they come with can be set', () => {
    const usual = ALL_ACTIONS.flatMap((action) => defaultKey(action) ?? []);
    expect(new Set(usual).size).toBe(usual.length);
    for (const action of ALL_ACTIONS) expect(rebound({}, action, defaultKey(action) ?? 'Q')).not.toHaveProperty('why');
  });
});

describe('a key that is changed', () => {
  const set = (bindings: KeyBindings, action: PageAction, key: string): KeyBindings => {
    const answer = rebound(bindings, action, key);
    if (isRefusal(answer)) throw new Error(answer.why);
    return answer;
  };

  test('replaces the one before it, and is forgotten when it is the usual one again', () => {
    const bindings = set({}, 'new', 'q');
    expect([keyOf(chordsOf(bindings), 'new'), chordsOf(bindings).get('c')]).toEqual(['q', undefined]);
    expect(set(bindings, 'new', 'c')).toEqual({});
    expect(set({}, 'new', 'c')).toEqual({});
  });

  test('is refused when another action has it, and can be had once that has another', () => {
    expect(rebound({}, 'new', 'r')).toEqual({ why: 'taken', key: 'r', by: 'restart' });
    const freed = set({}, 'restart', 'ArrowUp');
    expect(chordsOf(set(freed, 'new', 'r')).get('r')).toBe('new');
    expect(chordsOf(set(unbound({}, 'kill'), 'copy_id', 'x')).get('x')).toBe('copy_id');
    expect(restored(set(set({}, 'new', 'q'), 'wall', 'W'), 'new')).toEqual({ wall: 'W' });
    expect(restored(set(unbound({}, 'kill'), 'copy_id', 'x'), 'kill')).toEqual({ why: 'taken', key: 'x', by: 'copy_id' });
  });

  test('is refused when it is a digit or none that can be told apart', () => {
    expect(rebound({}, 'new', '3')).toEqual({ why: 'session' });
    for (const key of [' ', 'Enter', 'Tab', 'Dead', 'Unidentified', 'Process', '', 'ab', '\u0007'])
      expect(rebound({}, 'new', key)).toEqual({ why: 'not_a_key' });
  });

  test('does not come back to an action whose usual key another one has by now', () => {
    const bindings = set(set({}, 'restart', 'q'), 'new', 'r');
    const { restart: _, ...reset } = bindings;
    const chords = chordsOf(reset);
    expect([chords.get('r'), keyOf(chords, 'restart')]).toEqual(['new', undefined]);
  });

  test('is read from what is stored, without what makes no sense', () => {
    expect(parseBindings(JSON.stringify({ new: 'q', kill: '', nothing: 'a', wall: 7, split: '5', find: 'Enter' }))).toEqual({
      new: 'q',
      kill: '',
    });
    expect(['', '[]', '"a"', 'null', '{'].map(parseBindings)).toEqual(Array(5).fill(undefined));
  });
});
