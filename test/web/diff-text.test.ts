import { describe, expect, test } from 'vitest';
import { languageOf } from '../../src/web/changes/language.js';
import { segments } from '../../src/web/changes/line-segments.js';
import { visiblePieces } from '../../src/web/changes/text-pieces.js';
import { type TokenNode, tokenLines } from '../../src/web/changes/token-lines.js';
import { visibleText } from '../../src/web/parts/visible-text.js';

describe('text that a repository wrote', () => {
  test('shows what would turn the direction of the text around it', () => {
    expect(visibleText('user\u202e \u2066// admin\u2069')).toBe('user[U+202E] [U+2066]// admin[U+2069]');
    expect(visibleText('\u061c\u200e\u200f')).toBe('[U+061C][U+200E][U+200F]');
  });

  test('shows controls, and what has no width or no ink', () => {
    expect(visibleText('\u001b[2J\u0007\r\n\u007f\u0085')).toBe('\u241b[2J\u2407\u240d\u240a\u2421[U+0085]');
    expect(visibleText('a\u200bb\ufeffc\u00add\u3164e\u{e0041}')).toBe('a[U+200B]b[U+FEFF]c[U+00AD]d[U+3164]e[U+E0041]');
  });

  test('is left as it is where it only looks foreign', () => {
    for (const text of ['a\tb', 'naïve', 'עברית', 'क्‍ष', '👩‍👩‍👧', '', '\ufffd']) expect(visibleText(text)).toBe(text);
  });

  test('is cut around what is made visible', () => {
    expect(visiblePieces('a\u202eb')).toEqual([{ text: 'a' }, { text: '[U+202E]', hidden: 'U+202E' }, { text: 'b' }]);
    expect(visiblePieces('\u0007x\u{e0041}').map(({ hidden }) => hidden)).toEqual(['U+0007', undefined, 'U+E0041']);
    expect(visiblePieces('')).toEqual([]);
  });
});

test('a token over several lines is in each of them, in the colour of the innermost kind', () => {
  const element = (className: string, children: TokenNode[]): TokenNode => ({
    type: 'element',
    properties: { className: [className] },
    children,
  });
  const text = (value: string): TokenNode => ({ type: 'text', value });
  const root = {
    type: 'root',
    children: [text('a '), element('hljs-string', [text('`b\nc '), element('hljs-subst', [text('#{d}')]), text('\n\n`')]), text(';')],
  };
  expect(tokenLines(root)).toEqual([
    [{ text: 'a ' }, { text: '`b', color: 'hljs-string' }],
    [
      { text: 'c ', color: 'hljs-string' },
      { text: '#{d}', color: 'hljs-subst' },
    ],
    [],
    [{ text: '`', color: 'hljs-string' }, { text: ';' }],
  ]);
});

test('a change is marked within and across the tokens of a line', () => {
  const tokens = [{ text: 'const', color: 'k' }, { text: ' value = ' }, { text: '12', color: 'n' }];
  const marked = segments(tokens, { start: 3, end: 15 });
  expect(marked.map(({ text, color, isChange }) => `${color ?? ''}${isChange ? '!' : ''}:${text}`)).toEqual([
    'k:con',
    'k!:st',
    '!: value = ',
    'n!:1',
    'n:2',
  ]);
  expect(marked.map(({ text }) => text).join('')).toBe('const value = 12');
  expect(segments(tokens, undefined).map(({ text }) => text)).toEqual(['const', ' value = ', '12']);
  expect(segments([{ text: 'abc' }], { start: 1, end: 1 }).map(({ isChange }) => isChange)).toEqual([false, false]);
});

test('a file’s name tells its language, or nothing', () => {
  expect(['src/a.ts', 'A/B.PY', 'Makefile', 'x/.bashrc', 'tsconfig.jsonc', 'a.constructor'].map(languageOf)).toEqual([
    'ts',
    'py',
    'makefile',
    'bash',
    'json',
    'constructor',
  ]);
  expect(['LICENSE', '.ts', 'a.', 'constructor', 'dir.ts/file'].map(languageOf)).toEqual(Array(5).fill(undefined));
});
