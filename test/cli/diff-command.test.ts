import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Diff, FileDiff } from '../../src/protocol/index.js';
import { FakeDaemon, fakeSession } from '../support/fake-daemon.js';
import { fakeDiff, fakeFileDiff } from '../support/fake-worktrees.js';
import { type Ran, runMaestro } from '../support/run-maestro.js';

const session = fakeSession({ metadata: { name: 'api' } });
const commit = { id: 'abcdef01'.repeat(5), subject: 'Fix\x07 it', author: 'A', at: '2026-01-02T03:04:05.000Z' };
const files = [
  fakeFileDiff({ path: 'src/a.ts' }),
  fakeFileDiff({ path: 'src/b\x1b.ts', old_path: 'lib/b.ts', status: 'renamed' }),
  fakeFileDiff({ path: 'pic.png', status: 'untracked', binary: true, hunks: [], additions: undefined, deletions: undefined }),
];
const standing: Partial<Diff> = { commits: [commit], commits_total: 3, compared_with: 'main', ahead: 3, behind: 1, operation: 'rebase' };

let fake: FakeDaemon;
beforeEach(async () => {
  fake = await FakeDaemon.start();
});
afterEach(() => fake[Symbol.asyncDispose]());

const maestro = (...words: string[]): Promise<Ran> => runMaestro(words, { env: { MAESTRO_STATE_DIR: fake.state } });

function serve(all: readonly FileDiff[], given: Partial<Diff> = {}): void {
  fake.routes = ({ path }) => {
    if (path === '/api/sessions') return { json: [session] };
    const query = new URL(path, 'http://x').searchParams;
    const asked = query.get('path');
    if (asked === null) return { json: fakeDiff(all, given) };
    const file = all.find((one) => one.path === asked);
    return file === undefined ? { status: 404, json: { error: { code: 'not_found', message: 'no such change' } } } : { json: file };
  };
}

const diffPaths = () => fake.asked.slice(1).map(({ path }) => path.replace(`/api/sessions/${session.id}/`, ''));

test('prints the patch of every file, with the context that was asked for', async () => {
  serve(files);
  const { code, stdout, stderr } = await maestro('diff', 'api', '-U', '0', '--against', 'head');
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'pic.png is binary: its content is not in the patch\n' });
  expect(stdout).toBe(
    [
      ...['diff --git a/src/a.ts b/src/a.ts', '--- a/src/a.ts', '+++ b/src/a.ts', '@@ -1,2 +1,2 @@', ' same', '-old', '+new'],
      ...['diff --git a/lib/b.ts "b/src/b\\033.ts"', 'rename from lib/b.ts', 'rename to "src/b\\033.ts"'],
      ...['--- a/lib/b.ts', '+++ "b/src/b\\033.ts"', '@@ -1,2 +1,2 @@', ' same', '-old', '+new'],
      'Binary files a/pic.png and b/pic.png differ: not in this patch',
      '',
    ].join('\n'),
  );
  expect(diffPaths().slice(0, 2)).toEqual(['diff?against=head', 'diff?path=src%2Fa.ts&against=head&context=0']);
});

test.each([
  [['src'], ['src/a.ts', 'src/b\x1b.ts']],
  [['./src/a.ts'], ['src/a.ts']],
  [['/srv/app/lib/'], ['src/b\x1b.ts']],
  [['.'], ['src/a.ts', 'src/b\x1b.ts', 'pic.png']],
  [['sr', 'pic.pn', '/srv/app-2', '../app'], []],
])('paths %j are those of %j', async (paths, found) => {
  serve(files);
  const { code, stdout } = await maestro('diff', 'api', ...paths, '--json');
  expect(JSON.parse(stdout).map(({ path }: FileDiff) => path)).toEqual(found);
  expect(code).toBe(0);
});

test('--stat and --commits tell what changed without the lines', async () => {
  serve(files, standing);
  const stat = (await maestro('diff', 'api', '--stat')).stdout.split('\n');
  expect(stat.slice(0, 3)).toEqual(['fix: 3 commits ahead of main, 1 behind', 'a rebase is under way', 'CHANGE     +    -    FILE']);
  expect(stat.slice(3)).toEqual([
    'modified   1    1    src/a.ts',
    'renamed    1    1    lib/b.ts => src/b\\x1b.ts',
    'untracked  bin  bin  pic.png',
    '3 files, 2 lines added, 2 removed',
    '',
  ]);
  expect((await maestro('diff', 'api', 'src/a.ts', '--stat')).stdout).toContain('1 file, 1 line added, 1 removed\n');
  expect((await maestro('diff', 'api', '--commits')).stdout.split('\n').slice(2)).toEqual(['  abcdef01  Fix\\x07 it', '  and 2 more', '']);
  expect(JSON.parse((await maestro('diff', 'api', '--stat', '--json')).stdout)).toMatchObject({ files_total: 3, ahead: 3 });
  expect(JSON.parse((await maestro('diff', 'api', '--json')).stdout)).toMatchObject({ files_total: 3, ahead: 3 });
});

test('a file that cannot be shown keeps no other from it, and what is cut is told', async () => {
  const cut = fakeFileDiff({ path: 'long', cut: 'too_many_lines' });
  const large = fakeFileDiff({ path: 'large\x07', cut: 'too_large', hunks: [] });
  serve([cut, large], { files_total: 4000 });
  const { routes } = fake;
  fake.routes = (asked) =>
    asked.path.endsWith('/diff') ? { json: fakeDiff([fakeFileDiff({ path: 'gone' }), cut, large], { files_total: 4000 }) } : routes(asked);
  const { code, stdout, stderr } = await maestro('diff', 'api');
  expect(code).toBe(1);
  expect(stdout).toContain('+++ b/long\n');
  expect(stderr.split('\n')).toEqual([
    'only the first 3 of 4000 files are looked at',
    'maestro: gone: no such change',
    'long has more changes than are shown',
    'large\\x07 is too large to be compared',
    '',
  ]);
});

test('no change prints nothing', async () => {
  serve([]);
  expect(await maestro('diff', 'api')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await maestro('diff', 'nope')).code).toBe(4);
});

test('a reader that has seen enough is not read on for', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `+line ${at}`);
  const many = Array.from({ length: 200 }, (_, at) =>
    fakeFileDiff({ path: `f${at}`, hunks: [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: lines.length, lines }] }),
  );
  serve(many);
  const bin = join(import.meta.dirname, '../../bin/maestro.js');
  const child = spawn('/bin/sh', ['-c', `"${process.execPath}" "${bin}" diff api | head -1`], {
    env: { PATH: process.env.PATH ?? '', MAESTRO_STATE_DIR: fake.state },
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(fake.asked.length).toBeLessThan(many.length);
});
