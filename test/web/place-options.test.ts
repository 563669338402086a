import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/protocol/index.js';
import { fuzzyMatch, fuzzyMatches } from '../../src/web/create/fuzzy-match.js';
import { chosenText, fullPath, placeOptions, tabText } from '../../src/web/create/place-options.js';

const HOME = '/home/ada';
const project = (path: string): Project => ({ path, name: path.slice(path.lastIndexOf('/') + 1), bare: false, sessions: [] });
const projects = ['/home/ada/src/storefront', '/home/ada/src/payments-api', '/srv/maestro'].map(project);
const entry = (path: string, repository = false) => ({ path, name: path.slice(path.lastIndexOf('/') + 1), repository });
const offer = (query: string, entries: readonly ReturnType<typeof entry>[] = []) =>
  placeOptions(query, {
    projects,
    places: ['~/notes', '~/src/storefront'],
    completions: { entries: [...entries], truncated: false },
    home: HOME,
  });
const paths = (query: string, entries?: readonly ReturnType<typeof entry>[]) => offer(query, entries).map(({ path }) => path);

describe('a fuzzy match', () => {
  test('needs all characters in their order', () => {
    expect([fuzzyMatch('pay', 'payments'), fuzzyMatch('pya', 'payments')].map((match) => match !== undefined)).toEqual([true, false]);
    expect(fuzzyMatch('', 'x')).toEqual({ score: 0, at: [] });
  });

  test('is better at the beginning of words, and in a name than in a path', () => {
    const items = [
      { name: 'happy', path: '~/a/happy' },
      { name: 'api', path: '~/pa/api' },
      { name: 'payments-api', path: '~/src/payments-api' },
    ];
    expect(fuzzyMatches(items, 'pa', (item) => item)[0]?.name).toBe('payments-api');
    expect(fuzzyMatches(items, 'pay src', (item) => item).map(({ name }) => name)).toEqual(['payments-api']);
  });

  test('keeps the order of those that fit alike', () => {
    const items = ['b', 'a', 'c'].map((name) => ({ name: `x${name}`, path: '' }));
    expect(fuzzyMatches(items, 'x', (item) => item).map(({ name }) => name)).toEqual(['xb', 'xa', 'xc']);
  });
});

describe('the project field', () => {
  test('offers all projects as they come, then the other directories of sessions, each once', () => {
    expect(paths('')).toEqual(['~/src/storefront', '~/src/payments-api', '/srv/maestro', '~/notes']);
  });

  test('looks for anything but a path among what is known', () => {
    expect(paths('pay')).toEqual(['~/src/payments-api']);
    expect(paths('nothing like it')).toEqual([]);
  });

  test('completes a path in the way in which it is written, and knows projects among the directories', () => {
    const entries = [entry('/home/ada/src/payments-api', true), entry('/home/ada/src/pal')];
    expect(offer('~/src/pa', entries).map(({ kind, path }) => [kind, path])).toEqual([
      ['project', '~/src/payments-api'],
      ['directory', '~/src/pal'],
    ]);
    expect(paths('/home/ada/src/pa', entries)).toEqual(['/home/ada/src/payments-api', '/home/ada/src/pal']);
  });

  test('leaves out what completes only what was typed before', () => {
    expect(paths('~/src/pay', [entry('/home/ada/src/pal'), entry('/home/ada/src/pay')])).toEqual(['~/src/pay']);
  });

  test('goes on behind a chosen directory, and is done with a project', () => {
    expect(offer('~/src/pa', [entry('/home/ada/src/payments-api'), entry('/home/ada/src/pal')]).map(chosenText)).toEqual([
      '~/src/payments-api',
      '~/src/pal/',
    ]);
  });
});

describe('Tab', () => {
  const entries = [entry('/home/ada/src/alpha'), entry('/home/ada/src/alpine')];

  test('writes what the completions have in common, then lets the focus go', () => {
    expect(tabText('~/src/a', offer('~/src/a', entries), undefined)).toBe('~/src/alp');
    expect(tabText('~/src/alp', offer('~/src/alp', entries), undefined)).toBeUndefined();
  });

  test('takes the only one, or the one that is pointed at', () => {
    const options = offer('~/src/alpi', entries);
    expect(tabText('~/src/alpi', options, undefined)).toBe('~/src/alpine/');
    expect(tabText('~/src/a', offer('~/src/a', entries), offer('~/src/a', entries)[1])).toBe('~/src/alpine/');
  });

  test('takes the best match of words', () => {
    expect(tabText('pay', offer('pay'), undefined)).toBe('~/src/payments-api');
    expect(tabText('zzz', offer('zzz'), undefined)).toBeUndefined();
  });
});

test('a path is sent whole where the home is known', () => {
  expect(['~', '~/', '~/src/', '/srv//', '/', 'src', '~bob/x'].map((path) => fullPath(path, '/home/ada/'))).toEqual([
    '/home/ada',
    '/home/ada',
    '/home/ada/src',
    '/srv',
    '/',
    'src',
    '~bob/x',
  ]);
  expect(fullPath('~/src', undefined)).toBe('~/src');
});
