import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clipboardText } from '../../src/web/terminal/clipboard-writes.js';
import { linesOf, onOneLine, runsAtOnce } from '../../src/web/terminal/paste.js';
import { quotedPath } from '../../src/web/terminal/quoted-path.js';
import { type Transferred, transferredOf } from '../../src/web/terminal/transferred-files.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('what a program wants to put on the clipboard (OSC 52)', () => {
  test('is its text, whichever selection it names', () => {
    for (const selection of ['c', '', 's0', 'pc']) expect(clipboardText(`${selection};${base64('héllo ✓')}`)).toBe('héllo ✓');
  });

  test.each(['c;?', 'c;', 'c', '', 'c;***', `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`, `c;${'A'.repeat(5_000_000)}`])(
    'is nothing where it is a question, no text, or too much: %#',
    (data) => {
      expect(clipboardText(data)).toBeUndefined();
    },
  );
});

describe('a paste', () => {
  test('of many lines is dangerous to a program that does not know of pasting', () => {
    expect(runsAtOnce('one\ntwo', false)).toBe(true);
    expect(runsAtOnce('one\rtwo\r', false)).toBe(true);
    expect(runsAtOnce('one\ntwo', true)).toBe(false);
    expect(runsAtOnce('one\r\n', false)).toBe(false);
    expect(runsAtOnce('one', false)).toBe(false);
  });

  test('has lines however they end, and can be made one', () => {
    expect(linesOf('a\r\nb\rc\n')).toEqual(['a', 'b', 'c']);
    expect(onOneLine('if true\n  then echo\n\nfi\n')).toBe('if true then echo fi');
  });
});

test('a path is one word of shell text, and plain where that is enough', () => {
  expect(quotedPath('/state/uploads/x/shot-2.png')).toBe('/state/uploads/x/shot-2.png');
  expect(quotedPath("/x/it's mine.md")).toBe("'/x/it'\\''s mine.md'");
  const names = fc.string({ minLength: 1, maxLength: 30 }).filter((name) => !/[\0\n]/.test(name));
  const paths = fc.sample(names, 60);
  const shown = execFileSync('sh', ['-c', `printf '%s\\n' ${paths.map((path) => quotedPath(`/${path}`)).join(' ')}`], { encoding: 'utf8' });
  expect(shown.split('\n').slice(0, -1)).toEqual(paths.map((path) => `/${path}`));
});

describe('what was transferred', () => {
  interface Item {
    readonly name: string;
    readonly type?: string;
    readonly folder?: boolean;
  }
  const data = (text: string, items: readonly Item[] = []) =>
    ({
      getData: () => text,
      items: items.map(({ name, type = '', folder = false }) => ({
        kind: 'file',
        webkitGetAsEntry: () => ({ isDirectory: folder }),
        getAsFile: () => ({ name, type }),
      })),
    }) as unknown as DataTransfer;
  const names = (transferred: Transferred) => ('files' in transferred ? transferred.files.map(({ name }) => name) : undefined);

  test('is the text of an office program that adds a picture, and the files of a file manager that adds their names', () => {
    expect(transferredOf(data('A1', [{ name: 'image.png', type: 'image/png' }]))).toEqual({ text: 'A1' });
    expect(names(transferredOf(data('/tmp/a.txt', [{ name: 'a.txt', type: 'text/plain' }])))).toEqual(['a.txt']);
    expect(names(transferredOf(data('', [{ name: 'image.png', type: 'image/png' }])))).toEqual(['image.png']);
    expect(transferredOf(data('words'))).toEqual({ text: 'words' });
    expect(transferredOf(null)).toEqual({ text: '' });
  });

  test('says where folders are among it', () => {
    expect(transferredOf(data('src', [{ name: 'src', folder: true }]))).toEqual({ files: [], hasFolders: true });
  });
});
