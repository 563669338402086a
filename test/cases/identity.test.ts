import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { runMaestro } from '../support/run-maestro.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1' } });
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await Promise.all((await host.sessions()).map(({ id }) => host.kill(id, '?force=true')));
});

const maestro = (...words: string[]) => runMaestro(words, { env: host.env });

/** Alike to tmux, to an eye, to a shell, in JavaScript, or simply the same. */
const ALIKE = [
  ...['a.b', 'a:b', 'a_b', 'Fix', 'fix', 'f\u0456x', 'fi\uff58', 'same', 'same', '__proto__', 'constructor', 'undefined'],
  ...['=x', '%1', '$1', '@1', '{last}', '+', 'x.', ':0.0', '#(id)', '*'],
];

test('sessions whose names look alike have each its own input, and each kill is of one', async () => {
  const sessions = await Promise.all(ALIKE.map((name) => host.create({ command: 'exec cat', metadata: { name } })));
  expect(sessions.map(({ metadata }) => metadata.name)).toEqual(ALIKE);
  expect(new Set((await host.sessions()).map(({ id }) => id)).size).toBe(ALIKE.length);
  for (const [at, { id }] of sessions.entries()) await host.call('POST', `/api/sessions/${id}/input`, { text: `for-${at}!\n` });
  for (const [at, { id }] of sessions.entries()) {
    const screen = await host.shows(id, `for-${at}!\nfor-${at}!`);
    expect(screen.match(/for-\d+!/g)).toEqual([`for-${at}!`, `for-${at}!`]);
  }
  for (const { id } of sessions.slice(0, 4)) {
    const before = (await host.sessions()).map((one) => one.id);
    expect((await host.kill(id)).status).toBe(200);
    expect((await host.sessions()).map((one) => one.id)).toEqual(before.filter((one) => one !== id));
  }
  expect(await host.panes()).toHaveLength(ALIKE.length - 4);
});

describe('a name', () => {
  test.each<[string, string, string | undefined]>([
    ['of 200 emoji', '😀'.repeat(200), '😀'.repeat(200)],
    ['of 201 emoji', '😀'.repeat(201), undefined],
    ['of 5000 characters', 'x'.repeat(5000), undefined],
    ['in another form of Unicode', 'e\u0301', '\u00e9'],
    ['behind a mark of byte order', '\ufeffx', 'x'],
    ['with blanks around', '  two  words  ', 'two  words'],
    ['of a wide blank', '\u3000', undefined],
    ['of a soft hyphen', '\u00ad', undefined],
    ['that turns the direction', '\u061cgnp', undefined],
    ['with a line separator', 'a\u2028b', undefined],
    ['of a control of eight bits', '\u0085', undefined],
    ['with a tab', 'a\tb', undefined],
    ['of half a character', '\ud83d', undefined],
    ['that reads as nothing', 'null', 'null'],
  ])('%s is kept and found again, or refused with the field, and never in between', async (_what, name, kept) => {
    const { status, body } = await host.call<Session & ApiError>('POST', '/api/sessions', {
      cwd: host.dir,
      command: 'exec sleep 100',
      metadata: { name },
    });
    const listed = (await host.sessions()).map(({ metadata }) => metadata.name);
    if (kept === undefined) {
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(listed).toEqual([]);
      return;
    }
    expect(status).toBe(201);
    expect(listed).toEqual([kept]);
    expect((await host.sidecar(body.id)).metadata).toEqual({ name: kept });
    expect((await host.call('PATCH', `/api/sessions/${body.id}`, { metadata: { name } })).status).toBe(200);
    expect((await host.session(body.id)).metadata.name).toBe(kept);
  });

  test('that is an option to a program, or the id of another session, names nobody else at the command line', async () => {
    const option = await host.create({ command: 'exec sleep 100', metadata: { name: '-rf' } });
    const victim = await host.create({ command: 'exec sleep 100', metadata: { name: 'victim' } });
    const whole = await host.create({ command: 'exec sleep 100', metadata: { name: victim.id } });
    expect((await maestro('stop', victim.id)).code).toBe(0);
    expect((await host.session(victim.id)).status).toBe('dead');
    expect((await host.session(whole.id)).status).toBe('running');
    expect((await maestro('stop', '--', '-rf')).code).toBe(0);
    expect((await host.session(option.id)).status).toBe('dead');
  });
});

test('a branch as long as may be has a worktree that is listed and removed, also in characters of many bytes', async () => {
  await using repo = await GitRepo.create();
  const branches = ['b'.repeat(240), `${'part/'.repeat(47)}end`, '😀'.repeat(60)];
  for (const branch of branches) {
    const made = await host.create({ command: 'exec sleep 100', worktree: { base_repo: repo.path, branch } });
    expect((await host.session(made.id)).worktree?.branch).toBe(branch);
    expect((await host.kill(made.id)).body).toMatchObject({ worktree: 'removed' });
  }
  for (const branch of ['b'.repeat(251), '😀'.repeat(63), 'x'.repeat(5000)]) {
    const { status } = await host.call('POST', '/api/sessions', { command: 'true', worktree: { base_repo: repo.path, branch } });
    expect(status).toBe(400);
  }
  expect(await host.sessions()).toEqual([]);
  expect((await repo.git('worktree', 'list')).split('\n')).toHaveLength(1);
});
