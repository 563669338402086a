import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { GitRepo } from '../../support/git-repo.js';
import { WorktreeBench } from './worktree-bench.js';

let bench: WorktreeBench;
beforeAll(async () => {
  bench = await WorktreeBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

test('work that a session left in its worktree goes from the form through a salvage back to the disk', async () => {
  await using repo = await GitRepo.create({ name: 'shop' });
  const page = await bench.logInForReal();
  const { form, field } = await bench.openForm(page);
  await field.fill(repo.path);
  await form.getByRole('switch', { name: 'Own worktree' }).click();
  await form.getByLabel('Name').fill('Refund race');
  await form.getByRole('button', { name: 'Start session' }).click();
  await form.waitFor({ state: 'detached' });
  const [session] = await bench.host.sessions();
  expect(session?.worktree).toMatchObject({ branch: 'refund-race', base_repo: repo.path, created_branch: true });
  await page.shows('>');
  await page.enter('echo precious > notes.txt; echo written');
  await page.shows('written');
  await page.choose('Kill…');
  await page.page.getByRole('dialog', { name: 'Kill Refund race?' }).getByRole('button', { name: 'Kill', exact: true }).click();
  const refused = page.page.getByRole('alertdialog');
  await refused.getByText('notes.txt').waitFor();
  await refused.getByRole('button', { name: 'Salvage and kill' }).click();
  await page.page
    .getByRole('log')
    .getByText(`maestro salvage restore ${session?.id.slice(0, 8)}`)
    .waitFor();
  expect(await bench.host.sessions()).toEqual([]);
  const sheet = await bench.openSheet(page);
  await sheet.getByRole('button', { name: 'Restore Refund race' }).click();
  await sheet.getByText('Restored Refund race in').waitFor();
  const worktrees = (await repo.git('worktree', 'list', '--porcelain')).split('\n').filter((line) => line.startsWith('worktree '));
  expect(await readFile(join(worktrees.at(-1)?.slice('worktree '.length) ?? '', 'notes.txt'), 'utf8')).toBe('precious\n');
});

test('a branch that is there is used as it is, and one that is checked out is not', async () => {
  await using repo = await GitRepo.create({ name: 'shop' });
  await repo.git('branch', 'fix');
  const page = await bench.logInForReal();
  const { form, field } = await bench.openForm(page);
  await field.fill(repo.path);
  await form.getByRole('switch', { name: 'Own worktree' }).click();
  await form.getByLabel('Branch').fill('main');
  await form.getByRole('button', { name: 'Start session' }).click();
  await form.getByRole('alert').filter({ hasText: 'in use' }).waitFor();
  expect(await form.getByRole('button', { name: 'Use the existing branch' }).count()).toBe(0);
  await form.getByLabel('Branch').fill('fix');
  await form.getByRole('button', { name: 'Start session' }).click();
  await form.getByRole('button', { name: 'Use the existing branch' }).click();
  await form.getByRole('button', { name: 'Start session' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await bench.host.sessions())[0]?.worktree).toMatchObject({ branch: 'fix', created_branch: false });
});

test('a set-up that nobody trusted is shown before anything is made, and runs once it is trusted', async () => {
  await using repo = await GitRepo.create({ name: 'shop' });
  await repo.write('.maestro/config.toml', 'setup = "echo set-up-ran > set-up.txt"\n');
  await repo.commit('Set up');
  const page = await bench.logInForReal();
  const { form, field } = await bench.openForm(page);
  await field.fill(repo.path);
  await form.getByRole('switch', { name: 'Own worktree' }).click();
  await form.getByRole('region', { name: 'Set-up of the repository' }).getByText('echo set-up-ran > set-up.txt').waitFor();
  await form.getByRole('button', { name: 'Trust and start' }).click();
  await form.waitFor({ state: 'detached' });
  await page.shows('>');
  await page.enter('cat set-up.txt');
  await page.shows('set-up-ran');
});
test('a set-up that cannot be read is told, and left out', async () => {
  await using repo = await GitRepo.create({ name: 'shop' });
  await repo.write('.maestro/config.toml', 'setup = 1\n');
  await repo.commit('Set up badly');
  const page = await bench.logInForReal();
  const { form, field } = await bench.openForm(page);
  await field.fill(repo.path);
  await form.getByRole('switch', { name: 'Own worktree' }).click();
  await form.getByRole('region', { name: 'Set-up of the repository' }).getByText('repair it and commit').waitFor();
  await form.getByRole('button', { name: 'Start without set-up' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await bench.host.sessions())[0]?.worktree).toMatchObject({ base_repo: repo.path });
});
