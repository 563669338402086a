import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The store as plain JavaScript, for tests that need it in a process of its own, to be killed. Removed by {@link remove}. */
export class CompiledStore {
  readonly #dir = mkdtempSync(join(tmpdir(), 'm-'));

  constructor() {
    const source = join(ROOT, 'src', 'daemon', 'store');
    const modules = readdirSync(source).map((name) => join(source, name));
    const options = '--ignoreConfig --noCheck --target es2023 --module nodenext --types node'.split(' ');
    const paths = ['--rootDir', join(ROOT, 'src'), '--outDir', this.#dir];
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const { status, stdout } = spawnSync(tsc, [...options, ...paths, ...modules], { encoding: 'utf8', cwd: ROOT });
    if (status !== 0) throw new Error(`the store does not compile: ${stdout}`);
    writeFileSync(join(this.#dir, 'package.json'), '{"type":"module"}');
    symlinkSync(join(ROOT, 'node_modules'), join(this.#dir, 'node_modules'));
  }

  /** Makes a script that imports the store's modules as `./daemon/store/<name>.js`, and returns its path. */
  script(name: string, source: string): string {
    const path = join(this.#dir, name);
    // Once only: a process that was just started may be reading it.
    if (!existsSync(path)) writeFileSync(path, source);
    return path;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
