import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { hostWithAgents } from '../../support/fake-agents.js';
import { PageBench, SHELL, SHOW_KEYS } from '../../support/page-bench.js';
import { until } from '../../support/until.js';

let bench: PageBench;
/** Shows alpha, whose terminal has the keyboard. */
let page: MaestroPage;
let alpha: string;
let beta: string;

beforeAll(async () => {
  bench = await PageBench.start({ host: await hostWithAgents() });
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  page = await bench.logIn();
  alpha = (await bench.opened({ command: SHOW_KEYS, metadata: { name: 'alpha' } }, { page, shows: 'ready' })).id;
  beta = (await bench.host.create({ command: SHELL, metadata: { name: 'beta' } })).id;
  await page.row(beta).waitFor();
  await page.type('');
});
afterEach(() => bench.clear());

const keys = (...pressed: readonly string[]) =>
  pressed.reduce((before, key) => before.then(() => page.page.keyboard.press(key)), Promise.resolve());
const leader = (key: string) => keys('Control+b', key);
const isAt = (id: string) => page.page.waitForURL(`**/s/${id}`);
const inTerminal = () => page.page.evaluate(() => document.activeElement?.className === 'xterm-helper-textarea');
const dialog = (name: string | RegExp) => page.page.getByRole('dialog', { name });

const palette = () => dialog('Find anything');
const field = () => palette().getByRole('combobox');

/** The words of the option that the field says is pointed at, which says so itself. */
async function pointedAt(): Promise<string> {
  const option = await until('the field to point at an option', () =>
    field().evaluate((input) => {
      const id = input.getAttribute('aria-activedescendant');
      const named = id === null ? null : document.getElementById(id);
      return id !== null && { role: named?.role, selected: named?.ariaSelected, words: named?.textContent ?? '' };
    }),
  );
  expect(option).toMatchObject({ role: 'option', selected: 'true' });
  return option.words;
}

function pointsAt(words: RegExp): Promise<unknown> {
  return until(`the palette to point at ${words}`, async () => words.test(await pointedAt()));
}

describe('the palette', () => {
  test('takes no key from the terminal but the leader’s, and goes to a session by a few letters', async () => {
    await keys('Control+k');
    await page.shows('^K');
    expect(await palette().count()).toBe(0);
    await leader('k');
    await field().waitFor();
    await page.page.keyboard.type('bet');
    await pointsAt(/beta/);
    await keys('Enter');
    await isAt(beta);
    await palette().waitFor({ state: 'detached' });
    await page.shows('>');
    await until('the terminal to have the keyboard', inTerminal);
    await page.page.keyboard.type('echo he""re');
    await keys('Enter');
    await page.shows('here');
  });

  test('offers first what was used last, moves by arrows, and Escape gives the keyboard back', async () => {
    await page.goTo(beta);
    await page.type('');
    await keys('Control+Alt+k');
    await field().waitFor();
    await pointsAt(/alpha/);
    await palette().getByRole('group', { name: 'Recent' }).waitFor();
    await keys('ArrowDown');
    expect(await pointedAt()).not.toMatch(/alpha/);
    await keys('ArrowUp', 'ArrowUp');
    const last = await pointedAt();
    await keys('ArrowDown');
    expect(await pointedAt()).not.toBe(last);
    await keys('Escape');
    await palette().waitFor({ state: 'detached' });
    expect(await inTerminal()).toBe(true);
    await keys('Control+Alt+k', 'Enter');
    await isAt(alpha);
  });

  test('carries out actions, and opens what is theirs', async () => {
    await leader('k');
    await page.page.keyboard.type('>rest');
    await pointsAt(/^Restart.*\^B r$/);
    await keys('Enter');
    await dialog('Restart alpha?').waitFor();
    await keys('Escape');
    await leader('k');
    await page.page.keyboard.type('renam');
    await pointsAt(/Rename/);
    await keys('Enter');
    await page.page.getByRole('textbox', { name: 'Name of the session' }).fill('alpha two');
    await keys('Enter');
    await page.page.getByRole('heading', { name: 'alpha two' }).waitFor();
  });

  test('offers the actions of another session behind Tab, and takes the narrowing back', async () => {
    await leader('k');
    await page.page.keyboard.type('beta');
    await pointsAt(/beta/);
    await keys('Tab');
    const narrowed = palette().getByRole('combobox', { name: 'Actions for beta' });
    await narrowed.waitFor();
    await keys('Backspace');
    await palette().getByRole('combobox', { name: 'Find anything' }).waitFor();
    await page.page.keyboard.type('beta');
    await pointsAt(/beta/);
    await keys('Tab');
    await narrowed.waitFor();
    await page.page.keyboard.type('kil');
    await pointsAt(/Kill/);
    await keys('Enter');
    await dialog('Kill beta?').waitFor();
    await keys('Escape');
  });

  test('shows a session beside the one in view', async () => {
    await leader('k');
    await page.page.keyboard.type('beta');
    await pointsAt(/beta/);
    await keys('Control+Enter');
    await page.page.waitForURL(`**/split/${alpha}/${beta}**`);
    await leader('z');
    await isAt(beta);
  });
});

