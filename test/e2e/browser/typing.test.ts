import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { CLIPBOARD, PageBench, PHONE } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';

/** Keeps each byte that it gets in a file. */
const KEEP = 'stty raw -echo; printf ready; exec cat > typed';
/** The same, of a program that knows of pasting. */
const KEEP_PASTES = `printf '\\033[?2004h'; ${KEEP}`;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } }, desk: CLIPBOARD });
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

const file = () => readFile(join(bench.host.dir, 'typed'));
const field = (page: MaestroPage) => page.page.locator('.xterm-helper-textarea');

/** Exactly this was typed into the program: what is typed behind it comes right behind it. */
async function typed(page: MaestroPage, wanted: string): Promise<void> {
  await until(`${JSON.stringify(wanted)} to be typed`, async () => (await file()).length >= Buffer.byteLength(wanted)).catch(() => {});
  await page.type('|');
  await until('the mark behind it', async () => (await file()).toString().endsWith('|'));
  expect((await file()).toString()).toBe(`${wanted}|`);
}

async function reader(command = KEEP, page?: MaestroPage): Promise<{ page: MaestroPage; id: string }> {
  const opened = await bench.opened(command, { shows: 'ready', ...(page && { page }) });
  await field(opened.page).focus();
  return opened;
}

const devtools = (page: MaestroPage): Promise<CDPSession> => page.page.context().newCDPSession(page.page);
const copy = (page: MaestroPage, text: string) => page.page.evaluate((words) => navigator.clipboard.writeText(words), text);

describe('what is on the clipboard arrives once', () => {
  const WAYS: Record<string, (page: MaestroPage) => Promise<unknown>> = {
    'Ctrl+Shift+V': (page) => page.page.keyboard.press('Control+Shift+V'),
    'Shift+Insert': (page) => page.page.keyboard.press('Shift+Insert'),
    'the menu of the browser': async (page) => {
      await page.page.locator('.xterm-screen').click({ button: 'right', position: { x: 40, y: 40 } });
      await (await devtools(page)).send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['paste'] });
    },
  };
  const text = 'one \u001b[201~two\r\nthree ✓\nfour';
  const arrives = 'one \u241b[201~two\rthree ✓\rfour';

  test.each(Object.keys(WAYS))('by %s: in brackets where the program knows them, and with nothing in it that ends them', async (way) => {
    const { page } = await reader(KEEP_PASTES);
    await copy(page, text);
    await WAYS[way]?.(page);
    await typed(page, `\u001b[200~${arrives}\u001b[201~`);
  });

  test.each(Object.keys(WAYS))('by %s: as it is where the program does not know of pasting', async (way) => {
    const { page } = await reader();
    await copy(page, 'a line ✓');
    await WAYS[way]?.(page);
    await typed(page, 'a line ✓');
  });

  test('by the key of a touch screen', async () => {
    await bench.host.create({ command: 'exec cat' }); // a phone shows no list that is empty
    const page = await bench.logIn({ ...PHONE, ...CLIPBOARD });
    await reader(KEEP_PASTES, page);
    await copy(page, text);
    await page.page.getByRole('toolbar', { name: 'Terminal keys' }).getByRole('button', { name: 'Paste' }).tap();
    await typed(page, `\u001b[200~${arrives}\u001b[201~`);
  });
});

