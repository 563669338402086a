import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Why no file system can be mounted here; undefined when one can. */
export function mountProblem(): string | undefined {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'only root may mount a file system of its own';
  const path = mkdtempSync(join(tmpdir(), 'm-'));
  try {
    mkdirSync(join(path, 'x'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'maestro-test', join(path, 'x')], { stdio: 'pipe' });
    execFileSync('umount', [join(path, 'x')], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `no file system can be mounted here: ${(error as Error).message}`;
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** A small file system that can be filled up. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Makes the directory at `path`, open to its owner alone, a file system of that many KiB. */
  static async mount(path: string, kib: number): Promise<SmallDisk> {
    await mkdir(path, { mode: 0o700, recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=0700`, 'maestro-test', path]);
    return new SmallDisk(path);
  }

  /** Leaves no room for a single byte. */
  async fill(): Promise<void> {
    const file = await open(this.#filler, 'w', 0o600);
    try {
      for (;;) await file.write(Buffer.alloc(4096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  /** Makes room again. */
  async free(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  async unmount(): Promise<void> {
    await run('umount', ['--lazy', this.path]);
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }
}

/** Makes a directory read-only, for root too, until the function that it answers is called. */
export async function makeReadOnly(path: string): Promise<() => Promise<void>> {
  await run('mount', ['--bind', path, path]);
  await run('mount', ['-o', 'remount,bind,ro', path]);
  return async () => {
    await run('umount', ['--lazy', path]);
  };
}
