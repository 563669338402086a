import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

/** What is searched where nothing else is known. */
export const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Where programs are often installed beside what any PATH names; `~` is the home directory. */
const WELL_KNOWN_DIRECTORIES = [
  '~/.local/bin',
  '~/bin',
  '~/.npm-global/bin',
  '~/.local/share/pnpm',
  '~/Library/pnpm',
  '~/.bun/bin',
  '~/.deno/bin',
  '~/.cargo/bin',
  '~/.volta/bin',
  '~/.asdf/shims',
  '~/.local/share/mise/shims',
  '~/.opencode/bin',
  '~/.nix-profile/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/nix/var/nix/profiles/default/bin',
  '/run/current-system/sw/bin',
  '/snap/bin',
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
] as const;

/** Those of the well-known directories that exist. */
export async function wellKnownDirectories(home: string): Promise<string[]> {
  const directories = WELL_KNOWN_DIRECTORIES.map((directory) => directory.replace(/^~/, home));
  const found = await Promise.all(directories.map(isDirectory));
  return directories.filter((_, index) => found[index]);
}

/** One PATH of several and of `more` directories: the first place of each counts, and what is not absolute is left out. */
export function joinPaths(paths: readonly string[], more: readonly string[]): string {
  const entries = [...paths.flatMap((path) => path.split(':')), ...more].filter((entry) => isAbsolute(entry));
  const unique = new Set(entries.map((entry) => entry.replace(/(?<=.)\/+$/, '')));
  return [...unique].join(':') || DEFAULT_PATH;
}

export async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