describe('a key sends what terminals send for it', () => {
  const KEYS: Record<string, string> = {
    Enter: '\r',
    'Shift+Enter': '\r',
    'Control+Enter': '\r',
    'Alt+Enter': '\u001b\r',
    Tab: '\t',
    'Shift+Tab': '\u001b[Z',
    Escape: '\u001b',
    Backspace: '\u007f',
    'Alt+Backspace': '\u001b\u007f',
    Delete: '\u001b[3~',
    Insert: '\u001b[2~',
    Home: '\u001b[H',
    End: '\u001b[F',
    PageUp: '\u001b[5~',
    ArrowUp: '\u001b[A',
    'Control+ArrowLeft': '\u001b[1;5D',
    'Alt+ArrowRight': '\u001b[1;3C',
    'Shift+ArrowDown': '\u001b[1;2B',
    'Alt+b': '\u001bb',
    'Alt+Shift+F': '\u001bF',
    'Alt+.': '\u001b.',
    'Control+a': '\u0001',
    'Control+v': '\u0016',
    'Control+k': '\u000b',
    'Control+w': '\u0017',
    'Control+Space': '\0',
    'Control+[': '\u001b',
    'Control+]': '\u001d',
    'Control+\\': '\u001c',
    F1: '\u001bOP',
    F5: '\u001b[15~',
    F12: '\u001b[24~',
  };

  test('also with Ctrl, Alt and Shift, each once', async () => {
    const { page } = await reader();
    for (const key of Object.keys(KEYS)) await page.page.keyboard.press(key);
    // What AltGr writes bears no modifier here.
    await (await devtools(page)).send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key: '@',
      code: 'KeyQ',
      windowsVirtualKeyCode: 81,
      text: '@',
    });
    await typed(page, `${Object.values(KEYS).join('')}@`);
  });

  test('arrows and Home those of the application, once the program asks for them', async () => {
    const { page } = await reader(`printf '\\033[?1h'; ${KEEP}`);
    for (const key of ['ArrowUp', 'ArrowLeft', 'Home', 'Control+ArrowUp']) await page.page.keyboard.press(key);
    await typed(page, '\u001bOA\u001bOD\u001bOH\u001b[1;5A');
  });

  test('again and again while it is held', async () => {
    const { page } = await reader();
    const cdp = await devtools(page);
    const held = { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88, text: 'x' };
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...held });
    for (let n = 0; n < 19; n += 1) await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...held, autoRepeat: true });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...held, text: '' });
    await typed(page, 'x'.repeat(20));
  });

  /** A key that writes another character with AltGr, or with Option on an Apple keyboard. */
  const LAYOUTS = [
    ['AltGr on Windows', 'Win32', { modifiers: 3, key: '@', code: 'KeyQ', text: '@' }],
    ['Option on a Mac', 'MacIntel', { modifiers: 1, key: '\u00a9', code: 'KeyG', text: '\u00a9' }],
  ] as const;

  async function onPlatform(platform: string): Promise<{ page: MaestroPage; cdp: CDPSession }> {
    const page = await bench.blank();
    const cdp = await devtools(page);
    await cdp.send('Emulation.setUserAgentOverride', { userAgent: 'Chrome', platform });
    await page.open(await bench.loginUrl());
    await page.isSignedIn();
    await reader(KEEP, page);
    return { page, cdp };
  }

  test.each(LAYOUTS)('the character that %s writes, alone', async (_, platform, press) => {
    const { page, cdp } = await onPlatform(platform);
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', windowsVirtualKeyCode: press.code.charCodeAt(3), ...press });
    await typed(page, press.text);
  });

  test('a character that AltGr writes, also where Ctrl and Alt with that key are the page’s', async () => {
    const { page } = await onPlatform('Win32');
    await field(page).evaluate((target) => {
      const press = { key: 'ł', code: 'KeyK', ctrlKey: true, altKey: true, modifierAltGraph: true, bubbles: true, cancelable: true };
      if (target.dispatchEvent(new KeyboardEvent('keydown', { ...press, keyCode: 75 })))
        target.dispatchEvent(new KeyboardEvent('keypress', { ...press, keyCode: 0x142, charCode: 0x142 }));
    });
    await typed(page, 'ł');
    expect(await page.page.getByRole('dialog').count()).toBe(0);
  });
});

