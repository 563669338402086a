import { readFile } from 'node:fs/promises';
import type { CDPSession, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MaestroPage } from '../../support/browser.js';
import { CLIPBOARD, PageBench, PHONE, SHELL, SHOW_KEYS } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { CuttableLink } from './cuttable-link.js';
import { FEW, restsIn } from './drags.js';

let bench: PageBench;
/** Of a desk; every test looks at a session of its own. */
let desk: MaestroPage;

beforeAll(async () => {
  bench = await PageBench.start({ daemon: { env: { MAESTRO_ALLOWED_HOSTS: '127.0.0.1' } }, desk: CLIPBOARD });
  desk = await bench.desk();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(async () => {
  await show(desk, 'visible');
  await desk.page.setViewportSize({ width: 1100, height: 700 });
  await bench.clear();
});

const opened = (command: string, shows = '>') => bench.opened(command, { shows });

const field = (page: MaestroPage): Locator => page.page.locator('.xterm-helper-textarea');

/** Pastes as the browser does it, whatever is on the clipboard of the machine. */
async function paste(page: MaestroPage, text: string, file?: { name: string; type: string; content: string }): Promise<void> {
  await field(page).evaluate(
    (target, { text, file }) => {
      const data = new DataTransfer();
      if (text !== '') data.setData('text/plain', text);
      if (file !== undefined) data.items.add(new File([file.content], file.name, { type: file.type }));
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    { text, file },
  );
}

const clipboard = (page: MaestroPage) => page.page.evaluate(() => navigator.clipboard.readText());

describe('pasting', () => {
  test('many lines into a program that does not know of pasting asks first; one line, or one that knows, does not', async () => {
    const { page } = await opened(SHELL);
    await paste(page, 'echo single-$((40 + 2))\n');
    await page.shows('single-42');
    await paste(page, 'echo one-$((1 + 1))\necho two-$((1 + 1))\n');
    const question = page.page.getByRole('alertdialog', { name: 'Paste 2 lines?' });
    await question.getByText('echo two-$((1 + 1))').waitFor();
    await question.getByRole('button', { name: 'Do not paste' }).click();
    await paste(page, 'echo three-$((1 + 1))\n  echo four-$((1 + 1))\n');
    await question.getByRole('button', { name: 'As one line' }).click();
    await page.page.keyboard.press('Enter');
    await page.shows('three-2 echo four-2');
    await paste(page, 'echo five-$((1 + 1))\necho six-$((1 + 1))\n');
    await question.getByRole('button', { name: 'Paste 2 lines' }).click();
    await page.shows('six-2');
    expect((await page.lines()).join('\n')).not.toMatch(/^(one|two)-2/m);
    await page.enter("printf '\\033[?2004h'; cat -v");
    await page.shows('cat -v');
    await paste(page, 'first\nsecond\n');
    await page.shows('^[[200~first');
    expect(await question.count()).toBe(0);
  });

  test('an image sends it to the session and types its path; a file can be dropped; one that is too large is refused', async () => {
    const { page, id } = await opened(SHOW_KEYS, 'ready');
    await paste(page, '', { name: 'image.png', type: 'image/png', content: 'picture' });
    const [line] = await page.shows('image.png');
    expect(line).toBe('ready');
    expect(await readFile(`${bench.host.state}/uploads/${id}/image.png`, 'utf8')).toBe('picture');
    expect((await page.lines()).join('')).toContain(`${bench.host.state}/uploads/${id}/image.png`);
    const drop = (content: string | number) =>
      page.page.locator('.xterm-screen').evaluate((target, content) => {
        const data = new DataTransfer();
        const bytes = typeof content === 'number' ? new Uint8Array(content) : content;
        data.items.add(new File([bytes], 'my notes.md', { type: 'text/markdown' }));
        for (const type of ['dragover', 'drop'])
          target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }, content);
    await drop('remember');
    await page.shows("my notes.md'");
    expect(await readFile(`${bench.host.state}/uploads/${id}/my notes.md`, 'utf8')).toBe('remember');
    await drop(25 * 1024 * 1024 + 1);
    await page.page.getByText('my notes.md has 25 MiB, and 25 MiB can be sent').waitFor();
  });

  test('text of an office program is pasted as text, though a picture of it comes along', async () => {
    const { page } = await opened(SHOW_KEYS, 'ready');
    await paste(page, 'cell A1', { name: 'image.png', type: 'image/png', content: 'picture' });
    await page.shows('cell A1');
  });
});

describe('the clipboard', () => {
  test('is written by a program once the user allows it for the session, and never by what was printed before', async () => {
    const { page, id } = await opened(SHELL);
    await page.page.evaluate(() => navigator.clipboard.writeText('mine'));
    const write = (text: string) => page.enter(`printf '\\033]52;c;${Buffer.from(text).toString('base64')}\\007'`);
    await write('first');
    const note = page.page.getByText('The program wants to put text on your clipboard.');
    await note.waitFor();
    expect(await clipboard(page)).toBe('mine');
    await page.button('Allow in this session').click();
    await note.waitFor({ state: 'detached' });
    await expect.poll(() => clipboard(page)).toBe('first');
    await write('second ✓');
    await expect.poll(() => clipboard(page)).toBe('second ✓');
    await page.page.evaluate(() => navigator.clipboard.writeText('mine again'));
    await page.page.reload();
    await page.shows('>');
    await page.enter('echo after-$((40 + 2))');
    await page.shows('after-42');
    expect(await clipboard(page)).toBe('mine again');
    await write('third');
    await expect.poll(() => clipboard(page)).toBe('third');
    expect((await bench.host.session(id)).status).toBe('running');
  });

  test('of who refuses stays as it is, and he is asked no more', async () => {
    const { page } = await opened(SHELL);
    await page.page.evaluate(() => navigator.clipboard.writeText('mine'));
    await page.enter("printf '\\033]52;c;Zmlyc3Q=\\007'");
    await page.button('Refuse').click();
    await page.enter("printf '\\033]52;c;c2Vjb25k\\007'; echo done-$((40 + 2))");
    await page.shows('done-42');
    expect(await page.page.getByText('The program wants to put text').count()).toBe(0);
    expect(await clipboard(page)).toBe('mine');
  });

  test('takes what is selected, by key, and at once where that is wished', async () => {
    const { page } = await opened(`printf 'alpha beta\\n'; ${SHELL}`);
    const select = () => page.page.locator('.xterm-screen').dblclick({ position: { x: 12, y: 8 } });
    await select();
    await page.page.keyboard.press('Control+Shift+C');
    await expect.poll(() => clipboard(page)).toBe('alpha');
    await page.page.evaluate(() => navigator.clipboard.writeText('mine'));
    await page.page.evaluate(() => localStorage.setItem('maestro.copy_on_select', 'true'));
    await page.page.reload();
    await page.shows('alpha');
    await select();
    await expect.poll(() => clipboard(page)).toBe('alpha');
    await page.page.evaluate(() => localStorage.removeItem('maestro.copy_on_select'));
    await page.page.reload();
  });
});

describe('keyboards on screens and input methods', () => {
  /** A key that an input method took, and the text that came of it. */
  async function soft(cdp: CDPSession, text: string): Promise<void> {
    const key = { key: 'Unidentified', code: '', windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 229 };
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await cdp.send('Input.insertText', { text });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }

  test('lose no character and double none', async () => {
    const { page } = await opened(SHOW_KEYS, 'ready');
    const cdp = await page.page.context().newCDPSession(page.page);
    await field(page).focus();
    for (const character of 'fast typing of aabb') await soft(cdp, character);
    await page.shows('fast typing of aabb');
    await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await cdp.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await cdp.send('Input.insertText', { text: '日本' });
    await page.shows('aabbM-fM-^WM-%M-fM-^\\M-,');
    for (const character of ' then 。') await soft(cdp, character);
    await page.shows('M-, then M-cM-^@M-^B');
    await page.page.keyboard.type('xyz');
    await page.shows('M-^Bxyz');
    expect((await page.lines()).join('')).toBe('readyfast typing of aabbM-fM-^WM-%M-fM-^\\M-, then M-cM-^@M-^Bxyz');
  });

  test('erase, and mend a word', async () => {
    const { page } = await opened(SHOW_KEYS, 'ready');
    const cdp = await page.page.context().newCDPSession(page.page);
    await field(page).focus();
    for (const character of 'teh') await soft(cdp, character);
    await page.shows('teh');
    const put = (inputType: string, data: string | null) =>
      field(page).evaluate(
        (target, { inputType, data }) => {
          target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Unidentified', keyCode: 229, bubbles: true, cancelable: true }));
          target.dispatchEvent(new InputEvent('input', { inputType, data, bubbles: true, composed: true }));
        },
        { inputType, data },
      );
    await put('deleteContentBackward', null);
    await put('deleteWordBackward', null);
    await put('insertText', 'the');
    await put('insertLineBreak', null);
    await page.shows('teh^?^Wthe^M');
  });
});

describe('a terminal that is cut off without a word', () => {
  async function overLink(command: string): Promise<{ page: MaestroPage; id: string; link: CuttableLink }> {
    const link = await CuttableLink.to(bench.host.ready.listen);
    const page = await bench.logIn({}, `http://${link.listen}`);
    const { id } = await bench.opened(command, { page });
    return { page, id, link };
  }

  test('finds that out when the user comes back, and goes on with every line once', async () => {
    const { page, id, link } = await overLink(SHELL);
    await using _ = link;
    await page.enter('echo before-$((40 + 2))');
    await page.shows('before-42');
    link.freeze();
    await bench.host.call('POST', `/api/sessions/${id}/input`, { text: 'echo meanwhile-$((40 + 2))', submit: true });
    await bench.host.shows(id, 'meanwhile-42');
    await page.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.shows('meanwhile-42');
    await page.enter('echo back-$((40 + 2))');
    await page.shows('back-42');
    const lines = await page.lines();
    for (const word of ['before-42', 'meanwhile-42', 'back-42']) expect(lines.filter((line) => line === word)).toEqual([word]);
  });

  test('shows a session that was looked at before from what the page has kept of it', async () => {
    const { page, id, link } = await overLink(SHELL);
    await using _ = link;
    const other = await bench.host.create({ command: `echo other; ${SHELL}` });
    await page.enter('echo kept-$((40 + 2))');
    await page.shows('kept-42');
    await page.goTo(other.id);
    await page.shows('other');
    await page.goTo(id); // its size is this window's by now
    await page.shows('kept-42');
    await page.goTo(other.id);
    await page.shows('other');
    link.cut();
    await page.row(id).click();
    await page.shows('kept-42');
    link.mend();
    await page.enter('echo again-$((40 + 2))').catch(() => undefined);
    await until('the terminal to take keys', async () => {
      await page.enter('echo again-$((40 + 2))');
      return (await page.lines()).includes('again-42');
    });
    expect((await page.lines()).filter((line) => line === 'kept-42')).toEqual(['kept-42']);
  });
});

describe('what is drawn', () => {
  test('of the past is its end alone, however much there is of it', async () => {
    const { page } = await opened(`seq -f 'line-%g' 1 20000; ${SHELL}`);
    await page.page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const rows = [...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent ?? '');
        const last = rows.filter((row) => row.trim() !== '').at(-1);
        if (last !== undefined && last !== seen.at(-1)) seen.push(last.trim());
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.page.reload();
    await page.shows('line-20000');
    await page.shows('>');
    const seen = await page.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    // xterm.js draws elements now and then for other reasons than output.
    expect(seen.filter((last) => last.startsWith('line-')).length).toBeLessThan(6);
  });

  test('stays in view while the user reads older lines, and the way back says how many have come', async () => {
    const { page, id } = await opened(`seq -f 'line-%g' 1 200; ${SHELL}`);
    const pill = page.page.locator('.pill-end');
    await page.page.locator('.xterm-screen').hover();
    await page.page.mouse.wheel(0, -900);
    await pill.getByText('Jump to the end').waitFor();
    const before = await page.lines();
    await bench.host.call('POST', `/api/sessions/${id}/input`, { text: 'seq 1 30', submit: true });
    await pill.getByText('31 new lines').waitFor();
    expect(await page.lines()).toEqual(before);
    await pill.click();
    await page.shows('30');
    await pill.waitFor({ state: 'detached' });
  });
});

describe('the wheel', () => {
  const MOUSE = "stty raw -echo; printf '\\033[?1049h\\033[?1002h\\033[?1006hready\\r\\n'; exec cat -v";

  test('goes to a program that asks for the mouse, and moves older lines into view for any other', async () => {
    const { page } = await opened(MOUSE, 'ready');
    await page.page.locator('.xterm-screen').hover({ position: { x: 100, y: 100 } });
    await page.page.mouse.wheel(0, 300);
    await page.shows('^[[<65;');
    await page.page.mouse.wheel(0, -300);
    await page.shows('^[[<64;');
    expect(await page.page.locator('.pill-end').count()).toBe(0);
  });

  test('is turned by a finger', async () => {
    const { id } = await bench.host.create({ command: MOUSE });
    const lines = await bench.host.create({ command: `seq -f 'line-%g' 1 200; ${SHELL}` });
    const page = await bench.logIn(PHONE);
    const cdp = await page.page.context().newCDPSession(page.page);
    const drag = async (by: number) => {
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 150, y: 400 }] });
      for (const part of [0.25, 0.5, 0.75, 1])
        await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 150, y: 400 + by * part }] });
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await page.page.goto(`http://${bench.host.ready.listen}/s/${id}`);
    await page.shows('ready');
    await page.button('Take over size').first().tap();
    await expect.poll(async () => (await bench.host.session(id)).size.cols).toBeLessThan(80);
    await drag(-200);
    await page.shows('^[[<65;');
    await page.page.goto(`http://${bench.host.ready.listen}/s/${lines.id}`);
    await page.shows('line-200');
    await page.button('Take over size').first().tap();
    await expect.poll(async () => (await bench.host.session(lines.id)).size.cols).toBeLessThan(80);
    await drag(300);
    await page.page.locator('.pill-end').waitFor();
  });
});

