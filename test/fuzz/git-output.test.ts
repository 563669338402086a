import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Git } from '../../src/daemon/git.js';
import { readHeadFile } from '../../src/daemon/projects/head-file.js';
import { repositoryAround, repositoryAt } from '../../src/daemon/projects/repository-location.js';
import { listCommits } from '../../src/daemon/worktree/commit-list.js';
import { parseHunks, patchHead } from '../../src/daemon/worktree/diff-hunks.js';
import { parseRaw } from '../../src/daemon/worktree/diff-records.js';
import { readStatus } from '../../src/daemon/worktree/inventory-status.js';
import { bytesOf, rawPath, shown } from '../../src/daemon/worktree/raw-path.js';
import { manifestName, manifestPath, parseSalvageMessage } from '../../src/daemon/worktree/salvage-manifest.js';
import { checkLink, readLink } from '../../src/daemon/worktree/worktree-link.js';
import { CommitSchema, HunkSchema } from '../../src/protocol/index.js';
import { temporaryDir } from '../daemon/store/state-dirs.js';
import { FUZZ_TIMEOUT, fuzz, HALF_CHARACTER } from './fuzz-runs.js';

/** A git that prints these bytes, whatever it is asked. */
function printing(output: Buffer): Git {
  const answer = { code: 0, stdout: output, stderr: '', truncated: false };
  return { run: async () => output, text: async () => '3', attempt: async () => answer } as unknown as Git;
}

/** A path as git may print it: any bytes but NUL. */
const paths = fc
  .oneof(
    fc.uint8Array({ minLength: 1, maxLength: 12, min: 1 }),
    fc.constantFrom('a b', 'a\tb', 'a\nb', '"q"', '# x', '? x', '1 .M', ':100644', 'é', '\r', 'x/').map((text) => Buffer.from(text)),
  )
  .map((bytes) => rawPath(Buffer.from(bytes)));
const anyBytes = fc.uint8Array({ maxLength: 150 }).map((bytes) => Buffer.from(bytes));
const gitLike = fc
  .array(
    fc.constantFrom(
      '# branch.oid ',
      '# branch.head ',
      '1 .M N... 100644 100644 100644 ',
      'u UU ',
      '? ',
      '! ',
      ':100644 100644 ',
      'M',
      'R100',
      '\0',
      '\0',
      '\n',
      '\t',
      ' ',
      '-',
      '1',
      '@@ -1,2 +1 @@',
      '@@ -0,0 +1,99999999 @@',
      'diff --git a/x b/x\n',
      '+',
      '\\',
      '0'.repeat(40),
    ),
    { maxLength: 25 },
  )
  .map((parts) => Buffer.from(parts.join('')));
const outputs = fc.oneof(anyBytes, gitLike);
const ID = '0'.repeat(40);

