import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const WAIT_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 100;

/**
 * Waits until no git is making a worktree at `path` any more: one that a daemon had started goes on when that daemon is killed, and
 * its checkout is a process of its own. True when
 * it still is after half a minute. Where processes cannot be looked at it answers at once.
 */
export async function hasMaking(path: string): Promise<boolean> {
  const end = performance.now() + WAIT_LIMIT_MS;
  while (await isMaking(path)) {
    if (performance.now() > end) return true;
    await delay(LOOK_EVERY_MS);
  }
  return false;
}

async function isMaking(path: string): Promise<boolean> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const process of processes) {
    if (isAdding(await partsOf(process, 'cmdline'), path)) return true;
    if ((await partsOf(process, 'environ')).includes(`GIT_WORK_TREE=${path}`)) return true;
  }
  return false;
}

function isAdding(args: readonly string[], path: string): boolean {
  const at = args.indexOf('worktree');
  return at > 0 && args[at + 1] === 'add' && args.includes(path);
}

/** Those of other users stay unread. */
async function partsOf(process: string, file: 'cmdline' | 'environ'): Promise<string[]> {
  return (await readFile(`/proc/${process}/${file}`, 'utf8').catch(() => '')).split('\0');
}
