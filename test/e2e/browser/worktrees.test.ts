import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Salvage, WorktreeEntry } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { SHELL } from '../../support/page-bench.js';
import { inventory } from '../../support/repository-answers.js';
import { COMMIT, ID, MARKUP, WorktreeBench } from './worktree-bench.js';

let bench: WorktreeBench;
beforeAll(async () => {
  bench = await WorktreeBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

describe('a kill by which work would be lost', () => {
  const held = inventory({
    branch: 'refund-race',
    files: [
      { path: 'src/a.ts', kind: 'staged', status: 'modified', bytes: 10 },
      { path: `src/${MARKUP}\u202e.ts`, kind: 'untracked', status: 'untracked', bytes: 2048 },
    ],
    branch_commits: [{ id: COMMIT, subject: `Add ${MARKUP}`, author: 'Ada', at: new Date().toISOString() }],
  });
  const refuse = (details: Record<string, unknown>) => async () => ({
    refused: { code: 'worktree_dirty', message: 'the worktree holds work', details } as const,
  });

  async function kill(page: MaestroPage) {
    const { id } = await bench.host.create({ command: SHELL, metadata: { name: 'refunds' } });
    await page.goTo(id);
    await page.choose('Kill…');
    await page.page.getByRole('dialog', { name: 'Kill refunds?' }).getByRole('button', { name: 'Kill', exact: true }).click();
    return { id, refused: page.page.getByRole('alertdialog', { name: 'Not killed: work would be lost' }) };
  }

  test('is refused with all that the worktree holds; the safe answer has the focus, and changes nothing', async () => {
    bench.answers.kill = refuse({ inventory: held });
    const page = await bench.logIn();
    const { id, refused } = await kill(page);
    await refused.getByText('refunds is still running.').waitFor();
    const text = await refused.textContent();
    for (const part of ['2 files', 'staged', 'untracked', `${MARKUP}[U+202E].ts`, '1 commit on refund-race', 'e41b07c', `Add ${MARKUP}`]) {
      expect(text).toContain(part);
    }
    const keep = refused.getByRole('button', { name: 'Keep it running' });
    expect(await keep.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.page.keyboard.press('Enter');
    await refused.waitFor({ state: 'detached' });
    expect((await bench.host.session(id)).status).toBe('running');
    expect(await page.page.evaluate(() => 'pwned' in window)).toBe(false);
  });

  test('goes on after a salvage, and the page says how to get it back', async () => {
    bench.answers.kill = refuse({ inventory: held });
    const page = await bench.logIn();
    const { id, refused } = await kill(page);
    bench.answers.kill = async (query) => {
      expect(query.get('force')).toBe('true');
      await bench.host.kill(id);
      return {
        removed: true,
        worktree: 'removed',
        branch_kept: 'refund-race',
        salvage_ref: `refs/maestro/salvage/${id}`,
        warnings: ['teardown failed'],
      };
    };
    await refused.getByRole('button', { name: 'Salvage and kill' }).click();
    await refused.waitFor({ state: 'detached' });
    const notes = page.page.getByRole('log');
    await notes.getByText(`maestro salvage restore ${id.slice(0, 8)}`).waitFor();
    await notes.getByText('The branch refund-race is kept.').waitFor();
    await notes.getByText('teardown failed').waitFor();
  });

  test('is not offered a salvage that could not hold all of it, but to keep the worktree', async () => {
    bench.answers.kill = refuse({ inventory: { ...held, nested_repositories: ['vendor/lib'] }, ended: true });
    const page = await bench.logIn();
    const { id, refused } = await kill(page);
    await refused.getByText('The program of refunds has ended').waitFor();
    await refused.getByText('move it elsewhere first').waitFor();
    expect(await refused.getByRole('button', { name: 'Salvage and kill' }).count()).toBe(0);
    bench.answers.kill = async (query) => {
      expect(query.get('keep_worktree')).toBe('true');
      await bench.host.kill(id);
      return { removed: true, worktree: 'kept' };
    };
    await refused.getByRole('button', { name: 'Kill and keep the worktree' }).click();
    await page.page.getByRole('log').getByText('The worktree is kept').waitFor();
  });
});

describe('worktrees and salvage', () => {
  const entry = (more: Partial<WorktreeEntry>): WorktreeEntry => ({
    ...{ id: ID, path: `${bench.host.home}/worktrees/fix`, base_repo: `${bench.host.home}/src/app`, branch: 'fix', created_branch: true },
    ...{ base_commit: COMMIT, created_at: new Date().toISOString(), state: 'left', removable: false, reason: 'it holds work' },
    ...more,
  });
  const salvage = (more: Partial<Salvage> = {}): Salvage => ({
    ...{
      id: ID,
      ref: `refs/maestro/salvage/${ID}`,
      commit: COMMIT,
      base_repo: `${bench.host.home}/src/app`,
      branch: 'fix',
      name: 'fix it',
    },
    ...{ created_at: new Date().toISOString(), files_total: 3, bytes: 4096 },
    ...more,
  });

  test('a worktree that holds work is removed only after a salvage, and when that is confirmed', async () => {
    const held = inventory({ files: [{ path: 'a', kind: 'modified', status: 'modified' }] });
    bench.answers.worktrees = [
      entry({ inventory: held }),
      entry({ id: ID.replace('0c', '1d'), branch: 'busy', state: 'owned', inventory: held }),
    ];
    const page = await bench.logIn();
    const sheet = await bench.openSheet(page);
    await sheet.getByText('Holds 1 file.').first().waitFor();
    expect(await sheet.getByRole('button', { name: 'Remove busy' }).count()).toBe(0);
    await sheet.getByRole('button', { name: 'Remove fix' }).click();
    await page.page.keyboard.press('Enter');
    expect(bench.answers.asked.some(({ method }) => method === 'DELETE')).toBe(false);
    await sheet.getByRole('button', { name: 'Remove fix' }).click();
    await sheet.getByRole('button', { name: 'Salvage and remove' }).click();
    await sheet.getByText(`maestro salvage restore ${ID.slice(0, 8)}`).waitFor();
    expect(bench.answers.asked.find(({ method }) => method === 'DELETE')?.path).toBe(`/api/worktrees/${ID}?force=true`);
    await sheet.getByRole('button', { name: 'Remove fix' }).waitFor({ state: 'detached' });
  });

  test('a salvage is restored, and dropped when that is confirmed', async () => {
    bench.answers.salvages = [salvage(), salvage({ id: ID.replace('0c', '1d'), name: 'lost', missing: true })];
    const page = await bench.logIn();
    const sheet = await bench.openSheet(page);
    await sheet.getByText('kept until it is dropped').first().waitFor();
    expect(await sheet.getByRole('button', { name: 'Restore lost' }).count()).toBe(0);
    await sheet.getByRole('button', { name: 'Restore fix it' }).click();
    await sheet.getByText('Restored fix it in ~/restored, on the branch fix.').waitFor();
    await sheet.getByRole('button', { name: 'Drop fix it' }).click();
    await sheet
      .getByRole('group', { name: /Nothing brings it back/ })
      .getByRole('button', { name: 'Drop' })
      .click();
    await sheet.getByRole('button', { name: 'Drop fix it' }).waitFor({ state: 'detached' });
    expect(bench.answers.asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([`/api/salvage/${ID}`]);
  });

  test('with none of either says how they come to be', async () => {
    const sheet = await bench.openSheet(await bench.logIn());
    await sheet.getByText('No worktrees.').waitFor();
    await sheet.getByText('Nothing is saved.').waitFor();
  });
});
