import { execFile } from 'node:child_process';
import { readdir, readlink } from 'node:fs/promises';

/** lsof answers within 100 ms as a rule; the limit is for a host with a network disk that does not answer. */
const LSOF_WAIT_MS = 3000;
const LSOF_OUTPUT_LIMIT = 8 * 1024 * 1024;

/**
 * The paths of the files that each of these processes has open now, in the order of `pids`. Who is gone, or another user's, has none.
 * Never rejects.
 */
export async function openFiles(
  pids: readonly number[],
  platform: NodeJS.Platform = process.platform,
): Promise<readonly (readonly string[])[]> {
  if (pids.length === 0) return [];
  if (platform === 'linux') return Promise.all(pids.map(linksOf));
  const found = pathsIn(await lsof(pids));
  return pids.map((pid) => found.get(pid) ?? []);
}

async function linksOf(pid: number): Promise<readonly string[]> {
  const directory = `/proc/${pid}/fd`;
  const names = await readdir(directory).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')));
  return links.filter((link) => link.startsWith('/'));
}

/** Exits with 1 when one of the processes is gone, and tells of the others all the same. Empty where there is no lsof. */
function lsof(pids: readonly number[]): Promise<string> {
  const options = { timeout: LSOF_WAIT_MS, killSignal: 'SIGKILL', maxBuffer: LSOF_OUTPUT_LIMIT } as const;
  return new Promise((resolve) => {
    execFile('lsof', ['-w', '-n', '-P', '-p', pids.join(','), '-Fpn'], options, (_, stdout) => resolve(stdout));
  });
}

/** Reads lsof's field output: `p` and a pid, then for each of its files `f` and the descriptor, `n` and the name. */
export function pathsIn(fields: string): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  let paths: string[] = [];
  for (const line of fields.split('\n')) {
    if (line.startsWith('n/')) paths.push(line.slice(1));
    if (!line.startsWith('p')) continue;
    paths = [];
    found.set(Number(line.slice(1)), paths);
  }
  return found;
}
