import { isAbsolute, join, normalize } from 'node:path';

/** `path` made absolute: `~` stands for `home`. Undefined for a relative path, and for `~user`, which nothing here looks up. */
export function expandHome(path: string, home: string): string | undefined {
  if (path === '~' || path.startsWith('~/')) return trimmed(join(home, path.slice(1)));
  return isAbsolute(path) ? trimmed(normalize(path)) : undefined;
}

function trimmed(path: string): string {
  return path === '/' ? path : path.replace(/\/+$/, '');
}