/** As far as the page can tell. */
const show = (page: MaestroPage, visibility: DocumentVisibilityState) =>
  page.page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);

test('a window that is dragged larger asks for its last size only, and a hidden one for none', async () => {
  const page = desk;
  const sizes: string[] = [];
  page.page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (typeof payload === 'string' && payload.includes('"size"')) sizes.push(payload);
    }),
  );
  const { id } = await opened(SHELL);
  /** The columns once they are other ones, and asked for. */
  const colsAfter = (before: number | undefined) =>
    until('the size to be the window’s', async () => {
      const { size } = await bench.host.session(id);
      return sizes.at(-1) === JSON.stringify({ type: 'size', ...size }) && size.cols !== before && size.cols;
    });
  const usual = await colsAfter(undefined);
  await page.page.setViewportSize({ width: 1200, height: 700 });
  const cols = await colsAfter(usual);
  await page.page.setViewportSize({ width: 800, height: 700 });
  await colsAfter(cols);
  const before = sizes.length;
  const rests = await restsIn(page, 'resize', async () => {
    for (let width = 800; width <= 1200; width += 4) await page.page.setViewportSize({ width, height: 700 });
  });
  // A cell is measured anew with every font that comes, and may be a hair wider than before.
  const isLast = (now: number) => Math.abs(now - cols) <= 1;
  const last = await until('the last size', async () => {
    const { size } = await bench.host.session(id);
    return isLast(size.cols) && sizes.at(-1) === JSON.stringify({ type: 'size', ...size }) && size.cols;
  });
  expect(sizes.length - before).toBeLessThan(FEW + rests);
  await show(page, 'hidden');
  const asked = sizes.length;
  await page.page.setViewportSize({ width: 900, height: 500 });
  await bench.host.call('POST', `/api/sessions/${id}/input`, { text: 'echo seen-$((40 + 2))', submit: true });
  await page.shows('seen-42');
  expect(sizes.length).toBe(asked);
  expect((await bench.host.session(id)).size.cols).toBe(last);
  await show(page, 'visible');
  await until('the size to be the smaller window’s', async () => (await bench.host.session(id)).size.cols < cols);
});