test('the leader leads to what waits, and by digits to the sessions of the list', async () => {
  await page.goTo(beta);
  await bench.host.call('POST', `/api/sessions/${alpha}/activity`, { state: 'waiting', message: 'May I?' });
  await page.page.getByRole('heading', { name: 'Waiting for you' }).waitFor();
  await page.type('');
  await leader('n');
  await isAt(alpha);
  const second = await page.page.locator('[data-row]').nth(1).getAttribute('data-row');
  expect(second).toBe(beta);
  await until('the terminal to have the keyboard', inTerminal);
  await leader('2');
  await isAt(beta);
  await leader('1');
  await isAt(alpha);
});

test('keys are changed where they are listed, not to one that is taken, for this browser, until they are reset', async () => {
  await leader('?');
  const sheet = dialog('Keys');
  const change = sheet.getByRole('button', { name: 'Key of New session' });
  await change.focus();
  await keys('Enter', 'r');
  await sheet.getByRole('alert').filter({ hasText: 'r is “Restart” already.' }).waitFor();
  await keys('5');
  await sheet.getByRole('alert').filter({ hasText: 'The digits go to' }).waitFor();
  await keys('q');
  await sheet.getByRole('button', { name: 'Key of New session: ^B q' }).waitFor();
  await keys('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.page.reload();
  await page.shows('ready');
  await page.type('');
  await leader('c');
  await leader('q');
  await dialog('New session').waitFor();
  await keys('Escape');
  await leader('?');
  await sheet.getByRole('button', { name: 'Reset the key of New session to c' }).click();
  await sheet.getByRole('button', { name: 'Key of New session: ^B c' }).waitFor();
  expect(await sheet.getByRole('button', { name: 'Reset all keys' }).isDisabled()).toBe(true);
  await keys('Escape');
});

describe('the form of a new session', () => {
  const form = () => dialog('New session');

  test('starts an agent with its first prompt, all by keyboard', async () => {
    await leader('k');
    await page.page.keyboard.type('claude');
    await pointsAt(/Claude Code/);
    await keys('Enter');
    await form().waitFor();
    const prompt = form().getByLabel('First prompt');
    await until('the prompt to have the keyboard', () => prompt.evaluate((element) => element === document.activeElement));
    await page.page.keyboard.type("it's broken:");
    await keys('Enter');
    await page.page.keyboard.type('- mend $HOME');
    await form().getByLabel('Project or directory').fill(bench.host.dir);
    await keys('Control+Enter');
    await form().waitFor({ state: 'detached' });
    await page.shows('READY');
    await page.shows("it's broken:\\n- mend $HOME");
    const { command } = (await bench.host.sessions()).find(({ preset }) => preset === 'claude') ?? {};
    expect(command).toBe("claude 'it'\\''s broken:\n- mend $HOME'");
  });

  test('says under the prompt why there can be none, and asks for none where no agent takes it', async () => {
    await leader('c');
    await form().getByRole('radio', { name: /Shell/ }).click();
    expect(await form().getByLabel('First prompt').count()).toBe(0);
    await form()
      .getByRole('radio', { name: /Custom/ })
      .click();
    await form().getByLabel('Command').fill('claude --print');
    await form().getByLabel('First prompt').fill('go on');
    await form().getByRole('button', { name: 'Start session' }).click();
    await form().getByRole('alert').filter({ hasText: 'The command is no conversation with Claude Code at a terminal.' }).waitFor();
    expect(await form().getByLabel('First prompt').getAttribute('aria-invalid')).toBe('true');
    await keys('Escape');
  });
});
