import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Claude's are some 600 bytes long. A longer file than this is none of them. */
const MOST_BYTES = 64 * 1024;

/** Undefined for what cannot be read or is no such file; `gone` when there is none. */
export type StatusText = { readonly text: string } | 'gone' | undefined;

/** Reads a small file of somebody else's: never waits on a fifo, never reads much. Never rejects. */
export async function readStatusFile(path: string): Promise<StatusText> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
      return bytesRead > MOST_BYTES ? undefined : { text: buffer.toString('utf8', 0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'gone' : undefined;
  }
}

/** What Claude says of the process that writes the file. */
export interface StatusWriter {
  readonly pid: number;
  /** When the process began, as the system tells it: on Linux in clock ticks after boot, else as `ps -o lstart` prints it in UTC. */
  readonly procStart: string | undefined;
  /** Differs from that of another process which has had the pid before. */
  readonly life: string;
}

/** Undefined for JSON that is no status of the process that the file is named after. */
export function writerOf(file: unknown, pid: number): StatusWriter | undefined {
  if (typeof file !== 'object' || file === null) return undefined;
  const { pid: told, procStart, startedAt } = file as Readonly<Record<string, unknown>>;
  if (told !== undefined && told !== pid) return undefined;
  const start = typeof procStart === 'string' && procStart !== '' ? procStart : undefined;
  return { pid, procStart: start, life: JSON.stringify([start, startedAt]) };
}

/** True unless both are known and differ. `started` is as `identify` tells it, whose `ps` prints local time. */
export function isStartOf(procStart: string | undefined, started: string): boolean {
  if (procStart === undefined) return true;
  const ticks = /^\d+$/;
  if (ticks.test(procStart) || ticks.test(started)) return procStart === started || !(ticks.test(procStart) && ticks.test(started));
  const [told, real] = [Date.parse(`${procStart} UTC`), Date.parse(started)];
  return Number.isNaN(told) || Number.isNaN(real) || told === real;
}
