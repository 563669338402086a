import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

/**
 * One process, for good: pids are used again, but never with the same start in the same boot. What is signalled by a pid that was
 * written down earlier is checked against this first.
 *
 * `started` is the system's own text (Linux: clock ticks after boot, /proc/PID/stat field 22; macOS: `ps -o lstart`) and only ever compared.
 */
export const ProcessIdentitySchema = z.object({ pid: z.int().positive(), started: z.string().min(1), boot: z.string().min(1) });

export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

/** True for two looks at one process. */
export function isSame(a: ProcessIdentity | undefined, b: ProcessIdentity | undefined): boolean {
  return a !== undefined && a.pid === b?.pid && a.started === b.started && a.boot === b.boot;
}

/** Who `pid` is now, or undefined when no such process runs. A zombie has ended. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const started = await startOf(pid);
  return started === undefined ? undefined : { pid, started, boot: await bootId() };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return identity.started === (await startOf(identity.pid)) && identity.boot === (await bootId());
}

async function startOf(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

async function startFromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(undefinedIfGone);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
}

async function startFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C' } });
    const match = /^\s*(\S+)\s+(.*\S)\s*$/.exec(stdout);
    return match?.[1]?.startsWith('Z') ? undefined : match?.[2];
  } catch (error) {
    // ps ends with 1 and says nothing when there is no such process.
    if ((error as { code?: unknown }).code === 1) return undefined;
    throw error;
  }
}

/** Which boot of the host this is; the same text until it is started anew. */
export async function bootId(): Promise<string> {
  if (process.platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).trim();
  return (await run('sysctl', ['-n', 'kern.bootsessionuuid'])).stdout.trim();
}
