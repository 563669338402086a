import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectSetup } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { COMMIT, MARKUP, WorktreeBench } from './worktree-bench.js';

let bench: WorktreeBench;
beforeAll(async () => {
  bench = await WorktreeBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

describe('the project field', () => {
  test('finds a project by a few letters, and takes it with Enter', async () => {
    const page = await bench.logIn();
    const { field, list } = await bench.openForm(page);
    await field.fill('pay');
    const option = list.getByRole('option', { name: /payments-api/ });
    await option.waitFor();
    expect(await option.textContent()).toMatch(/main[\s\S]*Begin[\s\S]*3h[\s\S]*1 session/);
    await page.page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('~/src/payments-api');
    await list.waitFor({ state: 'detached' });
    expect(bench.answers.creates).toEqual([]);
  });

  test('offers all projects to the arrows, says which one is pointed at, and Escape closes only the list', async () => {
    const page = await bench.logIn();
    const { form, field, list } = await bench.openForm(page);
    await field.focus();
    expect(await list.count()).toBe(0);
    await page.page.keyboard.press('ArrowDown');
    await page.page.keyboard.press('ArrowDown');
    expect(await list.getByRole('option').count()).toBe(3);
    const active = await field.getAttribute('aria-activedescendant');
    expect(await page.page.locator(`[id="${active}"]`).textContent()).toContain('release/[U+202E]2');
    await page.page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await form.isVisible()).toBe(true);
  });

  test('completes a path with Tab as a shell does, and Tab then goes on', async () => {
    const page = await bench.logIn();
    const { field, list } = await bench.openForm(page);
    await field.fill('~/s');
    await list.getByRole('option', { name: '~/srv' }).waitFor();
    await page.page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('~/sr');
    await page.page.keyboard.type('v');
    await page.page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('~/srv/');
    await list.getByRole('option', { name: '~/srv/data' }).waitFor();
    await page.page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('~/srv/data/');
    await page.page.keyboard.press('Tab');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(false);
  });

  test('asks for nothing that is out of date, and not for every key', async () => {
    const page = await bench.logIn();
    const { field, list } = await bench.openForm(page);
    await field.click(); // what is there is selected
    await page.page.keyboard.type('~/src/pay', { delay: 5 });
    await list.getByRole('option', { name: /payments-api/ }).waitFor();
    const asked = () => bench.answers.asked.filter(({ path }) => path.startsWith('/api/paths')).map(({ path }) => path);
    await until('the whole path to be asked for', async () => asked().some((path) => path.endsWith('pay')));
    expect(asked().length).toBeLessThan(4);
  });
});

describe('a worktree of its own', () => {
  test('is asked for with a branch called like the session, and is remembered for the project', async () => {
    bench.createElsewhere();
    const page = await bench.logIn();
    const { form, field } = await bench.openForm(page);
    await field.fill('~/src/payments-api');
    await form.getByRole('switch', { name: 'Own worktree' }).click();
    await form.getByText('From main at e41b07c. Killing it never loses work.').waitFor();
    await form.getByLabel('Name').fill('Refund race!');
    expect(await form.getByLabel('Branch').inputValue()).toBe('refund-race');
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.waitFor({ state: 'detached' });
    expect(bench.answers.creates).toEqual([
      expect.objectContaining({ worktree: { base_repo: `${bench.host.home}/src/payments-api`, branch: 'refund-race' } }),
    ]);
    expect(bench.answers.creates[0]).not.toHaveProperty('cwd');
    const again = await bench.openForm(page);
    await again.field.fill('~/src/payments-api');
    await again.form.getByText('Remembered for payments-api').waitFor();
    expect(await again.form.getByRole('switch').getAttribute('aria-checked')).toBe('true');
    await again.field.fill('~/src/storefront');
    expect(await again.form.getByRole('switch').getAttribute('aria-checked')).toBe('false');
  });

  test('begins where it was said to', async () => {
    bench.createElsewhere();
    const page = await bench.logIn();
    const { form, field } = await bench.openForm(page);
    await field.fill('~/src/payments-api');
    await form.getByRole('switch').click();
    await form.getByLabel('From', { exact: true }).fill('origin/next');
    await form.getByLabel('Branch').fill('mine');
    await form.getByLabel('Name').fill('another name');
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.waitFor({ state: 'detached' });
    expect(bench.answers.creates).toMatchObject([{ worktree: { branch: 'mine', base: 'origin/next' } }]);
  });

  test('shows which branches there are, before anything is asked for', async () => {
    const commit = { id: COMMIT, subject: 'Begin', author: 'Ada', at: new Date().toISOString() };
    bench.answers.branches = [
      { name: 'main', remote: false, commit, worktree: `${bench.host.home}/src/payments-api` },
      { name: 'fix', remote: false, commit },
      { name: 'origin/next', remote: true, commit },
    ];
    bench.createElsewhere();
    const page = await bench.logIn();
    const { form, field } = await bench.openForm(page);
    await field.fill('~/src/payments-api');
    await form.getByRole('switch').click();
    const offered = (label: string) =>
      form
        .getByLabel(label, { exact: true })
        .evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));
    await until('the bases to be there', async () => (await offered('From')).join(' ') === 'main fix origin/next');
    await form.getByLabel('Name').fill('main');
    await form.getByText('There is such a branch already.').waitFor();
    expect(await form.getByRole('button', { name: 'Use the existing branch' }).count()).toBe(0);
    await form.getByLabel('Name').fill('fix');
    await form.getByRole('button', { name: 'Use the existing branch' }).click();
    expect(await offered('Branch, as it is')).toEqual(['fix']);
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.waitFor({ state: 'detached' });
    expect(bench.answers.creates).toMatchObject([{ worktree: { branch: 'fix', create_branch: false } }]);
  });

  test('is not offered for a directory that is in no repository, nor for a repository without a commit', async () => {
    const page = await bench.logIn();
    const { form, field } = await bench.openForm(page);
    await field.fill('~/empty');
    await form.getByText('has no commit yet').waitFor();
    expect(await form.getByRole('switch').isDisabled()).toBe(true);
    await field.fill('~/srv');
    await form.getByRole('switch').waitFor({ state: 'detached' });
  });

  test('on a branch that is there can use it, or take another name', async () => {
    const message = 'the branch fix exists already; take another name, or use the existing branch';
    const taken = { code: 'branch_conflict', message, details: { branch: 'fix' } } as const;
    bench.answers.create = async () => ({ refused: taken });
    const page = await bench.logIn();
    const { form, field } = await bench.openForm(page);
    await field.fill('~/src/payments-api');
    await form.getByRole('switch').click();
    await form.getByLabel('Name').fill('fix');
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.getByRole('alert').filter({ hasText: 'The branch fix exists already.' }).waitFor();
    await form.getByRole('button', { name: 'Take fix-2' }).click();
    expect(await form.getByLabel('Branch').inputValue()).toBe('fix-2');
    await form.getByLabel('Branch').fill('fix');
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.getByRole('button', { name: 'Use the existing branch' }).click();
    bench.createElsewhere();
    await form.getByText('On fix as it is.').waitFor();
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.waitFor({ state: 'detached' });
    expect(bench.answers.creates.at(-1)).toMatchObject({ worktree: { branch: 'fix', create_branch: false } });
  });
});

