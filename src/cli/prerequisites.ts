import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The oldest tmux that Maestro works with. */
export const LEAST_TMUX = '3.2';

export interface Program {
  readonly name: string;
  /** Absent: it was not found, or it did not say. */
  readonly version?: string;
  readonly ok: boolean;
}

/** tmux as it is installed here. A version without a number is a development build, and new. */
export async function findTmux(): Promise<Program> {
  const version = (await firstLine('tmux', ['-V']))?.replace(/^tmux /, '');
  return version === undefined ? { name: 'tmux', ok: false } : { name: 'tmux', version, ok: isAtLeast(version, LEAST_TMUX) };
}

export async function findGit(): Promise<Program> {
  const version = (await firstLine('git', ['--version']))?.replace(/^git version /, '');
  return version === undefined ? { name: 'git', ok: false } : { name: 'git', version, ok: true };
}

export function isAtLeast(version: string, least: string): boolean {
  const [major, minor] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0] = numbersOf(least);
  if (major === undefined || minor === undefined) return true;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function numbersOf(version: string): number[] {
  const match = /(\d+)\.(\d+)/.exec(version);
  return match === null ? [] : [Number(match[1]), Number(match[2])];
}

function firstLine(program: string, words: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 5000 }, (error, stdout) => resolve(error ? undefined : stdout.split('\n')[0]));
  });
}

const INSTALLERS = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['zypper', 'sudo zypper install'],
  ['apk', 'sudo apk add'],
  ['brew', 'brew install'],
] as const;

/** The command that installs `packages` here, by the package manager that is found. */
export function installCommand(packages: readonly string[], path: string | undefined): string {
  const directories = (path ?? '').split(delimiter).filter((directory) => directory !== '');
  const found = INSTALLERS.find(([program]) => directories.some((directory) => isExecutable(join(directory, program))));
  return found === undefined ? `install ${packages.join(' and ')} with your system's package manager` : `${found[1]} ${packages.join(' ')}`;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
