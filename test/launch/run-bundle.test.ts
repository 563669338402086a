import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// CommonJS, which is run as it was built.
const built = createRequire(import.meta.url);
const { keepCompiled } = built('../../dist/launch/compiled-code.cjs') as typeof import('../../src/launch/compiled-code.cjs');
const { runBundle } = built('../../dist/launch/run-bundle.cjs') as typeof import('../../src/launch/run-bundle.cjs');

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const compiled = () => join(dir, 'bundle.compiled');

/** Lays a bundle of this code into the directory, named as the build names it. */
async function bundle(code: string): Promise<void> {
  const name = createHash('sha256').update(code).digest('hex');
  await writeFile(join(dir, 'bundle.cjs'), `// sha256:${name}\n${code}`);
}

/** Runs the bundle, and answers what it left in `globalThis.told`. */
function told(): unknown {
  const { script } = runBundle(dir);
  const { told: value } = globalThis as { told?: unknown };
  return { told: value, refused: script.cachedDataRejected };
}

/** Runs the bundle, and keeps what was compiled of it. */
function keep(): void {
  const { name = '', script } = runBundle(dir);
  keepCompiled(dir, name, script);
}

describe('a bundle', () => {
  test('is run as a module: with its path, what it requires, and lines that are its own', async () => {
    await bundle(
      [
        "const { basename } = require('node:path');",
        'globalThis.told = [basename(__filename), __dirname, module.exports === exports,',
        "  new Error('here').stack.split('\\n')[1]];",
      ].join('\n'),
    );
    const [file, directory, isModule, line] = (told() as { told: unknown[] }).told;
    expect([file, directory, isModule]).toEqual(['bundle.cjs', dir, true]);
    expect(line).toContain(`${dir}/bundle.cjs:4:`);
  });

  test('is run with what was compiled of it', async () => {
    await bundle("globalThis.told = 'one';");
    expect(told()).toEqual({ told: 'one', refused: undefined });
    keep();
    expect(told()).toEqual({ told: 'one', refused: false });
    expect((await stat(compiled())).mode & 0o777).toBe(0o644);
  });

  test('is never run with what was compiled of another, be they as long as each other', async () => {
    await bundle("globalThis.told = 'one';");
    keep();
    await bundle("globalThis.told = 'two';");
    expect(told()).toEqual({ told: 'two', refused: undefined });
  });

  test('runs where what was compiled is damaged, cut off, empty or of another Node', async () => {
    await bundle("globalThis.told = 'one';");
    keep();
    const whole = await readFile(compiled());
    const mark = whole.subarray(whole.lastIndexOf(` ${process.version}`) - 64);
    const others = {
      empty: Buffer.alloc(0),
      'cut off': whole.subarray(0, whole.length / 2),
      damaged: Buffer.concat([Buffer.alloc(whole.length - mark.length, 0xa5), mark]),
      'the mark alone': mark,
      'of another Node': Buffer.from(whole.toString('latin1').replace(process.version, 'v0.0.0'), 'latin1'),
    };
    for (const [name, content] of Object.entries(others)) {
      await writeFile(compiled(), content);
      (globalThis as { told?: unknown }).told = undefined;
      expect([name, (told() as { told: unknown }).told]).toEqual([name, 'one']);
    }
  });
});
