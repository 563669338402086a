import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Git } from '../../src/daemon/git.js';
import type { Repository } from '../../src/daemon/worktree/repository.js';
import { readProjectConfig } from '../../src/daemon/worktree/setup/project-config.js';
import { MaestroError, ProjectSetupSchema } from '../../src/protocol/index.js';
import { FUZZ_TIMEOUT, fuzz } from './fuzz-runs.js';

const values = fc.constantFrom(
  '"x"',
  "'{port+3}'",
  '"{port+99999}"',
  '["a", "b"]',
  '[]',
  '5',
  '-1',
  '1e400',
  'true',
  '1979-05-27',
  '{ a = 1 }',
  '"""\nx\n"""',
  '"\\u0000"',
  '"\\ud800"',
  '[[[',
  '"',
  'nan',
  '',
);
const names = fc.constantFrom(
  'setup',
  'teardown',
  'copy',
  'ports',
  'env.PORT',
  'env',
  'env."A B"',
  'env.MAESTRO_RUN',
  '__proto__',
  'constructor',
  '__proto__.setup',
  'env.__proto__',
  'env.constructor',
  'more',
  '"',
  '',
);
const lines = fc.oneof(
  fc.tuple(names, values).map(([name, value]) => `${name} = ${value}`),
  fc.constantFrom('[env]', '[[env]]', '[__proto__]', '[setup]', '# x', '\ufeff', '\0', '[a.b.c]', '[env.constructor]'),
  fc.string({ maxLength: 6 }),
);
const files = fc.oneof(
  { weight: 5, arbitrary: fc.array(lines, { maxLength: 8 }).map((all) => Buffer.from(all.join('\n'))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        `copy = ${'['.repeat(20_000)}`,
        `env = ${'{a='.repeat(10_000)}`,
        `${'a.'.repeat(20_000)}a = 1`,
        `setup = "${'x'.repeat(60_000)}"`,
      )
      .map((text) => Buffer.from(text)),
  },
);

/** A repository whose every file has these bytes. */
function holding(bytes: Buffer): Git {
  const answer = (stdout: Buffer) => ({ code: 0, stdout, stderr: '', truncated: false });
  const reply = (args: readonly string[]) => {
    if (args.includes('ls-tree')) return Buffer.from(`100644 blob ${'0'.repeat(40)} ${bytes.length}\t.maestro/config.toml\0`);
    return bytes;
  };
  return {
    run: async (_place: unknown, args: readonly string[]) => reply(args),
    text: async (_place: unknown, args: readonly string[]) => reply(args).toString(),
    attempt: async (_place: unknown, args: readonly string[]) => answer(reply(args)),
  } as unknown as Git;
}

test(
  "a repository's own configuration of any bytes is read as documented or refused, and sets nothing that it does not name",
  async () => {
    const repository = { path: '/r', gitDir: '/r/.git', bare: true, startDir: '/r' } as Repository;
    await fuzz(
      fc.asyncProperty(files, async (bytes) => {
        try {
          const setup = await readProjectConfig(holding(bytes), repository, '0'.repeat(40));
          ProjectSetupSchema.omit({ repo: true, trusted: true }).strict().parse(setup);
          expect(Object.getPrototypeOf(setup.env)).toBe(Object.prototype);
        } catch (error) {
          expect(error).toBeInstanceOf(MaestroError);
          expect((error as MaestroError).code).toBe('invalid_request');
        }
        expect(({} as { setup?: unknown }).setup).toBeUndefined();
      }),
      200,
    );
  },
  FUZZ_TIMEOUT,
);
