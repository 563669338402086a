import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench } from '../../support/page-bench.js';

const MARKUP = `<img src=x onerror=window.pwned=1><script>window.pwned=1</script>`;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

type More = { readonly cwd?: string; readonly metadata?: Record<string, string> };

async function opened(command: string, more: More = {}) {
  const page = await bench.logIn();
  return bench.opened({ command: `${command}; echo printed; exec cat`, ...more }, { page, shows: 'printed' });
}

/** A program that prints the bytes. */
const print = (text: string) => `printf '%b' '${[...Buffer.from(text)].map((byte) => `\\0${byte.toString(8)}`).join('')}'`;

async function expectHarmless({ page, faults }: MaestroPage): Promise<void> {
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(await page.locator('img, #root script, iframe').count()).toBe(0);
  expect(faults).toEqual([]);
}

describe('markup is shown as the text that it is', () => {
  test('in a name, an activity message, a title and a directory', async () => {
    const cwd = join(bench.host.dir, '<img src=x onerror=window.pwned=1>');
    await mkdir(cwd);
    const { page, id } = await opened(print(`\u001b]0;title ${MARKUP}\u0007`), { cwd, metadata: { name: MARKUP } });
    await bench.host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message: `message ${MARKUP}` });
    await page.row(id).getByText(`message ${MARKUP}`).waitFor();
    await page.row(id).getByText(MARKUP, { exact: true }).waitFor();
    await page.button(MARKUP).waitFor();
    await page.page.locator('.status').getByText(`title ${MARKUP}`).waitFor();
    await page.page.locator('.status').getByText('<img src=x onerror=window.pwned=1>').first().waitFor();
    expect(await page.page.title()).toContain(MARKUP);
    await page.choose('Kill…');
    await page.page.getByRole('heading', { name: `Kill ${MARKUP}?` }).waitFor();
    await expectHarmless(page);
  });

  test('in a command that stands for a name, and in what the program prints', async () => {
    const command = `: '${MARKUP}'; echo '${MARKUP}'`;
    const { page, id } = await opened(command);
    await page.row(id).getByText(MARKUP).first().waitFor();
    await page.shows(MARKUP);
    await bench.host.call('POST', `/api/sessions/${id}/stop`);
    await page.page.getByRole('button', { name: /^Restart/ }).waitFor();
    await page.shows(MARKUP);
    await expectHarmless(page);
  });

  test('in the answer to a command that the form sends', async () => {
    const page = await bench.logIn();
    await page.page.locator('.side').getByRole('button', { name: 'New session' }).click();
    const form = page.page.getByRole('dialog', { name: 'New session' });
    await form.getByRole('radio', { name: /Custom/ }).click();
    await form.getByLabel('Command').fill('true');
    await form.getByLabel('Directory').fill(`/${MARKUP}`);
    await form.getByRole('button', { name: 'Start session' }).click();
    await form.getByRole('alert').getByText(MARKUP).waitFor();
    await expectHarmless(page);
  });
});

test('what an activity message hides, escape sequences or a turn of its direction, is shown, not obeyed', async () => {
  const { page, id } = await opened('true', { metadata: { name: 'quiet' } });
  const message = 'before\u001b[2J\u001b]0;stolen\u0007behind \u202egnp';
  await bench.host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message });
  const shown = page.row(id).locator('.row__msg');
  await shown.waitFor();
  const seen = 'before␛[2J␛]0;stolen␇behind [U+202E]gnp';
  expect(await shown.textContent()).toBe(seen);
  await page.page.locator('.bar__message').getByText(seen).waitFor();
  await page.shows('printed');
  expect(await page.page.title()).toMatch(/quiet · Maestro$/);
  await expectHarmless(page);
});

test('a command, a directory and a title with a turn of direction are shown with it, in every place', async () => {
  const cwd = join(bench.host.dir, 'dir\u202ecod');
  await mkdir(cwd);
  const { page, id } = await opened(`: 'x\u202egnp'; ${print('\u001b]0;a\u202eb\u0007')}`, { cwd });
  await page.page.locator('.status').getByText('a[U+202E]b').waitFor();
  await page.row(id).getByText('[U+202E]gnp').first().waitFor();
  const shown = `${await page.page.title()} ${await page.page.locator('.side, .bar, .status').allTextContents()}`;
  expect(shown).toContain('dir[U+202E]cod');
  expect(shown).not.toContain('\u202e');
  await expectHarmless(page);
});

