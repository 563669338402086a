import { afterEach, beforeEach, expect, test } from 'vitest';
import { unixTransport } from '../../src/cli/unix-transport.js';
import { MaestroClient } from '../../src/client/maestro-client.js';
import { FakeDaemon } from '../support/fake-daemon.js';
import { fakeDiff, fakeFileDiff, fakeSalvage, fakeSetup, fakeWorktree } from '../support/fake-worktrees.js';

let fake: FakeDaemon;
let client: MaestroClient;
beforeEach(async () => {
  fake = await FakeDaemon.start();
  client = new MaestroClient(unixTransport({ socketPath: fake.socketPath, refusal: 'nobody is there' }));
});
afterEach(() => fake[Symbol.asyncDispose]());

const project = { path: '/srv/app', name: 'app', bare: false, branch: 'main', sessions: [] };
const { hash = '' } = fakeSetup();
const trusted = { repo: '/srv/app', hashes: [hash], at: '2026-01-02T03:04:05.000Z' };
const [entry, salvage] = [fakeWorktree(), fakeSalvage()];
const file = fakeFileDiff();
const { id } = salvage;
const restored = { path: '/srv/w', branch: 'fix', created_branch: false };

test.each([
  ['projects', () => client.projects(), 'GET /api/projects', undefined, [project]],
  ['paths', () => client.paths('~/a b'), 'GET /api/paths?prefix=%7E%2Fa+b', undefined, { entries: [], truncated: false }],
  ['branches', () => client.branches('/a b'), 'GET /api/projects/branches?repo=%2Fa+b', undefined, { branches: [], truncated: false }],
  ['projectSetup', () => client.projectSetup({ repo: '/a' }), 'GET /api/projects/setup?repo=%2Fa', undefined, fakeSetup()],
  [
    'projectSetup at a base',
    () => client.projectSetup({ repo: '/a', base: 'main' }),
    'GET /api/projects/setup?repo=%2Fa&base=main',
    undefined,
    fakeSetup(),
  ],
  ['trusted', () => client.trusted(), 'GET /api/projects/trust', undefined, [trusted]],
  ['trust', () => client.trust({ repo: '/a', hash }), 'POST /api/projects/trust', { repo: '/a', hash }, trusted],
  ['worktrees', () => client.worktrees(), 'GET /api/worktrees', undefined, [entry]],
  ['removeWorktree', () => client.removeWorktree(id), `DELETE /api/worktrees/${id}`, undefined, { path: '/srv/w' }],
  [
    'removeWorktree by force',
    () => client.removeWorktree(id, { force: true }),
    `DELETE /api/worktrees/${id}?force=true`,
    undefined,
    { path: '/srv/w', branch_kept: 'fix', salvage_ref: salvage.ref },
  ],
  ['salvages', () => client.salvages(), 'GET /api/salvage', undefined, [salvage]],
  ['salvage', () => client.salvage(id), `GET /api/salvage/${id}`, undefined, { ...salvage, files: [], commits: [] }],
  ['salvageDiff', () => client.salvageDiff(id), `GET /api/salvage/${id}/diff`, undefined, fakeDiff([file])],
  [
    'salvageDiff of a file',
    () => client.salvageDiff(id, { path: 'a/ü', context: 0 }),
    `GET /api/salvage/${id}/diff?path=a%2F%C3%BC&context=0`,
    undefined,
    file,
  ],
  ['restoreSalvage', () => client.restoreSalvage(id), `POST /api/salvage/${id}/restore`, {}, restored],
  [
    'restoreSalvage elsewhere',
    () => client.restoreSalvage(id, { path: '/srv/w' }),
    `POST /api/salvage/${id}/restore`,
    { path: '/srv/w' },
    restored,
  ],
  ['diff', () => client.diff(id), `GET /api/sessions/${id}/diff`, undefined, fakeDiff([file])],
  ['diff against', () => client.diff(id, { against: 'head' }), `GET /api/sessions/${id}/diff?against=head`, undefined, fakeDiff([file])],
  [
    'fileDiff',
    () => client.fileDiff(id, { path: '-x', against: 'base', context: 9 }),
    `GET /api/sessions/${id}/diff?path=-x&against=base&context=9`,
    undefined,
    file,
  ],
] as const)('%s asks for the right thing and hands on the answer', async (_name, call, line, body, answer) => {
  fake.routes = () => ({ json: answer });
  expect(await call()).toEqual(answer);
  expect(fake.asked).toMatchObject([{ body }]);
  expect(`${fake.asked[0]?.method} ${fake.asked[0]?.path}`).toBe(line);
});

test('taking trust back tells whether there was any', async () => {
  fake.routes = () => ({ json: { revoked: false } });
  expect(await client.revokeTrust('/a b')).toBe(false);
  expect(fake.asked[0]).toMatchObject({ method: 'DELETE', path: '/api/projects/trust?repo=%2Fa+b' });
});

test('a dropped salvage answers nothing that is needed', async () => {
  fake.routes = () => ({ json: { dropped: true } });
  expect(await client.dropSalvage(id)).toBeUndefined();
  expect(fake.asked[0]).toMatchObject({ method: 'DELETE', path: `/api/salvage/${id}` });
});

test('what a newer daemon adds is kept and hurts nothing', async () => {
  fake.routes = () => ({ json: [{ ...entry, inventory: { ...entry.inventory, stashes: 2 }, mood: 'fine' }] });
  expect(await client.worktrees()).toMatchObject([{ mood: 'fine', inventory: { stashes: 2 } }]);
  fake.routes = () => ({ json: { ...fakeSetup(), network: true } });
  expect(await client.projectSetup({ repo: '/a' })).toMatchObject({ network: true });
});
