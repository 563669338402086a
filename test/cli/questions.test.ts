import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import { fakeInventory, fakeSalvage, fakeSetup, fakeWorktree } from '../support/fake-worktrees.js';
import { TmuxTerminal } from './attach/tmux-terminal.js';

const BIN = join(import.meta.dirname, '../../bin/maestro.js');

let fake: FakeDaemon;
let terminal: TmuxTerminal | undefined;
beforeEach(async () => {
  fake = await FakeDaemon.start();
});
afterEach(async () => {
  await terminal?.[Symbol.asyncDispose]();
  terminal = undefined;
  await fake[Symbol.asyncDispose]();
});

const refusal = (code: string, details: unknown): Answer => ({
  status: code === 'forbidden' ? 403 : 409,
  json: { error: { code, message: `no: ${code}`, details } },
});
const changes = () => fake.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

/** Runs `maestro` in a terminal; its exit code shows as `[exit N]`. */
async function open(words: string): Promise<TmuxTerminal> {
  const env = { MAESTRO_STATE_DIR: fake.state, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', NO_COLOR: '1' };
  const script = `"${process.execPath}" "${BIN}" ${words}; echo "[exit $?]"; exec cat`;
  terminal = await TmuxTerminal.open(script, { dir: fake.dir, env });
  return terminal;
}

describe('K2: kill at a terminal, where the worktree holds unsaved work', () => {
  const session = fakeSession({ status: 'dormant', metadata: { name: 'api' } });
  const target = `/api/sessions/${session.id}`;

  function refuse(given: Parameters<typeof fakeInventory>[0] = {}): void {
    const inventory = fakeInventory({ files: [{ path: 'a\x1b[2J', kind: 'untracked', status: 'untracked' }], ...given });
    fake.routes = ({ path }) => {
      if (path === '/api/sessions') return { json: [session] };
      if (path.endsWith('?force=true')) return { json: { removed: true, worktree: 'removed', salvage_ref: 'refs/maestro/salvage/x' } };
      return path.includes('keep_worktree') ? { json: { removed: true, worktree: 'kept' } } : refusal('worktree_dirty', { inventory });
    };
  }

  test.each([
    ['s', [`DELETE ${target}?force=true`], `killed api; its worktree was removed; unsaved work was saved as refs/maestro/salvage/x`, 0],
    ['k', [`DELETE ${target}?keep_worktree=true`], 'killed api; its worktree was kept', 0],
    ['n', [], 'maestro: api was not killed', 1],
    ['', [], 'maestro: api was not killed', 1],
    ['C-d', [], 'maestro: api was not killed', 1],
    ['C-c', [], 'maestro: api was not killed', 1],
  ])('%j decides', async (key, more, told, code) => {
    refuse();
    const opened = await open('kill api');
    expect(await opened.shows('[n]othing?')).toContain(
      'no: worktree_dirty\n  untracked   a\\x1b[2J\n[s]alvage and kill, [k]eep the worktree, [n]othing?',
    );
    await (key.startsWith('C-') ? opened.type(key) : opened.type(key, 'Enter'));
    expect(await opened.shows(`[exit ${code}]`)).toContain(told);
    expect(changes()).toEqual([`DELETE ${target}`, ...more]);
  });

  test('what no salvage can hold is not offered to be saved', async () => {
    refuse({ nested_repositories: ['lib'] });
    const opened = await open('kill api');
    expect(await opened.shows('[n]othing?')).not.toContain('[s]alvage');
    await opened.type('s', 'Enter');
    await opened.shows('[exit 1]');
    expect(changes()).toEqual([`DELETE ${target}`]);
  });

  test('--yes asks nothing and forces nothing', async () => {
    refuse();
    const opened = await open('kill -y api');
    expect(await opened.shows('[exit 1]')).toContain('--force saves everything first, --keep-worktree leaves it');
  });
});

describe('the set-up of a repository is only run once its text was shown and a yes was given', () => {
  const setup = fakeSetup({ setup: 'echo \x1b[2Jhidden' });

  function refuse(): void {
    let trusted = false;
    fake.routes = ({ path }) => {
      if (path.startsWith('/api/projects/setup')) return { json: setup };
      if (path !== '/api/projects/trust') return trusted ? { json: fakeSession() } : refusal('forbidden', { setup });
      trusted = true;
      return { json: { repo: setup.repo, hashes: [setup.hash], at: '2026-01-02T03:04:05.000Z' } };
    };
  }

  test.each([
    ['new -w fix -- cat', 'y', ['POST /api/sessions', 'POST /api/projects/trust', 'POST /api/sessions'], 'started', 0],
    ['new -w fix -- cat', 'n', ['POST /api/sessions'], 'nothing was started; --skip-setup', 1],
    ['trust /srv/app', 'yes', ['POST /api/projects/trust'], '/srv/app is trusted', 0],
    ['trust /srv/app', '', [], 'nothing was trusted', 1],
  ])('%s, answered with %j', async (words, answer, asked, told, code) => {
    refuse();
    const opened = await open(words);
    expect(await opened.shows('[y/N]')).toContain('    echo \\x1b[2Jhidden\nTrust this repository to run it? [y/N]');
    await opened.type(answer, 'Enter');
    expect(await opened.shows(`[exit ${code}]`)).toContain(told);
    expect(changes()).toEqual(asked);
  });
});

describe('cleanup and drop', () => {
  const [entry, salvage] = [fakeWorktree({ branch: 'free' }), fakeSalvage()];

  test.each([
    ['no', 'nothing was removed', 'nothing was dropped', 1, []],
    ['y', `removed ${entry.path}`, 'dropped api', 0, [`DELETE /api/worktrees/${entry.id}`, `DELETE /api/salvage/${salvage.id}`]],
  ])('are asked for; %j answers', async (answer, first, second, code, asked) => {
    fake.routes = ({ method, path }) => {
      if (method === 'GET') return { json: [path.includes('worktrees') ? entry : salvage] };
      return { json: path.includes('worktrees') ? { path: entry.path } : { dropped: true } };
    };
    const opened = await open(`worktree cleanup; "${process.execPath}" "${BIN}" salvage drop api`);
    await opened.shows('Remove 1 worktree? [y/N]');
    await opened.type(answer, 'Enter');
    await opened.shows(first);
    await opened.shows('Drop api (aaaa1111, 2 files)? Nothing brings it back. [y/N]');
    await opened.type(answer, 'Enter');
    expect(await opened.shows(`[exit ${code}]`)).toContain(second);
    expect(changes()).toEqual(asked);
  });
});