describe('links that a program marks', () => {
  const link = (target: string, text: string) => `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\\r\n`;

  test('lead nowhere unless they lead to the web', async () => {
    const targets = ['javascript:window.pwned=1', 'data:text/html,<script>1</script>', 'file:///etc/passwd', `vbscript:x`, '/s/x', ''];
    const text = targets.map((target, n) => link(target, `link-${n}`)).join('') + link('https://good.example/', 'link-good');
    const { page } = await opened(print(text));
    const { page: tab } = page;
    const url = tab.url();
    const click = async (words: string, modifiers: 'Control'[] = []) => {
      const row = tab.locator('.xterm-rows > div').filter({ hasText: words });
      await tab.locator('.xterm-screen').hover({ position: { x: 300, y: 300 } });
      const box = await row.boundingBox();
      if (box === null) throw new Error(`${words} is not shown`);
      await tab.mouse.move(box.x + 12, box.y + box.height / 2, { steps: 3 });
      for (const key of modifiers) await tab.keyboard.down(key);
      await tab.mouse.click(box.x + 12, box.y + box.height / 2);
      for (const key of modifiers) await tab.keyboard.up(key);
    };
    for (const n of targets.keys()) {
      await click(`link-${n}`);
      await click(`link-${n}`, ['Control']);
      expect(await tab.locator('.linktip').count()).toBe(0);
    }
    // The same clicks do find a link that may be followed.
    await click('link-good');
    await tab.locator('.linktip').getByText('https://good.example/').waitFor();
    expect(tab.url()).toBe(url);
    expect(tab.context().pages()).toHaveLength(1);
    await expectHarmless(page);
  });
});

test('a program cannot read or write the clipboard, neither live nor when its output is replayed', async () => {
  const copy = `\u001b]52;c;${Buffer.from('planted').toString('base64')}\u0007`;
  const { id } = await bench.host.create({
    command: `printf ready; read go; ${print(`${copy}\u001b]52;c;?\u0007`)}; echo printed; exec cat`,
  });
  const page = await bench.logIn();
  const { page: tab } = page;
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: `http://${bench.host.ready.listen}` });
  await page.goTo(id);
  await page.shows('ready');
  const clipboard = () => tab.evaluate(() => navigator.clipboard.readText());
  await tab.evaluate(() => navigator.clipboard.writeText('mine'));
  await page.enter('go');
  await page.shows('printed');
  expect(await clipboard()).toBe('mine');
  await tab.reload();
  await page.shows('printed');
  expect(await clipboard()).toBe('mine');
  await bench.host.call('POST', `/api/sessions/${id}/stop`);
  await tab.getByRole('button', { name: /^Restart/ }).waitFor();
  await page.shows('printed');
  expect(await clipboard()).toBe('mine');
  expect(await bench.host.scrollback(id).then(String)).not.toContain('bWluZQ'); // "mine", as an answer would have it
});

test('the policy runs no script but those of the daemon, and the page asks nobody else for anything', async () => {
  const asked: string[] = [];
  const page = await bench.blank();
  page.page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.open(await bench.loginUrl());
  await page.isSignedIn();
  await page.page.reload();
  await page.isSignedIn();
  expect(new Set(asked)).toEqual(new Set([`http://${bench.host.ready.listen}`]));
  expect(page.faults).toEqual([]);
  await page.page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 1';
    const holder = document.createElement('div');
    holder.innerHTML = '<img src="data:," onerror="window.pwned = 1"><a href="javascript:window.pwned=1">x</a>';
    document.body.append(script, holder);
    holder.querySelector('a')?.click();
    const elsewhere = Object.assign(document.createElement('script'), { src: 'http://127.0.0.1:9/x.js' });
    await new Promise((refused) => {
      elsewhere.onerror = refused;
      document.body.append(elsewhere);
    });
  });
  expect(await page.page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(page.faults.splice(0).length).toBeGreaterThanOrEqual(3); // asked for, here
});
