import { mkdirSync } from 'node:fs';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completePath } from '../../../src/daemon/projects/path-completions.js';
import { PATH_LIMIT } from '../../../src/protocol/index.js';
import { Scratch } from './scratch.js';

let scratch: Scratch;
beforeEach(async () => {
  scratch = await Scratch.create();
});
afterEach(() => scratch[Symbol.asyncDispose]());

async function names(prefix: string): Promise<string[]> {
  const { entries } = await completePath({ prefix: prefix.startsWith('~') ? prefix : `${scratch.top}/${prefix}`, home: scratch.home });
  return entries.map(({ name }) => name);
}

async function directories(...paths: string[]): Promise<void> {
  for (const path of paths) await scratch.directory(path);
}

test('a slash at the end lists the directories, in order, and no files', async () => {
  await directories('d/beta', 'd/Alpha', 'd/alps', 'd/.hidden', 'd/10');
  await scratch.file('d/file');
  expect(await names('d/')).toEqual(['10', 'Alpha', 'alps', 'beta']);
  expect(await names('d')).toEqual(['d']);
});

test('what stands after the last slash filters, by case unless nothing begins so', async () => {
  await directories('d/Work', 'd/work', 'd/WORKS', 'd/other');
  expect(await names('d/wo')).toEqual(['work']);
  expect(await names('d/WO')).toEqual(['WORKS']);
  expect(await names('d/wO')).toEqual(['Work', 'work', 'WORKS']);
  expect(await names('d/x')).toEqual([]);
});

test('hidden directories come after a dot only', async () => {
  await directories('d/.config', 'd/.cache', 'd/plain');
  expect(await names('d/.')).toEqual(['.cache', '.config']);
  expect(await names('d/.co')).toEqual(['.config']);
});

test('~/ stands for the home directory, and answers are absolute', async () => {
  await directories('home/code', 'home/docs');
  expect(await completePath({ prefix: '~/co', home: scratch.home })).toEqual({
    entries: [{ path: join(scratch.home, 'code'), name: 'code', repository: false }],
    truncated: false,
  });
  expect(await names('~/')).toEqual(['code', 'docs']);
});

test('dots and double slashes on the way are resolved', async () => {
  await directories('d/e');
  const { entries } = await completePath({ prefix: `${scratch.top}//d/../d/./`, home: scratch.home });
  expect(entries.map(({ path }) => path)).toEqual([join(scratch.top, 'd', 'e')]);
});

test('links to directories count, others do not', async () => {
  await directories('d/real', 'target');
  await symlink(join(scratch.top, 'target'), join(scratch.top, 'd/link'));
  await symlink(await scratch.file('file'), join(scratch.top, 'd/to-file'));
  await symlink('nowhere', join(scratch.top, 'd/dangling'));
  await symlink('loop', join(scratch.top, 'd/loop'));
  expect(await names('d/')).toEqual(['link', 'real']);
});

test('repositories are marked: main and linked worktrees, bare ones, and links to them', async () => {
  const main = await scratch.repository('d/main', { at: 1 });
  await scratch.repository('d/bare.git', { options: ['--bare'] });
  await scratch.git.run({ cwd: main }, ['worktree', 'add', '--quiet', '-b', 'x', join(scratch.top, 'd/tree')]);
  await symlink('main', join(scratch.top, 'd/alias'));
  await directories('d/plain/.git');
  const { entries } = await completePath({ prefix: `${scratch.top}/d/`, home: scratch.home });
  expect(entries.map(({ name, repository }) => [name, repository])).toEqual([
    ['alias', true],
    ['bare.git', true],
    ['main', true],
    ['plain', false],
    ['tree', true],
  ]);
});

test('names may hold any characters; those that are not UTF-8 are left out', async () => {
  const odd = [' space ', '"quoted"', '-dash', 'a\nb', 'ünï', '\uFFFD', '😀', '%2e', '$(x)'];
  await directories(...odd.map((name) => `d/${name}`));
  if (process.platform === 'linux') mkdirSync(Buffer.concat([Buffer.from(`${scratch.top}/d/bad`), Buffer.from([0xff])]));
  const given = await names('d/');
  expect(given).toHaveLength(odd.length);
  expect(new Set(given)).toEqual(new Set(odd));
  expect(await names('d/a\n')).toEqual(['a\nb']);
  expect(await names('d/bad')).toEqual([]);
});

test('a directory that is missing, no directory or not to be read has none', async () => {
  await scratch.file('file');
  await directories('secret/inner');
  await chmod(join(scratch.top, 'secret'), 0o000);
  expect(await names('missing/')).toEqual([]);
  expect(await names('file/x')).toEqual([]);
  expect(await names(`${'x'.repeat(300)}/`)).toEqual([]);
  if (process.getuid?.() !== 0) expect(await names('secret/')).toEqual([]);
  await chmod(join(scratch.top, 'secret'), 0o700);
});

test.each(['', 'relative', './x', '~', '~other/x'])('%j is refused: it is neither absolute nor begins with ~/', async (prefix) => {
  await expect(completePath({ prefix, home: scratch.home })).rejects.toMatchObject({
    code: 'invalid_request',
    message: `prefix: ${JSON.stringify(prefix)} must be an absolute path, or begin with ~/`,
    details: { field: 'prefix' },
  });
});

test('of very many the first ones are told, and that there are more', async () => {
  await directories('d');
  for (let made = 5000; made > 0; made--) mkdirSync(join(scratch.top, 'd', `n${String(made).padStart(4, '0')}`));
  const { entries, truncated } = await completePath({ prefix: `${scratch.top}/d/N`, home: scratch.home });
  expect(truncated).toBe(true);
  expect(entries.map(({ name }) => name)).toEqual(Array.from({ length: PATH_LIMIT }, (_, at) => `n${String(at + 1).padStart(4, '0')}`));
  expect(await completePath({ prefix: `${scratch.top}/d/n123`, home: scratch.home })).toMatchObject({ truncated: false });
});

test('exactly as many as are told at most are all, whatever files and links are beside them', async () => {
  await directories(...Array.from({ length: PATH_LIMIT }, (_, at) => `d/a${at}`));
  await scratch.file('d/file');
  await symlink('file', join(scratch.top, 'd/z'));
  const { entries, truncated } = await completePath({ prefix: `${scratch.top}/d/`, home: scratch.home });
  expect([entries.length, truncated]).toEqual([PATH_LIMIT, false]);
});
