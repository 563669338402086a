import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, run } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loginUrl, MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { dropFile } from '../../support/dropped-file.js';
import { hostWithAgents, storeCodexConversation } from '../../support/fake-agents.js';
import { GitRepo } from '../../support/git-repo.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';

const SHELL = "PS1='> ' exec sh";
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SERIOUS = ['serious', 'critical'];

const DEVICES = {
  'a desk in the dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  'a phone in the light': { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
} as const;

let host: TestHost;
let browser: TestBrowser;
let repo: GitRepo;
const ids = { live: '', dead: '', waiting: '' };

beforeAll(async () => {
  host = await TestHost.started();
  browser = await TestBrowser.launch();
  repo = await GitRepo.create({ commits: 0 });
  await repo.write('src/greet.ts', "export const greeting = 'Hello';\n");
  await repo.commit('Greet');
  await repo.write('src/greet.ts', "// to everybody\nexport const greeting = 'Hello, ' + name;\n");
  await repo.write('notes.md', '# Later\n');
  const make = async (name: string, command: string) => (await host.create({ command, cwd: repo.path, metadata: { name } })).id;
  ids.live = await make('live', SHELL);
  ids.waiting = await make('waiting', SHELL);
  ids.dead = await make('dead', 'echo last-words; exit 3');
  await host.reaches(ids.dead, 'dead');
  await host.call('POST', `/api/sessions/${ids.live}/activity`, { state: 'working', message: 'Running the tests' });
  await host.call('POST', `/api/sessions/${ids.waiting}/activity`, { state: 'waiting', message: 'May I?' });
});
afterAll(async () => {
  for (const { id } of await host.sessions()) await host.kill(id);
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

/** What axe has to say that matters, in a line each. */
async function barriers({ page }: MaestroPage): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (): Promise<AxeResults> => {
    const { axe } = window as unknown as { axe: { run: typeof run } };
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary}`));
}

describe.each(Object.entries(DEVICES))('at %s, axe finds nothing serious', (_, device) => {
  let page: MaestroPage;
  const dialog = (name: string | RegExp) => page.page.getByRole('dialog', { name });
  const go = (path: string) => page.open(`http://${host.ready.listen}${path}`);

  beforeAll(async () => {
    page = await browser.logIn(host, device);
  });
  afterAll(async () => {
    const { faults } = page;
    await page[Symbol.asyncDispose]();
    expect(faults).toEqual([]);
  });

  test('in the login', async () => {
    await using stranger = new MaestroPage(await (await browser.profile(device)).newPage());
    await stranger.open(`http://${host.ready.listen}/`);
    await stranger.isSignedOut();
    expect(await barriers(stranger)).toEqual([]);
  });

  test('in the list, and beside it what it opens', async () => {
    await go('/');
    await page.row(ids.dead).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test.each([
    ['Settings…', 'Settings'],
    ['Worktrees and salvage', 'Worktrees and salvage'],
    ['Keys', 'Keys'],
  ])('behind %s', async (item, name) => {
    await page.button('Settings').locator('visible=true').first().click();
    await page.page.getByRole('menuitem', { name: item }).click();
    await dialog(name).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.page.keyboard.press('Escape');
  });

  test('in the form of a new session', async () => {
    await page.button('New session').locator('visible=true').first().click();
    await dialog('New session').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.page.keyboard.press('Escape');
  });

  test('in the palette', async () => {
    await page.page.keyboard.press('Control+Alt+k');
    await page.page.getByRole('option').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.page.keyboard.press('Escape');
  });

  test('in a session that runs, and its menu', async () => {
    await go(`/s/${ids.live}`);
    await page.shows('>');
    expect(await barriers(page)).toEqual([]);
    await page.button('More actions').click();
    await page.page.getByRole('menu').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('in a session that has ended, and the question before it is killed', async () => {
    await go(`/s/${ids.dead}`);
    await page.shows('last-words');
    expect(await barriers(page)).toEqual([]);
    await page.button('Remove').click();
    await dialog(/^Kill/).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('in the changes, and at an address that leads nowhere', async () => {
    await go(`/s/${ids.live}/changes`);
    await page.page.getByText('to everybody').waitFor();
    expect(await barriers(page)).toEqual([]);
    await go('/s/nothing');
    await page.page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('in a split, on the wall, and in what was stored of a session', async () => {
    await go(`/split/${ids.live}/${ids.dead}`);
    await page.shows('>');
    expect(await barriers(page)).toEqual([]);
    await go('/wall');
    await page.page.getByRole('main').getByText('waiting', { exact: true }).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await go(`/s/${ids.live}/output`);
    await page.shows('>');
    expect(await barriers(page)).toEqual([]);
  });
});

describe.each(Object.entries(DEVICES))('at %s, axe finds nothing serious where something is amiss', (_, device) => {
  let agents: TestHost;
  let page: MaestroPage;
  const go = (id: string) => page.open(`http://${agents.ready.listen}/s/${id}`);
  const dialog = (name: string | RegExp) => page.page.getByRole('dialog', { name });

  beforeAll(async () => {
    agents = await hostWithAgents({ MAESTRO_ALLOWED_HOSTS: '127.0.0.1' });
    page = await browser.logIn(agents, device);
  });
  afterAll(async () => {
    const { faults } = page;
    await page[Symbol.asyncDispose]();
    await agents[Symbol.asyncDispose]();
    expect(faults).toEqual([]);
  });

  test('in a terminal that is cut off', async () => {
    const { id } = await agents.create({ command: SHELL });
    await using link = await CuttableLink.to(agents.ready.listen);
    await using cut = new MaestroPage(await (await browser.profile(device)).newPage());
    await cut.open((await loginUrl(agents)).replace(agents.ready.listen, link.listen));
    await cut.isSignedIn();
    await cut.goTo(id);
    await cut.shows('>');
    link.cut();
    await cut.page.getByText(/Cut off since/).waitFor();
    expect(await barriers(cut)).toEqual([]);
    await agents.kill(id);
  });

  test('in a file that is on its way, and in one that failed', async () => {
    const { id } = await agents.create({ command: SHELL });
    await go(id);
    await page.shows('>');
    let fail: (() => Promise<void>) | undefined;
    await page.page.route('**/files?*', (route) => {
      fail = () => route.abort();
    });
    await dropFile(page.page, 'a-recording-of-what-went-wrong.bin', 'x');
    await page.page.getByRole('progressbar').waitFor();
    const end = await until('it to be under way', () => fail);
    expect(await barriers(page)).toEqual([]);
    await end();
    await page.button('Try again').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.button('Dismiss').click();
    await page.page.unroute('**/files?*');
    await agents.kill(id);
  });

  test('in a kill that was refused', async () => {
    await using dirty = await GitRepo.create({ commits: 1 });
    const worktree = { base_repo: dirty.path, branch: 'work', create_branch: true };
    const session = await agents.create({ command: SHELL, cwd: dirty.path, metadata: { name: 'dirty' }, worktree });
    await writeFile(join(session.cwd, 'unsaved.txt'), 'hours of work\n');
    await go(session.id);
    await page.shows('>');
    await page.choose('Kill…');
    await dialog('Kill dirty?').getByRole('button', { name: 'Kill', exact: true }).click();
    const refused = page.page.getByRole('alertdialog', { name: 'Not killed: work would be lost' });
    await refused.waitFor();
    expect(await barriers(page)).toEqual([]);
    const cut = await refused.getByRole('button').evaluateAll((buttons) => buttons.filter((one) => one.scrollWidth > one.clientWidth));
    expect(cut).toEqual([]);
    await page.page.keyboard.press('Escape');
    await agents.kill(session.id, '?force=true');
  });

  test('in the conversations to go on with', async () => {
    const session = await agents.create({ preset: 'codex', metadata: { name: 'sleeper' } });
    await storeCodexConversation(agents, { id: '33333333-3333-4333-8333-333333333333', cwd: session.cwd, prompt: 'mend the login' });
    await agents.call('POST', `/api/sessions/${session.id}/stop`);
    await agents.reaches(session.id, 'dead');
    await go(session.id);
    await page.button('Choose a conversation (1)').click();
    await dialog(/go on with/).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.page.keyboard.press('Escape');
    await agents.kill(session.id);
  });

  test('in how it went when all were resumed', async () => {
    const gone = join(agents.dir, 'gone');
    await mkdir(gone);
    const made = [await agents.create({ command: SHELL }), await agents.create({ command: SHELL, cwd: gone })];
    await agents.killTmux();
    for (const { id } of made) await agents.reaches(id, 'dormant');
    await rm(gone, { recursive: true });
    await page.open(`http://${agents.ready.listen}/`);
    await page.button('Resume all (2)').click();
    await dialog('Resuming 2 sessions').getByText('2 of 2').waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});

describe('axe finds nothing serious', () => {
  test('before there is a session, and in one that sleeps', async () => {
    await using fresh = await TestHost.started();
    await using page = await browser.logIn(fresh, { colorScheme: 'light' });
    await page.page.getByRole('heading', { name: 'Start your first session' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    const { id } = await fresh.create({ command: `printf '\\033[31mred\\033[0m \\033[2mfaint\\033[0m words'; ${SHELL}` });
    await page.goTo(id);
    await page.shows('faint words');
    await fresh.killTmux();
    await fresh.reaches(id, 'dormant');
    await page.page.getByRole('region', { name: 'Resume' }).waitFor();
    await page.shows('faint words');
    expect(await barriers(page)).toEqual([]);
    expect(page.faults).toEqual([]);
  });
});