describe('what a repository wants to run', () => {
  const setup = (repo: string): ProjectSetup => ({
    repo,
    hash: `sha256:${'a'.repeat(64)}`,
    trusted: false,
    setup: `npm ci\necho '${MARKUP}' \u202e`,
    teardown: 'docker compose down',
    env: { PORT_BASE: '4000' },
    copy: ['.env.local'],
    ports: 2,
  });

  async function openUntrusted(page: MaestroPage) {
    const { form, field } = await bench.openForm(page);
    await field.fill('~/src/payments-api');
    await form.getByRole('switch').click();
    return form;
  }

  test('is shown word for word, and runs only when that is chosen', async () => {
    bench.answers.setup = setup;
    bench.createElsewhere();
    const page = await bench.logIn();
    const form = await openUntrusted(page);
    const shown = form.getByRole('region', { name: 'Set-up of the repository' });
    await shown.waitFor();
    const text = await shown.textContent();
    for (const part of [MARKUP, '[U+202E]', 'npm ci', 'docker compose down', 'PORT_BASE=4000', '.env.local', '2 ports'])
      expect(text).toContain(part);
    await form.getByRole('button', { name: 'Start without set-up' }).click();
    await form.waitFor({ state: 'detached' });
    expect(bench.answers.creates).toMatchObject([{ worktree: { setup: 'skip' } }]);
    expect(bench.answers.asked.some(({ path }) => path.endsWith('/trust'))).toBe(false);
    expect(await page.page.evaluate(() => 'pwned' in window)).toBe(false);
  });

  test('is trusted by the hash that was shown', async () => {
    bench.answers.setup = setup;
    bench.createElsewhere();
    const page = await bench.logIn();
    const form = await openUntrusted(page);
    await form.getByRole('button', { name: 'Trust and start' }).click();
    await form.waitFor({ state: 'detached' });
    expect(bench.answers.asked.find(({ path }) => path.endsWith('/trust'))?.body).toEqual({
      repo: `${bench.host.home}/src/payments-api`,
      hash: `sha256:${'a'.repeat(64)}`,
    });
    expect(bench.answers.creates[0]).not.toMatchObject({ worktree: { setup: 'skip' } });
  });

  test('is shown when the daemon refuses it, though the page knew of none', async () => {
    const repo = `${bench.host.home}/src/payments-api`;
    bench.answers.create = async () => ({ refused: { code: 'forbidden', message: 'not trusted', details: { setup: setup(repo) } } });
    const page = await bench.logIn();
    const form = await openUntrusted(page);
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.getByRole('alert').filter({ hasText: 'Nothing was started' }).waitFor();
    await form.getByRole('region', { name: 'Set-up of the repository' }).getByText('docker compose down').waitFor();
    await form.getByRole('button', { name: 'Trust and start' }).waitFor();
  });
});
