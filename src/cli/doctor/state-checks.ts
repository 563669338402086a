import { lstat, readdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shellQuote } from '../shell-quote.js';
import { statePaths } from '../state-dir.js';
import { type Finding, fail, ok, warn } from './finding.js';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** Below the first, sessions are in danger; below the second, it is time to make room. */
const LEAST_FREE = { fail: 32 * 1024 * 1024, warn: 512 * 1024 * 1024 } as const;
/** The longest path of a socket, in bytes. */
const SOCKET_LIMIT = { linux: 107, darwin: 103 } as const;

/** What the state directory looks like from outside. */
export async function stateFindings(root: string, user = process.geteuid?.() ?? 0): Promise<Finding[]> {
  const paths = statePaths(root);
  const exists = await lstat(root).then(
    () => true,
    () => false,
  );
  const always = [socketPathFinding(paths.socket), await diskFinding(root)];
  if (!exists) return [ok('state', `${root} does not exist yet; the daemon makes it`), ...always];
  return [await ownershipFinding(root, user), ...always, await brokenSidecarFinding(paths.sessions), await tombstoneFinding(paths.trash)];
}

export function socketPathFinding(path: string, platform: NodeJS.Platform = process.platform): Finding {
  const limit = platform === 'darwin' ? SOCKET_LIMIT.darwin : SOCKET_LIMIT.linux;
  const bytes = Buffer.byteLength(path);
  if (bytes <= limit) return ok('socket path', `${bytes} of ${limit} bytes`);
  return fail('socket path', `${path} has ${bytes} bytes, and a socket can have ${limit}`, 'set MAESTRO_STATE_DIR to a shorter path');
}

async function ownershipFinding(root: string, user: number): Promise<Finding> {
  const problems: string[] = [];
  let writable = false;
  for (const path of await allPaths(root)) {
    const found = await lstat(path).catch(() => undefined); // it may be gone by now
    if (found === undefined || found.isSymbolicLink() || found.isSocket()) continue;
    if (found.uid !== user) problems.push(`${path} belongs to user ${found.uid}`);
    else if ((found.mode & OTHERS) !== 0) problems.push(`${path} is open to others (mode ${(found.mode & 0o777).toString(8)})`);
    writable ||= found.uid !== user || (found.mode & OTHERS_WRITE) !== 0;
  }
  const [first, ...more] = problems;
  if (first === undefined) return ok('state', `${root} is private`);
  const text = more.length === 0 ? first : `${first}, and ${more.length} more`;
  return (writable ? fail : warn)('state', text, `check it, then: chmod -R go= ${shellQuote(root)}`);
}

/** The directory, and two levels below: all there is. */
async function allPaths(root: string): Promise<string[]> {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  return [root, ...names.map((name) => join(root, name))];
}

async function diskFinding(root: string): Promise<Finding> {
  const free = await freeBytes(root);
  if (free === undefined) return warn('disk', 'the free space cannot be told');
  const text = `${Math.floor(free / 1024 / 1024)} MiB free`;
  if (free < LEAST_FREE.fail) return fail('disk', `${text}: sessions and their output cannot be kept`, 'make room');
  return free < LEAST_FREE.warn ? warn('disk', text, 'make room soon') : ok('disk', text);
}

/** Of the nearest directory that exists. */
async function freeBytes(path: string): Promise<number | undefined> {
  for (let at = path; ; at = dirname(at)) {
    const found = await statfs(at).catch(() => undefined);
    if (found !== undefined) return found.bavail * found.bsize;
    if (at === dirname(at)) return undefined;
  }
}

async function brokenSidecarFinding(sessions: string): Promise<Finding> {
  const broken = (await readdir(sessions).catch(() => [])).filter((name) => name.includes('.bad-'));
  if (broken.length === 0) return ok('records', 'no session record was set aside');
  const text = `${broken.length} unreadable session records were set aside: ${broken.slice(0, 3).join(', ')}${broken.length > 3 ? ', …' : ''}`;
  return warn('records', text, `look at them in ${sessions}; delete what is not needed`);
}

async function tombstoneFinding(trash: string): Promise<Finding> {
  const names = await readdir(trash).catch(() => []);
  return ok('tombstones', `${names.length} killed sessions are remembered (24 h)`);
}
