import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';

const MARKUP = `<img src=x onerror=window.pwned=1><script>window.pwned=1</script>`;

let host: TestHost;
let browser: TestBrowser;
beforeAll(async () => {
  host = await TestHost.started();
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

async function opened(command: string, more: { cwd?: string; metadata?: Record<string, string> } = {}) {
  const { id } = await host.create({ command: `${command}; echo printed; exec cat`, ...more });
  const page = await browser.logIn(host);
  await page.goTo(id);
  await page.shows('printed');
  return { page, id };
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
    const cwd = join(host.dir, '<img src=x onerror=window.pwned=1>');
    await mkdir(cwd);
    const { page: opening, id } = await opened(print(`\u001b]0;title ${MARKUP}\u0007`), { cwd, metadata: { name: MARKUP } });
    await using page = opening;
    await host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message: `message ${MARKUP}` });
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
    const { page: opening, id } = await opened(command);
    await using page = opening;
    await page.row(id).getByText(MARKUP).first().waitFor();
    await page.shows(MARKUP);
    await host.call('POST', `/api/sessions/${id}/stop`);
    await page.page.getByRole('button', { name: /^Restart/ }).waitFor();
    await page.shows(MARKUP);
    await expectHarmless(page);
  });

  test('in the answer to a command that the form sends', async () => {
    await using page = await browser.logIn(host);
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

test('escape sequences in an activity message are shown, not obeyed', async () => {
  const { page: opening, id } = await opened('true', { metadata: { name: 'quiet' } });
  await using page = opening;
  const message = 'before\u001b[2J\u001b]0;stolen\u0007behind';
  await host.call('POST', `/api/sessions/${id}/activity`, { state: 'waiting', message });
  const shown = page.row(id).locator('.row__msg');
  await shown.waitFor();
  expect(await shown.textContent()).toBe(message);
  await page.shows('printed');
  expect(await page.page.title()).toMatch(/quiet · Maestro$/);
  await expectHarmless(page);
});

describe('links that a program marks', () => {
  const link = (target: string, text: string) => `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\\r\n`;

  test('lead nowhere unless they lead to the web', async () => {
    const targets = ['javascript:window.pwned=1', 'data:text/html,<script>1</script>', 'file:///etc/passwd', `vbscript:x`, '/s/x', ''];
    const text = targets.map((target, n) => link(target, `link-${n}`)).join('') + link('https://good.example/', 'link-good');
    const { page: opening } = await opened(print(text));
    await using page = opening;
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
  const { id } = await host.create({ command: `read go; ${print(`${copy}\u001b]52;c;?\u0007`)}; echo printed; exec cat` });
  await using page = await browser.logIn(host);
  const { page: tab } = page;
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: `http://${host.ready.listen}` });
  await page.goTo(id);
  const clipboard = () => tab.evaluate(() => navigator.clipboard.readText());
  await tab.evaluate(() => navigator.clipboard.writeText('mine'));
  await page.enter('go');
  await page.shows('printed');
  expect(await clipboard()).toBe('mine');
  await tab.reload();
  await page.shows('printed');
  expect(await clipboard()).toBe('mine');
  await host.call('POST', `/api/sessions/${id}/stop`);
  await tab.getByRole('button', { name: /^Restart/ }).waitFor();
  await page.shows('printed');
  expect(await clipboard()).toBe('mine');
  expect(await host.scrollback(id).then(String)).not.toContain('bWluZQ'); // "mine", as an answer would have it
});

test('the policy runs no script but those of the daemon, and the page asks nobody else for anything', async () => {
  const asked: string[] = [];
  await using page = await browser.logIn(host);
  page.page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.page.reload();
  await page.isSignedIn();
  expect(new Set(asked)).toEqual(new Set([`http://${host.ready.listen}`]));
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
  expect(page.faults.length).toBeGreaterThanOrEqual(3);
});
