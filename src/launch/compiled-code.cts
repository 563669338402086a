import { closeSync, fchmodSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { Script } from 'node:vm';

/** The first line of a bundle: V8 tells two codes of the same length apart by nothing. */
const NAME = /^\/\/ sha256:([0-9a-f]{64})\n/;

/** The name of a bundle, which another has as little as the same content; undefined where it was given none. */
export function nameOf(bundle: string): string | undefined {
  return NAME.exec(bundle)?.[1];
}

/** What this Node has compiled before of the bundle of that name in a directory. V8 itself refuses what was compiled with other settings. */
export function compiledBefore(directory: string, name: string): Buffer | undefined {
  try {
    const kept = readFileSync(fileIn(directory));
    const end = kept.length - markOf(name).length;
    return kept.toString('latin1', end) === markOf(name) ? kept.subarray(0, end) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what V8 has compiled of the bundle of that name in a directory, in place of what was kept there. */
export function keepCompiled(directory: string, name: string, script: Script): void {
  const temporary = `${fileIn(directory)}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w');
  try {
    fchmodSync(file, 0o644); // whoever may read the bundle, whatever the umask of the program that has run
    writeSync(file, script.createCachedData());
    writeSync(file, markOf(name));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, fileIn(directory));
}

function fileIn(directory: string): string {
  return `${directory}/bundle.compiled`;
}

/** The end of the file. */
function markOf(name: string): string {
  return `${name} ${process.version} ${process.arch}`;
}