describe('an input method', () => {
  /** What stands in the preedit, step by step. */
  async function composed(cdp: CDPSession, ...steps: string[]): Promise<void> {
    for (const text of steps) await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }

  test('types a word once, and nothing that was given up; what is typed right behind it comes behind it', async () => {
    const { page } = await reader();
    const cdp = await devtools(page);
    await composed(cdp, 'n', 'ni', '你');
    await cdp.send('Input.insertText', { text: '你' });
    await page.page.keyboard.press('Enter');
    await composed(cdp, 'h', 'ha', '');
    await page.page.keyboard.type('plain');
    await composed(cdp, 'に', 'にほ', 'にほん');
    await cdp.send('Input.insertText', { text: '日本' });
    await composed(cdp, 'ご');
    await cdp.send('Input.insertText', { text: '語' });
    await page.page.keyboard.type('!');
    await typed(page, '你\rplain日本語!');
  });

  /** Keys that come so fast that the page has no rest between them, as when it draws much. */
  async function atOnce(cdp: CDPSession, ...events: readonly ['compose' | 'commit' | 'press' | 'dead', string][]): Promise<void> {
    await Promise.all(
      events.map(([kind, text]) => {
        if (kind === 'compose') return composed(cdp, text);
        if (kind === 'commit') return cdp.send('Input.insertText', { text });
        const key = text === '\r' ? { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } : { key: text, windowsVirtualKeyCode: 84 };
        if (kind === 'press') return cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text });
        return cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Dead', code: 'Quote', windowsVirtualKeyCode: 222 });
      }),
    );
  }

  test('loses no word to a key that comes right behind it, also behind a dead key', async () => {
    const { page } = await reader();
    const cdp = await devtools(page);
    for (let n = 0; n < 3; n += 1) {
      await atOnce(cdp, ['compose', 'に'], ['compose', 'にほん'], ['commit', '日本'], ['press', '\r']);
      await atOnce(cdp, ['dead', ''], ['compose', '´'], ['commit', 'é'], ['press', 't']);
      await atOnce(cdp, ['compose', 'ㅎ'], ['commit', '한'], ['compose', 'ㄱ'], ['commit', '글'], ['press', 't']);
    }
    await typed(page, '日本\rét한글t'.repeat(3));
  });

  test('that is in the middle of a word when the terminal is left types it once', async () => {
    const { page } = await reader();
    const cdp = await devtools(page);
    await page.page.keyboard.type('a');
    await composed(cdp, '한');
    await page.page.locator('.side').getByRole('button', { name: 'New session' }).click();
    await page.page.getByRole('dialog', { name: 'New session' }).waitFor();
    await page.page.keyboard.press('Escape');
    await field(page).focus();
    await page.page.keyboard.type('b');
    await until('both letters', async () => (await file()).toString().endsWith('b'));
    expect((await file()).toString()).toBe('a한b');
  });
});

/** Pastes as the browser does it, whatever is on the clipboard of the machine. */
async function paste(page: MaestroPage, text: string): Promise<void> {
  await field(page).evaluate((target, words) => {
    const data = new DataTransfer();
    data.setData('text/plain', words);
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

describe('a paste', () => {
  test('of a megabyte arrives whole and in order', async () => {
    const { page } = await reader(KEEP_PASTES);
    const text = Array.from({ length: 16_000 }, (_, n) => `${String(n).padStart(6, '0')} ${'é'.repeat(28)}`).join('\n');
    await paste(page, text);
    const wanted = `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`;
    await until('the end of the paste', async () => (await file()).length >= Buffer.byteLength(wanted));
    const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(await file())).toBe(hash(wanted));
  });

  test('while cut off is refused where the user sees it, and never comes later', async () => {
    await using link = await CuttableLink.to(bench.host.ready.listen);
    const page = await bench.logIn({}, `http://${link.listen}`);
    await reader(KEEP_PASTES, page);
    link.cut();
    await page.page.getByText(/Cut off since/).waitFor();
    await paste(page, 'rm -rf precious\n');
    await page.page.locator('.banner__refused').waitFor();
    link.mend();
    await page.page.getByText(/Cut off since/).waitFor({ state: 'detached' });
    await typed(page, '');
  });

  test('T4: that the program’s terminal does not take says so', async () => {
    const { page } = await reader('stty -echo; printf ready; exec cat > typed');
    await paste(page, 'x'.repeat(5000));
    await page.page.getByRole('log').getByText('4095 bytes').waitFor();
    await page.page.keyboard.type('short');
    await page.page.keyboard.press('Enter');
    await until('the line', async () => (await file()).toString() === 'short\n');
  });

  test('for which there is no room on the way is refused where the user sees it', async () => {
    await using link = await CuttableLink.to(bench.host.ready.listen);
    const page = await bench.logIn({}, `http://${link.listen}`);
    await reader(KEEP_PASTES, page);
    link.freeze();
    const large = 'x'.repeat(3 * 1024 * 1024);
    await until('a paste to be refused', async () => {
      await paste(page, large);
      return (await page.page.getByRole('log').getByText('Not sent: too much').count()) > 0;
    });
    expect((await file()).length).toBe(0);
  });
});