describe('what git prints, whatever it is', () => {
  test(
    'no output of git breaks a parser, and what is told of it is well-formed',
    async () => {
      await fuzz(
        fc.asyncProperty(outputs, async (output) => {
          const status = await readStatus(printing(output), { cwd: '/', workTree: '/', gitDir: '/' } as never);
          expect(Array.isArray(status.entries)).toBe(true);
          expect(parseRaw(output).rest).toBeGreaterThanOrEqual(0);
          const { hunks } = parseHunks(output, { head: 'diff --git a/x b/x', maxLines: 50 });
          for (const hunk of hunks) HunkSchema.parse(hunk);
          parseSalvageMessage(output.toString());
        }),
        600,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'paths of any bytes come out of status as they went in',
    async () => {
      const entries = fc.array(
        fc.tuple(
          fc.constantFrom('?', '!', '1', 'u'),
          paths.filter((path) => !path.endsWith('/')),
        ),
        { maxLength: 8 },
      );
      await fuzz(
        fc.asyncProperty(entries, async (given) => {
          const heads = {
            '?': '? ',
            '!': '! ',
            '1': `1 .M N... 100644 100644 100644 ${ID} ${ID} `,
            u: `u UU N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} `,
          };
          const output = Buffer.concat(
            given.flatMap(([kind, path]) => [Buffer.from(heads[kind as keyof typeof heads]), bytesOf(path), Buffer.of(0)]),
          );
          const status = await readStatus(printing(output), { cwd: '/', workTree: '/', gitDir: '/' } as never);
          expect(status.entries.map(({ path }) => path)).toEqual(given.filter(([kind]) => kind !== '!').map(([, path]) => path));
          expect(status.ignoredFiles).toEqual(given.filter(([kind]) => kind === '!').map(([, path]) => path));
        }),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'paths of any bytes come out of a comparison and a manifest as they went in',
    async () => {
      const changes = fc.array(fc.record({ path: paths, oldPath: fc.option(paths, { nil: undefined }) }), { maxLength: 6 });
      await fuzz(
        fc.property(changes, (given) => {
          const nul = Buffer.of(0);
          const raw = given.flatMap(({ path, oldPath }) => [
            Buffer.from(`:100644 100644 ${ID} ${ID} ${oldPath === undefined ? 'M' : 'R090'}`),
            nul,
            ...(oldPath === undefined ? [] : [bytesOf(oldPath), nul]),
            bytesOf(path),
            nul,
          ]);
          const counts = given.flatMap(({ path, oldPath }) =>
            oldPath === undefined
              ? [Buffer.from('1\t2\t'), bytesOf(path), nul]
              : [Buffer.from('1\t2\t'), nul, bytesOf(oldPath), nul, bytesOf(path), nul],
          );
          const parsed = parseRaw(Buffer.concat([...raw, ...counts]));
          expect(parsed.changes.map(({ path, oldPath }) => ({ path, oldPath }))).toEqual(given);
          expect([...parsed.counts.keys()]).toEqual([...new Set(given.map(({ path }) => path))]);
          for (const { path } of given) {
            const named = manifestName(path);
            expect(manifestPath(JSON.parse(JSON.stringify({ ...named, kind: 'modified', status: 'modified' })))).toBe(path);
            expect(shown(path)).not.toMatch(HALF_CHARACTER);
          }
        }),
        250,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'hunks hold the lines of their file, whatever those look like',
    async () => {
      const line = fc.tuple(
        fc.constantFrom(' ', '+', '-'),
        fc.constantFrom('', 'x', '@@ -1 +1 @@', 'diff --git a/x b/x', '\\ No newline', '--- a/x', '+++ b/x', '\r'),
      );
      await fuzz(
        fc.property(
          fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { maxLength: 4 }),
          fc.integer({ min: 1, max: 30 }),
          (files, maxLines) => {
            const head = patchHead('x', 'x');
            const printed = files.map((lines) => {
              const count = (marks: string) => lines.filter(([mark]) => marks.includes(mark)).length;
              return `@@ -1,${count(' -')} +1,${count(' +')} @@ section\n${lines.map(([mark, text]) => `${mark}${text}\n`).join('')}`;
            });
            const { hunks, cut } = parseHunks(Buffer.from(`${head}\nindex 0..1\n--- a/x\n+++ b/x\n${printed.join('')}`), {
              head,
              maxLines,
            });
            const all = files.flat().map(([mark, text]) => mark + text);
            expect(hunks.flatMap(({ lines }) => lines)).toEqual(all.slice(0, maxLines));
            expect(cut).toBe(all.length > maxLines);
          },
        ),
        300,
      );
    },
    FUZZ_TIMEOUT,
  );

  test(
    'commits of any time and by anybody are told as documented',
    async () => {
      const seconds = fc.constantFrom(
        '0',
        '1700000000',
        '-1',
        '99999999999',
        '8640000000001',
        '253402300800',
        '18446744073709551615',
        '',
        'x',
      );
      const texts = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll(/\0|\p{Surrogate}/gu, ''));
      await fuzz(
        fc.asyncProperty(fc.array(fc.tuple(texts, texts, seconds), { maxLength: 4 }), async (given) => {
          const output = Buffer.from(given.map((fields) => [ID, ...fields].map((field) => `${field}\0`).join('')).join(''));
          const { commits } = await listCommits(printing(output), { cwd: '/' }, ['HEAD']);
          expect(commits.length).toBe(given.length);
          for (const commit of commits) CommitSchema.parse(commit);
        }),
        200,
      );
    },
    FUZZ_TIMEOUT,
  );
});

describe('files of a repository that anybody may have written', () => {
  const lines = fc.array(
    fc.oneof(
      fc.constantFrom(
        'gitdir: ',
        'ref: ',
        'refs/heads/',
        '..',
        '/',
        'x',
        '\n',
        '\r\n',
        '\n\n',
        ' ',
        '[core]',
        'bare = true',
        'worktree = "',
        '"',
        '\0',
        ID,
        '../..',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  );
  const texts = lines.map((parts) => Buffer.from(parts.join('')));

  test(
    'links, HEADs and configurations of any text name a repository or none',
    async () => {
      const top = await temporaryDir();
      await mkdir(join(top, 'repo/.git/objects'), { recursive: true });
      await mkdir(join(top, 'repo/.git/refs'));
      await mkdir(join(top, 'linked'));
      await fuzz(
        fc.asyncProperty(texts, texts, texts, async (link, head, config) => {
          await writeFile(join(top, 'linked/.git'), link);
          await writeFile(join(top, 'repo/.git/HEAD'), head);
          await writeFile(join(top, 'repo/.git/config'), config);
          await repositoryAt(join(top, 'linked'));
          await repositoryAround(join(top, 'repo/.git'));
          expect((await repositoryAt(join(top, 'repo')))?.gitDir).toBe(join(top, 'repo/.git'));
          expect(await readHeadFile(join(top, 'repo/.git'))).toBeDefined();
          await readLink(join(top, 'linked'));
          expect(await checkLink({ path: join(top, 'linked'), git_dir: join(top, 'repo/.git') })).toBeTypeOf('string');
        }),
        60,
      );
    },
    FUZZ_TIMEOUT,
  );
});
