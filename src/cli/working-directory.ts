import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { CliError } from './cli-error.js';

/**
 * The directory the user is in, as the user's shell calls it: a symbolic link in it is kept. Agents file their history by that path.
 */
export function workingDirectory(pwd: string | undefined): string {
  let real: string;
  try {
    real = process.cwd();
  } catch (cause) {
    throw new CliError('failed', 'the directory you are in is gone; change to another one or give --cwd', { cause });
  }
  return pwd !== undefined && isAbsolute(pwd) && sameDirectory(pwd, real) ? pwd : real;
}

function sameDirectory(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

/** `--cwd` made absolute. `~` is left to the daemon. */
export function givenDirectory(given: string | undefined, pwd: string | undefined): string {
  if (given === undefined) return workingDirectory(pwd);
  if (isAbsolute(given) || given === '~' || given.startsWith('~/')) return given;
  return join(workingDirectory(pwd), given);
}
