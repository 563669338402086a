import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { PageBench, SHELL } from '../../support/page-bench.js';
import { runMaestro } from '../../support/run-maestro.js';
import { until } from '../../support/until.js';

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

async function opened(request: Parameters<TestHost['create']>[0]): Promise<{ page: MaestroPage; id: string }> {
  const { id } = await bench.host.create(request);
  const page = await bench.logIn();
  await page.goTo(id);
  return { page, id };
}

describe('logging in', () => {
  test('the URL that `maestro open --print` prints logs in, and leaves the address bar', async () => {
    const { stdout } = await runMaestro(['open', '--print'], { env: bench.host.env });
    const page = await bench.blank();
    await page.open(stdout.trim());
    await page.isSignedIn();
    expect(page.page.url()).toBe(`http://${bench.host.ready.listen}/`);
    await page.page.reload();
    await page.isSignedIn();
  });

  test('a code works once: a second browser is told so, and a pasted link of its own lets it in', async () => {
    const url = await bench.loginUrl();
    const first = await bench.blank();
    await first.open(url);
    await first.isSignedIn();
    const second = await bench.blank();
    await second.open(url);
    await second.isSignedOut();
    await second.page.getByRole('alert').filter({ hasText: 'unknown, used or too old' }).waitFor();
    await second.page.getByLabel('Or paste the link or its code').fill(await bench.loginUrl());
    await second.button('Sign in').click();
    await second.isSignedIn();
  });

  test('who has not logged in sees the login page at every address, and nothing else', async () => {
    const { id } = await bench.host.create({ command: SHELL, metadata: { name: 'hidden-name' } });
    const page = await bench.blank();
    for (const path of ['/', `/s/${id}`]) {
      await page.open(`http://${bench.host.ready.listen}${path}`);
      await page.isSignedOut();
      expect(await page.page.content()).not.toContain('hidden-name');
    }
  });

  test('signing out ends it in every tab of the browser', async () => {
    const { page, id } = await opened({ command: SHELL });
    const tab = await page.newTab();
    await tab.shows('>');
    await page.button('Settings').first().click();
    await page.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.isSignedOut();
    await tab.isSignedOut();
    await tab.page.reload();
    await tab.isSignedOut();
    expect((await bench.host.session(id)).status).toBe('running');
  });

  test('a rotated token takes open pages back to the login', async () => {
    await using rotated = await TestHost.started();
    const { id } = await rotated.create({ command: SHELL });
    const page = bench.keep(await bench.browser.logIn(rotated));
    await page.goTo(id);
    expect((await rotated.callLocal('POST', '/api/auth/rotate')).status).toBe(200);
    await page.isSignedOut();
    expect((await rotated.session(id).catch(String)).toString()).toContain('401');
  });
});

describe('a session', () => {
  test('is made by the form, takes what is typed, and shows what it prints', async () => {
    const page = await bench.logIn();
    await page.page.locator('.side').getByRole('button', { name: 'New session' }).click();
    const form = page.page.getByRole('dialog', { name: 'New session' });
    await form.getByRole('radio', { name: /Custom/ }).click();
    await form.getByLabel('Command').fill(SHELL);
    await form.getByLabel('Directory').fill(bench.host.dir);
    await form.getByLabel('Name').fill('made by hand');
    await form.getByRole('button', { name: 'Start session' }).click();
    await page.shows('>');
    await page.enter('echo out-$((40 + 2)) in $PWD');
    await page.shows(`out-42 in ${bench.host.dir}`);
    const [session] = await bench.host.sessions();
    expect(session).toMatchObject({ command: SHELL, cwd: bench.host.dir, metadata: { name: 'made by hand' }, status: 'running' });
  });

  test('a directory that is not there is refused in the form, and nothing is made', async () => {
    const page = await bench.logIn();
    await page.page.locator('.side').getByRole('button', { name: 'New session' }).click();
    const form = page.page.getByRole('dialog', { name: 'New session' });
    await form.getByRole('radio', { name: /Custom/ }).click();
    await form.getByLabel('Command').fill(SHELL);
    await form.getByLabel('Directory').fill('/nowhere/at/all');
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.getByRole('alert').filter({ hasText: '/nowhere/at/all' }).waitFor();
    expect(await bench.host.sessions()).toEqual([]);
  });

  test('that the API makes, renames and removes is on the page without a reload', async () => {
    const page = await bench.logIn();
    const { id } = await bench.host.create({ command: SHELL, metadata: { name: 'by the API' } });
    await page.row(id).getByText('by the API').waitFor();
    await page.goTo(id);
    await bench.host.call('PATCH', `/api/sessions/${id}`, { metadata: { name: 'renamed by the API' } });
    await page.row(id).getByText('renamed by the API').waitFor();
    await page.button('renamed by the API').waitFor();
    await bench.host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message: 'May I?' });
    await page.row(id).getByText('May I?').waitFor();
    await bench.host.kill(id);
    await page.page.getByRole('heading', { name: 'This session is gone' }).waitFor();
    expect(await page.row(id).count()).toBe(0);
  });

  test('is renamed by its title', async () => {
    const { page, id } = await opened({ command: SHELL, metadata: { name: 'before' } });
    await page.button('before').click();
    await page.page.getByLabel('Name of the session').fill('after <b>this</b>');
    await page.page.keyboard.press('Enter');
    await page.row(id).getByText('after <b>this</b>').waitFor();
    await until('the name to be kept', async () => (await bench.host.session(id)).metadata.name === 'after <b>this</b>');
  });

  test('is stopped and killed only when that is confirmed', async () => {
    const { page, id } = await opened({ command: `echo last-words; ${SHELL}`, metadata: { name: 'to end' } });
    await page.choose('Stop…');
    const stop = page.page.getByRole('dialog', { name: 'Stop to end?' });
    await stop.getByRole('button', { name: 'Keep it running' }).click();
    await stop.waitFor({ state: 'detached' });
    expect((await bench.host.session(id)).status).toBe('running');
    await page.choose('Stop…');
    await stop.getByRole('button', { name: 'Stop', exact: true }).click();
    expect((await bench.host.reaches(id, 'dead')).exit?.reason).toBe('stopped');
    await page.shows('last-words');
    await page.choose('Kill…');
    await page.page.keyboard.press('Escape');
    expect((await bench.host.session(id)).status).toBe('dead');
    await page.choose('Kill…');
    await page.page.getByRole('dialog', { name: 'Kill to end?' }).getByRole('button', { name: 'Kill', exact: true }).click();
    await page.row(id).waitFor({ state: 'detached' });
    expect(await bench.host.sessions()).toEqual([]);
  });
});
