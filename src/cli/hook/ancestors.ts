import { readFileSync } from 'node:fs';

/** A parent, grandparent and so on. `name` is empty where it cannot be read. */
export interface Ancestor {
  readonly pid: number;
  readonly name: string;
}

const MOST_LEVELS = 32;
const NAME_LIMIT = 64;

/**
 * The parents of this process, the nearest first: on Linux as far as /proc tells, elsewhere the nearest only. Reads at once, as a parent
 * that has ended is replaced by another.
 */
export function readAncestors(platform: NodeJS.Platform = process.platform): readonly Ancestor[] {
  if (platform !== 'linux') return process.ppid > 0 ? [{ pid: process.ppid, name: '' }] : [];
  const ancestors: Ancestor[] = [];
  for (let pid = process.ppid; pid > 0 && ancestors.length < MOST_LEVELS; ) {
    const found = readStat(pid);
    ancestors.push({ pid, name: found?.name ?? '' });
    pid = found?.parent ?? 0;
  }
  return ancestors;
}

/** From `<pid> (<name>) <state> <parent> …`, where a name may hold spaces and parentheses itself. */
function readStat(pid: number): { name: string; parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    const parent = Number(text.slice(end + 2).split(' ', 2)[1]);
    return { name: text.slice(text.indexOf('(') + 1, end).slice(0, NAME_LIMIT), parent: Number.isSafeInteger(parent) ? parent : 0 };
  } catch {
    return undefined;
  }
}
