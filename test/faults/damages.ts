import { execFile } from 'node:child_process';
import { mkdir, open, rm, symlink, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

/** Puts something in place of a file; `good` is what it should hold. */
type Damage = (path: string, good: Buffer) => Promise<unknown>;

/** What a file may be after an accident of the disk, a foreign program, or a hand that slipped. */
const DAMAGES = {
  empty: (path) => writeFile(path, '', PRIVATE),
  'all NUL': (path, good) => writeFile(path, Buffer.alloc(good.length), PRIVATE),
  'cut after the first byte': (path, good) => writeFile(path, good.subarray(0, 1), PRIVATE),
  'cut in the middle': (path, good) => writeFile(path, good.subarray(0, good.length / 2), PRIVATE),
  'cut before the last byte': (path, good) => writeFile(path, good.subarray(0, good.length - 2), PRIVATE),
  'of bytes that are no text': (path, good) => writeFile(path, Buffer.concat([good.subarray(0, 9), Buffer.of(0xff, 0xc3), good]), PRIVATE),
  'a list': (path) => writeFile(path, '[1, null, "text"]', PRIVATE),
  null: (path) => writeFile(path, 'null', PRIVATE),
  'nested deeply': (path) => writeFile(path, DEEP, PRIVATE),
  'nested deeply in a field': (path, good) => writeFile(path, good.toString('latin1').replace(/\}\s*$/, `,"deep":${DEEP}}`), PRIVATE),
  'far too large': async (path) => {
    await using file = await open(path, 'w', PRIVATE.mode);
    await file.truncate(5 * 1024 ** 3);
  },
  'a directory': (path) => mkdir(path, 0o700),
  'a fifo': (path) => run('mkfifo', ['-m', '600', path]),
  'a link to nowhere': (path) => symlink('/nowhere/at/all', path),
  'a link to itself': (path) => symlink(path, path),
} as const satisfies Record<string, Damage>;

const PRIVATE = { mode: 0o600 };

export type DamageName = keyof typeof DAMAGES;
export const DAMAGE_NAMES = (Object.keys(DAMAGES) as DamageName[]).filter((name) => name !== 'nested deeply in a field' || !readsDeep());

/** Engines of late read what is nested so deeply: in a field that nobody knows it is no damage. */
function readsDeep(): boolean {
  try {
    JSON.parse(DEEP);
    return true;
  } catch {
    return false;
  }
}

export async function damage(how: DamageName, path: string, good: Buffer): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await DAMAGES[how](path, good);
}
