import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SHELL } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { AFTER, ChangesBench, currentFile, fileRows, showChanges, shownLines } from './changes-bench.js';

let bench: ChangesBench;
beforeAll(async () => {
  bench = await ChangesBench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.clear());

describe('the changes of a session', () => {
  test('stand beside its terminal, which keeps its size and its program', async () => {
    const { page, id } = await bench.opened({ 'src/greet.ts': AFTER });
    const size = await bench.settledSize(page, id);
    await page.page.getByRole('link', { name: /^Changes\s*1$/ }).click();
    await page.page.getByText("const text = 'Hello, ';").waitFor();
    await page.page.locator('.diff .hljs-string').first().waitFor();
    expect(await shownLines(page).allTextContents()).toEqual([
      '11\u00a0export function greet(name: string) {',
      "2\u2212  const text = 'Hello';",
      "2+  const text = 'Hello, ';",
      '33\u00a0  return text + name;',
      '44\u00a0}',
    ]);
    expect(await page.page.locator('.is-change').allTextContents()).toEqual([', ']);
    await page.page.keyboard.press('Escape');
    await page.page.waitForURL(`**/s/${id}`);
    await page.page.keyboard.type('echo still-$((40 + 2))\n');
    await page.shows('still-42');
    expect((await bench.host.session(id)).size).toEqual(size);
  });

  test('are told from where it began, or from its last commit', async () => {
    const { page, id, git, write } = await bench.opened({ 'src/greet.ts': AFTER });
    await git('commit', '--quiet', '--all', '-m', 'Greet with a comma');
    await write('notes.md', 'later\n');
    await page.row(id).getByText('fix/it').waitFor();
    await page.page.locator('.status').getByText('1 ahead of main').waitFor();
    await page.row(id).getByText('±1').click();
    await page.page.waitForURL('**/changes');
    await until('both files', async () => (await fileRows(page).count()) === 2);
    await page.page.getByText('Greet with a comma').waitFor();
    await page.button('Last commit').click();
    await until('the untracked file alone', async () => (await fileRows(page).allTextContents()).join() === 'Unotes.md+1');
    expect(await page.page.getByText('Greet with a comma').count()).toBe(0);
  });

  test('are there without a reload when files change, and what is looked at stays where it is', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `${n + 10}.ts`);
    const { page, id, write } = await bench.opened(Object.fromEntries(names.map((name) => [name, 'const a = 1;\nconst b = 2;\n'])));
    await page.row(id).getByText('±30').waitFor();
    await showChanges(page);
    await fileRows(page).filter({ hasText: '20.ts' }).click();
    await until('the file to be at the top', async () => (await currentFile(page)).includes('20.ts'));
    const head = page.page.locator('.diff__seen .dfile', { hasText: '20.ts' });
    const at = async () => Math.round((await head.boundingBox())?.y ?? 0);
    const before = await at();
    await write('0-first.txt', 'new\n'.repeat(100));
    await page.page.getByText('31 files').waitFor();
    await until('the file to be back at its place', async () => Math.abs((await at()) - before) <= 1);
    expect(await currentFile(page)).toContain('20.ts');
  });

  test('are gone through by keyboard', async () => {
    const { page, git } = await bench.opened({ 'src/greet.ts': AFTER, 'z.txt': 'last\n' }, { viewport: { width: 1280, height: 800 } });
    await git('mv', 'src/old-name.ts', 'src/new-name.ts');
    await showChanges(page);
    const { keyboard } = page.page;
    for (const [key, file] of [
      ['j', 'new-name.ts'],
      ['j', 'z.txt'],
      ['k', 'new-name.ts'],
      ['k', 'greet.ts'],
    ] as const) {
      await keyboard.press(key);
      await until(`${file} to be at the top`, async () => (await currentFile(page)).includes(file));
    }
    await keyboard.press('v');
    await page.page.locator('.dl--split').first().waitFor();
    await keyboard.press('v');
    await keyboard.press('/');
    await keyboard.type('z.t');
    await until('one file', async () => (await fileRows(page).count()) === 1);
    await keyboard.press('Escape');
    await until('all files', async () => (await fileRows(page).count()) === 3);
  });

  test('in a directory of no repository are explained', async () => {
    const { id } = await bench.host.create({ command: SHELL, metadata: { name: 'no repository' } });
    const page = await bench.logIn();
    await page.open(`http://${bench.host.ready.listen}/s/${id}/changes`);
    await page.page.getByRole('heading', { name: 'Nothing to compare' }).waitFor();
    await page.button('Back to the terminal').click();
    await page.shows('>');
  });
});
