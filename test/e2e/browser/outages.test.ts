import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { PageBench, PHONE, SHELL } from '../../support/page-bench.js';
import { CuttableLink } from './cuttable-link.js';

const COUNT = 120;
/** More lines than any screen here has, and then a shell. */
const LONG = `seq -f 'line-%g' 1 ${COUNT}; ${SHELL}`;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } } }); // the way through a link has a port of its own
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

/** The numbers of the lines that {@link LONG} printed, as they stand on the screen. */
function numbered(lines: readonly string[]): number[] {
  return lines.flatMap((line) => /^line-(\d+)$/.exec(line)?.[1] ?? []).map(Number);
}

/** Every line that was printed is there, once and in order, up to the first one. */
async function expectAllOnce(page: MaestroPage): Promise<void> {
  const screens = (await page.screens()).map(numbered);
  for (const numbers of screens) expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n));
  expect(screens.at(-1)?.[0]).toBe(1);
  expect(new Set(screens.flat()).size).toBe(COUNT);
}

/** The page comes to show what tmux shows. */
async function expectSameAsTmux(page: MaestroPage, id: string, host = bench.host): Promise<void> {
  await expect
    .poll(async () => {
      const screen = (await host.screen(id)).trimEnd().split('\n');
      return { page: await page.lines(), tmux: screen.map((line) => line.trimEnd()) };
    })
    .toSatisfy(({ page, tmux }: { page: string[]; tmux: string[] }) => page.join('\n') === tmux.join('\n'));
}

const cutOff = (page: MaestroPage) => page.page.getByText(/Cut off since/);

describe('nothing is lost and nothing comes twice', () => {
  test('after a reload', async () => {
    const { page, id } = await bench.opened(LONG);
    await page.enter('echo typed-$((40 + 2))');
    await page.shows('typed-42');
    await expectSameAsTmux(page, id);
    const before = await page.lines();
    await page.page.reload();
    await page.shows('typed-42');
    await expectSameAsTmux(page, id);
    expect(await page.lines()).toEqual(before);
    await expectAllOnce(page);
  });

  test('in a second tab, which shows the same as the first one while either types', async () => {
    const { page, id } = await bench.opened(SHELL);
    const second = await bench.tab(page);
    await second.shows('>');
    await page.enter('echo one-$((40 + 2))');
    await second.shows('one-42');
    await second.enter('echo two-$((40 + 2))');
    await page.shows('two-42');
    expect(await page.lines()).toEqual(await second.lines());
    await expectSameAsTmux(page, id);
  });

  test('when the network was cut; keys pressed meanwhile are refused, not kept', async () => {
    await using link = await CuttableLink.to(bench.host.ready.listen);
    const page = await bench.logIn({}, `http://${link.listen}`);
    const { id } = await bench.opened(LONG, { page });
    link.cut();
    await page.enter('echo in vain');
    await cutOff(page).waitFor();
    await bench.say(id, 'echo meanwhile');
    await bench.host.shows(id, '\nmeanwhile');
    link.mend();
    await page.shows('echo meanwhile');
    await cutOff(page).waitFor({ state: 'detached' });
    await page.enter('echo back-$((40 + 2))');
    await page.shows('back-42');
    expect((await bench.host.screen(id)).includes('vain')).toBe(false);
    await expectSameAsTmux(page, id);
    await expectAllOnce(page);
  });

  test('when the daemon was killed and started again', async () => {
    await using host = await TestHost.started();
    const { id } = await host.create({ command: LONG });
    const page = bench.keep(await bench.browser.logIn(host));
    await page.goTo(id);
    await page.shows('>');
    const { listen } = host.ready;
    await host.end('SIGKILL');
    await page.enter('echo in vain');
    await cutOff(page).waitFor();
    await page.page.getByText('Cut off, trying again').waitFor();
    await host.start({ env: { MAESTRO_LISTEN: listen } });
    await cutOff(page).waitFor({ state: 'detached' });
    await page.enter('echo back-$((40 + 2))');
    await page.shows('back-42');
    expect((await host.screen(id)).includes('vain')).toBe(false);
    await expectSameAsTmux(page, id, host);
    await expectAllOnce(page);
    await page.page.getByText('Cut off, trying again').waitFor({ state: 'detached' });
  });

  test('when the daemon does not answer for a while', async () => {
    const { page, id } = await bench.opened(SHELL);
    bench.host.signalDaemon('SIGSTOP');
    await page.type('echo slow-$((40 + 2))');
    bench.host.signalDaemon('SIGCONT');
    await page.page.keyboard.press('Enter');
    await page.shows('slow-42');
    await expectSameAsTmux(page, id);
  });
});

test('a session whose tmux server was killed is shown dormant over its old output, and comes back from the page', async () => {
  const { page, id } = await bench.opened(`echo life-$((40 + 2)); ${SHELL}`);
  await page.enter('echo typed-before');
  await bench.host.shows(id, '\ntyped-before');
  await bench.host.killTmux();
  const card = page.page.getByRole('region', { name: 'Resume' });
  await card.getByText(/Dormant since/).waitFor();
  await page.shows('typed-before');
  expect((await bench.host.session(id)).status).toBe('dormant');
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.waitFor({ state: 'detached' });
  await page.shows('life-42');
  await page.enter('echo typed-after-$((40 + 2))');
  await page.shows('typed-after-42');
  expect((await bench.host.session(id)).status).toBe('running');
  // The new program has the screen for itself; what the old one printed is one screen up.
  const now = await page.lines();
  expect(now).not.toContain('typed-before');
  const above = (await page.screens()).flat();
  expect(above.filter((line) => line === 'typed-before')).not.toEqual([]);
});

describe('on a phone', () => {
  test('one goes from the list to a session and back, types, and nothing is wider than the screen', async () => {
    const { id } = await bench.host.create({ command: LONG, metadata: { name: 'in the pocket' } });
    const page = await bench.logIn(PHONE);
    const overflow = () => page.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBe(0);
    await page.row(id).tap();
    await page.shows('>');
    expect(await overflow()).toBe(0);
    await page.button('Take over size').first().tap();
    await page.enter('echo pocket-$((40 + 2))');
    await page.shows('pocket-42');
    expect((await bench.host.session(id)).size.cols).toBeLessThan(80);
    await page.enter('exec cat');
    await page.type('to be ended');
    await page.shows('to be ended');
    await page.page.getByRole('toolbar', { name: 'Terminal keys' }).getByRole('button', { name: 'Control C' }).tap();
    expect((await bench.host.reaches(id, 'dead')).exit).toMatchObject({ signal: 2 });
    await page.page.getByRole('link', { name: 'Back to sessions' }).tap();
    await page.row(id).getByText('in the pocket').waitFor();
  });
});
