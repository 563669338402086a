import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How long systemd may take to answer, in milliseconds. */
const ANSWER_MS = 5_000;

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

/** The service that the process belongs to. A process of a login or a terminal belongs to a scope, which ends nothing. */
async function serviceOf(pid: number | 'self'): Promise<SystemdUnit | undefined> {
  const unit = unitIn(await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => ''));
  return unit?.name.endsWith('.service') === true ? unit : undefined;
}

/** What to tell the user of a tmux server that belongs to a service, as one does that was started where no scope was allowed. */
export async function serviceWarning(tmuxPid: number): Promise<string | undefined> {
  const service = await serviceOf(tmuxPid);
  if (service === undefined || !(await endsAll(service))) return undefined;
  return `when ${service.name} stops or restarts, systemd ends every session with it, as their tmux server belongs to it; add KillMode=process to its [Service] section`;
}

/** False where the service leaves its other processes alone when it stops. */
async function endsAll({ name, isUsers }: SystemdUnit): Promise<boolean> {
  try {
    const words = [...(isUsers ? ['--user'] : []), 'show', '--property=KillMode', '--value', '--', name];
    const { stdout } = await run('systemctl', words, { timeout: ANSWER_MS });
    return !/^(?:process|none)$/.test(stdout.trim());
  } catch {
    return true;
  }
}

/**
 * The words ahead of a command that start it in a scope of its own, beside the service that this process belongs to: nothing of it ends
 * when the service does. Empty where there is no such service, and where systemd does not allow a scope.
 */
export async function scopeWords(description: string): Promise<readonly string[]> {
  const service = await serviceOf('self');
  if (service === undefined) return [];
  const scope = ['systemd-run', ...(service.isUsers ? ['--user'] : []), '--scope', '--quiet', '--collect', `--description=${description}`];
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
