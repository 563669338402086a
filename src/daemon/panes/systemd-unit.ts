import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** How long systemd may take to answer, in milliseconds. */
export const ANSWER_MS = 5_000;

const run = promisify(execFile);

/** The unit of systemd that a process belongs to. */
export interface SystemdUnit {
  readonly name: string;
  /** Of a user's own manager, not of the system's. */
  readonly isUsers: boolean;
}

/**
 * The innermost unit that the text of `/proc/PID/cgroup` tells of.
 *
 * Sources: cgroups(7); systemd's "Control Group APIs and Delegation" for the names along the path.
 */
export function unitIn(cgroups: string): SystemdUnit | undefined {
  for (const [, path = ''] of cgroups.matchAll(/^(?:0:|\d+:name=systemd):(.*)$/gm)) {
    const units = path.split('/').filter((part) => /.\.(?:service|scope)$/.test(part));
    const name = units.pop();
    if (name !== undefined) return { name, isUsers: units.some((unit) => /^user@\d+\.service$/.test(unit)) };
  }
  return undefined;
}

/** The unit that a process belongs to; undefined where systemd has none for it, or does not run. */
export async function unitOf(pid: number | 'self'): Promise<SystemdUnit | undefined> {
  return unitIn(await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => ''));
}

/** A service ends what belongs to it. A scope, such as that of a login or a terminal, ends nothing. */
export function isService({ name }: SystemdUnit): boolean {
  return name.endsWith('.service');
}

/**
 * The words ahead of a command that start it in a scope of its own, beside the service that this process belongs to: nothing of it ends
 * when the service does. Empty where there is no such service, and where systemd does not allow a scope.
 */
export async function scopeWords(description: string): Promise<readonly string[]> {
  const unit = await unitOf('self');
  if (unit === undefined || !isService(unit)) return [];
  const scope = ['systemd-run', ...(unit.isUsers ? ['--user'] : []), '--scope', '--quiet', '--collect', `--description=${description}`];
  // Of one program that takes too much memory not all are to end; systemd before 253 knows no such policy of scopes.
  for (const words of [
    [...scope, '--property=OOMPolicy=continue', '--'],
    [...scope, '--'],
  ]) {
    if (await works([...words, 'true'])) return words;
  }
  return [];
}

async function works([file = '', ...args]: readonly string[]): Promise<boolean> {
  return run(file, args, { timeout: ANSWER_MS, cwd: '/' }).then(
    () => true,
    () => false,
  );
}
