import { describe, expect, test } from 'vitest';
import { RESET_MODES, type TerminalModes } from '../../../src/daemon/bridge/terminal-modes.js';
import { typedKeys } from '../../../src/daemon/session/typed-keys.js';

const kitty: TerminalModes = { ...RESET_MODES, keyboard: { normal: [0, 5], alternate: [0] } };
const xterm: TerminalModes = { ...RESET_MODES, modifyOtherKeys: 1 };

function typed(key: string, { modes = RESET_MODES, isAgent = false }: { modes?: TerminalModes; isAgent?: boolean } = {}): string {
  return typedKeys([key], { modes, isAgent }).join(' ');
}

const spelled = (sequence: string) => `Escape ${[...sequence].join(' ')}`;

describe('a key that old terminals have a byte for', () => {
  test.each(['a', 'A', ';', '-', 'Enter', 'Escape', 'Tab', 'BTab', 'Space', 'BSpace', 'C-a', 'M-x', 'M-Enter', 'C-M-Space', 'C-^', 'C-]'])(
    'is left as it is: %s',
    (key) => expect(typed(key)).toBe(key),
  );

  test.each(['Up', 'C-Left', 'M-S-Right', 'C-M-S-F5', 'S-DC', 'PageUp'])(
    'so is one with a sequence, whatever is held with it: %s',
    (key) => {
      expect(typed(key)).toBe(key);
      expect(typed(key, { modes: kitty })).toBe(key);
    },
  );

  test.each([
    ['S-a', 'A'],
    ['M-S-a', 'M-A'],
    ['C-A', 'C-a'],
    ['C-S-a', 'C-a'],
    ['S-Tab', 'BTab'],
    ['M-S-Tab', 'M-BTab'],
    ['S-Space', 'Space'],
    ['S-Enter', 'Enter'],
    ['C-Enter', 'Enter'],
    ['M-S-Enter', 'M-Enter'],
    ['C-Tab', 'Tab'],
    ['S-Escape', 'Escape'],
    ['S-BSpace', 'BSpace'],
    ['C-BSpace', 'C-h'],
    ['C-M-BSpace', 'C-M-h'],
    ['C-2', 'C-Space'],
    ['C-3', 'Escape'],
    ['C-8', 'BSpace'],
    ['C-?', 'BSpace'],
    ['C--', 'C-_'],
    ['C-M-/', 'M-C-_'],
  ])('%s is what a terminal sends for it', (key, wanted) => expect(typed(key)).toBe(wanted));
});

describe('a key that they have none for', () => {
  test.each(['C-!', 'C-1', 'C-;', 'C-M-,', 'C-~'])('is refused: %s', (key) => {
    expect(() => typed(key)).toThrow(new RegExp(`^${key.replaceAll(/[!;~]/g, '\\$&')} cannot be typed`));
  });

  test('is told as the program has asked', () => {
    expect(typed('C-!', { modes: kitty })).toBe(spelled('[33;5u'));
    expect(typed('C-M-;', { modes: xterm })).toBe(spelled('[27;7;59~'));
  });
});

test('a program that has asked for it can tell what is held with a key that is a byte', () => {
  expect(typed('S-Enter', { modes: kitty })).toBe(spelled('[13;2u'));
  expect(typed('C-Enter', { modes: kitty })).toBe(spelled('[13;5u'));
  expect(typed('C-S-Tab', { modes: kitty })).toBe(spelled('[9;6u'));
  expect(typed('C-S-A', { modes: kitty })).toBe(spelled('[97;6u'));
  expect(typed('S-Enter', { modes: xterm })).toBe(spelled('[27;2;13~'));
  expect(typed('C-BSpace', { modes: xterm })).toBe(spelled('[27;5;127~'));
});

test('what was asked for on one screen is not asked for on the other', () => {
  expect(typed('S-Enter', { modes: { ...kitty, alternate: 1049 } })).toBe('Enter');
  expect(typed('S-Enter', { modes: { ...kitty, alternate: 1049, keyboard: { normal: [0], alternate: [0, 1] } } })).toBe(spelled('[13;2u'));
});

test('an agent gets a new line of its prompt of Shift+Enter, as it asks for where it does', () => {
  expect(typed('S-Enter', { isAgent: true })).toBe('C-j');
  expect(typed('C-Enter', { isAgent: true })).toBe('Enter');
  expect(typed('S-Enter', { isAgent: true, modes: kitty })).toBe(spelled('[13;2u'));
});
