import { describe, expect, test, vi } from 'vitest';
import { changesHref, outputHref, parseRoute, sessionHref } from '../../src/web/app/route.js';
import { faviconHref, pageTitle } from '../../src/web/attention/page-signs.js';
import { codeIn, takeCode } from '../../src/web/auth/login-code.js';
import { WALL_HREF, wallHref } from '../../src/web/views/wall-address.js';

const ID = '0c9d41e2-7f7a-4a52-9c3d-0123456789ab';

describe('a login code', () => {
  test('is found in a link, its fragment, and alone', () => {
    const given = [
      'http://127.0.0.1:7433/#code=AbC-12_x',
      ' #code=AbC-12_x\n',
      'code=AbC-12_x',
      'AbC-12_x',
      'http://h/s/1#a=b&code=AbC-12_x',
    ];
    expect(given.map(codeIn)).toEqual(given.map(() => 'AbC-12_x'));
  });

  test('is nothing else', () => {
    expect(['', 'http://127.0.0.1:7433/', 'maestro open', '#code=', '#code=%', 'x'.repeat(201)].map(codeIn)).toEqual(
      Array(6).fill(undefined),
    );
  });

  test('leaves the address as soon as it is read, and nothing else does', () => {
    const history = { state: null, replaceState: vi.fn() } as unknown as History;
    const location = { hash: '#code=abc', pathname: `/s/${ID}`, search: '' } as Location;
    expect(takeCode(location, history)).toBe('abc');
    expect(history.replaceState).toHaveBeenCalledWith(null, '', `/s/${ID}`);
    expect(takeCode({ ...location, hash: '#other' } as Location, history)).toBeUndefined();
    expect(history.replaceState).toHaveBeenCalledTimes(1);
  });

  test('leaves the address also when it cannot be read', () => {
    const history = { state: null, replaceState: vi.fn() } as unknown as History;
    expect(takeCode({ hash: '#code=%', pathname: '/', search: '' } as Location, history)).toBeUndefined();
    expect(history.replaceState).toHaveBeenCalledWith(null, '', '/');
  });
});

test('the address of the wall tells which sessions are on it', () => {
  const filter = { query: 'fix & find?', state: 'waiting' } as const;
  const [path = '', search] = wallHref(filter).split('?', 2);
  expect(parseRoute(path, search)).toEqual({ page: 'wall', filter });
  expect(wallHref({ query: ' ', state: undefined })).toBe(WALL_HREF);
  expect(parseRoute(WALL_HREF, 'state=gone&other=1')).toEqual({ page: 'wall' });
});

test('an address leads to the list, to a session, to its changes or output, or to the wall, and only to those', () => {
  expect(parseRoute('/')).toEqual({ page: 'list' });
  expect(parseRoute(sessionHref(ID))).toEqual({ page: 'session', id: ID });
  expect(parseRoute(`/s/${ID}/`)).toEqual({ page: 'session', id: ID });
  expect(parseRoute(changesHref(ID))).toEqual({ page: 'session', id: ID, view: 'changes' });
  expect(parseRoute(outputHref(ID))).toEqual({ page: 'session', id: ID, view: 'output' });
  expect([WALL_HREF, `${WALL_HREF}/`].map((path) => parseRoute(path))).toEqual(Array(2).fill({ page: 'wall' }));
  expect(['/s/', '/s/abc', `/s/${ID}/x`, `/s/${ID}/changes/x`, '/settings', '/wall/x'].map((path) => parseRoute(path).page)).toEqual(
    Array(6).fill('unknown'),
  );
});

describe('the browser’s tab', () => {
  test('tells how many wait and what is shown', () => {
    expect(pageTitle(0, undefined)).toBe('Maestro');
    expect(pageTitle(3, 'resume-race')).toBe('(3) resume-race · Maestro');
  });

  test('has a diamond for one that waits and a number for more', () => {
    const icons = [0, 1, 3, 12].map((waiting) => decodeURIComponent(faviconHref(waiting)));
    expect(icons.every((icon) => icon.startsWith('data:image/svg+xml,<svg'))).toBe(true);
    expect(icons.map((icon) => /<text.*>(.*)<\/text>/.exec(icon)?.[1])).toEqual([undefined, undefined, '3', '9+']);
    expect(new Set(icons).size).toBe(4);
  });
});
