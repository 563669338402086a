import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PHONE } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { AFTER, ChangesBench, fileRows, showChanges, shownLines } from './changes-bench.js';

let bench: ChangesBench;
beforeAll(async () => {
  bench = await ChangesBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

describe('a long change', () => {
  test('waits to be asked for; of its 10,000 lines only those in sight are elements', async () => {
    const line = (n: number) => `export const value${n} = ${n};`;
    const { page } = await bench.opened({ 'src/big.ts': `${Array.from({ length: 10_000 }, (_, n) => line(n)).join('\n')}\n` });
    await showChanges(page);
    expect(await shownLines(page).count()).toBe(0);
    await page.button('Show it').click();
    await page.page.getByText(line(0), { exact: true }).waitFor();
    const diff = page.page.locator('.diff');
    let most = 0;
    for (const part of [0.2, 0.5, 0.8, 1]) {
      await diff.evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), part);
      await until(`lines at ${part}`, async () => (await shownLines(page).first().textContent()) !== null);
      most = Math.max(most, await shownLines(page).count());
    }
    await page.page.getByText(line(9_999), { exact: true }).waitFor();
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(200);
  });
});

test('names and contents that pretend to be markup or to be another text are shown as what they are', async () => {
  const name = 'x<img src=x onerror=window.pwned=1>\u202egnp.ts';
  const text = "<script>window.pwned=1</script>\nif (user != 'admin\u202e \u2066// checked\u2069') {}\n\u001b[2Jgone\n";
  const { page } = await bench.opened({ [name]: text });
  await showChanges(page);
  await page.page.getByText('<script>window.pwned=1</script>').waitFor();
  const shown = await page.page.locator('.diff').textContent();
  expect(shown).toContain('x<img src=x onerror=window.pwned=1>[U+202E]gnp.ts');
  expect(shown).toContain("'admin[U+202E] [U+2066]// checked[U+2069]'");
  expect(shown).toContain('\u241b[2Jgone');
  expect(await page.page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(await page.page.locator('img, #root script').count()).toBe(0);
});

test('on a phone the files are behind one button, and every button is large enough for a finger', async () => {
  const { page } = await bench.opened({ 'src/greet.ts': AFTER, 'z.txt': 'last\n' }, PHONE);
  await page.page.getByRole('link', { name: 'Changes' }).tap();
  await page.page.getByText("const text = 'Hello, ';").waitFor();
  expect(await page.button('Split').count()).toBe(0);
  await page.page.locator('.filepick').tap();
  await fileRows(page).filter({ hasText: 'z.txt' }).tap();
  await until('the file to be at the top', async () => (await page.page.locator('.filepick').textContent())?.includes('z.txt'));
  expect(await fileRows(page).first().isVisible()).toBe(false);
  const heights = await page.page
    .locator('.changes button:visible')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(2);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});
