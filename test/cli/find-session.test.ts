import { expect, test } from 'vitest';
import { findSession, findSessions } from '../../src/cli/find-session.js';
import { fakeSession } from '../support/fake-daemon.js';

const named = (id: string, name?: string) => fakeSession({ id, metadata: name === undefined ? {} : { name } });
const api = named('aaaa1111-0000-4000-8000-000000000001', 'api');
const web = named('aaaa2222-0000-4000-8000-000000000002', 'web é');
const odd = named('bbbb0000-0000-4000-8000-000000000003', 'aaaa');
const twin = named('cccc0000-0000-4000-8000-000000000004', 'twin');
const other = named('cccc1111-0000-4000-8000-000000000005', 'twin');
const fifth = named('dddd0000-0000-4000-8000-000000000006', api.id);
const sessions = [api, web, odd, twin, other, fifth];

test.each([
  ['its id', api.id, api],
  ['its id in capitals', web.id.toUpperCase(), web],
  ['the beginning of its id', 'aaaa1', api],
  ['its name', 'api', api],
  ['its name in another Unicode form', 'web e\u0301', web],
  ['its name, before the beginning of an id', 'aaaa', odd],
])('a session is found by %s', (_how, target, session) => {
  expect(findSession(sessions, target)).toBe(session);
});

test('a name that several have, or a beginning that several ids share, lists them', () => {
  expect(() => findSession(sessions, 'twin')).toThrow(new RegExp(`2 sessions fit.*${twin.id}.*${other.id}`, 's'));
  expect(() => findSession(sessions, 'cccc')).toThrow('2 sessions fit');
  expect(() => findSession([api, web], 'aaaa')).toThrow(
    expect.objectContaining({ code: 'ambiguous', exitCode: 4, details: { candidates: [api.id, web.id] } }),
  );
});

test('what no session is called is told; three characters of an id are no name', () => {
  for (const target of ['nope', 'aaa', '', 'bbb', 'WEB'])
    expect(() => findSession(sessions, target)).toThrow(expect.objectContaining({ code: 'not_found', exitCode: 4 }));
});

test('what is shown of a name is safe for a terminal', () => {
  expect(() => findSession([], '\x1b[2J')).toThrow('\\x1b[2J');
});

test('several targets name each session once, in the order given', () => {
  expect(findSessions(sessions, ['web é', 'api', api.id])).toEqual([web, api]);
});
