import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ANSWER_MS, isService, type SystemdUnit, unitOf } from './systemd-unit.js';

const run = promisify(execFile);

/** A file for each user whose own manager stays when nobody is logged in, as `loginctl enable-linger` makes it. */
const LINGERING = '/var/lib/systemd/linger';

/** What to tell the user of a tmux server that systemd will end one day with something else; undefined where it will not. */
export async function endingWarning(tmuxPid: number): Promise<string | undefined> {
  const unit = await unitOf(tmuxPid);
  if (unit === undefined) return undefined;
  if (isUsersManager(unit) || unit.isUsers) return logoutWarning(unit);
  if (isService(unit)) return serviceWarning(unit);
  return isLogin(unit) ? loginWarning() : undefined;
}

const isUsersManager = ({ name }: SystemdUnit) => /^user@\d+\.service$/.test(name);
const isLogin = ({ name }: SystemdUnit) => /^session-\w+\.scope$/.test(name);

/** A desktop's terminals and services of a user belong to the user's own manager, which goes with the user's last login. */
async function logoutWarning(unit: SystemdUnit): Promise<string | undefined> {
  const service = isUsersManager(unit) || !isService(unit) ? undefined : await serviceWarning(unit);
  if (service !== undefined || (await lingers())) return service;
  return 'when you log out, systemd ends every session with all else that is yours; to keep them run: loginctl enable-linger';
}

async function lingers(): Promise<boolean> {
  try {
    await access(join(LINGERING, userInfo().username)); // it throws for a user whom the system has no name of
    return true;
  } catch {
    return false;
  }
}

async function serviceWarning(service: SystemdUnit): Promise<string | undefined> {
  if (!(await endsAll(service))) return undefined;
  return `when ${service.name} stops or restarts, systemd ends every session with it, as their tmux server belongs to it; add KillMode=process to its [Service] section`;
}

/** False where the service leaves its other processes alone when it stops. */
async function endsAll({ name, isUsers }: SystemdUnit): Promise<boolean> {
  const words = [...(isUsers ? ['--user'] : []), 'show', '--property=KillMode', '--value', '--', name];
  return !/^(?:process|none)$/.test((await answer('systemctl', words)) ?? '');
}

/** Source: logind.conf(5), of KillUserProcesses and KillExcludeUsers. */
async function loginWarning(): Promise<string | undefined> {
  const [kills, spared] = await Promise.all([logind('KillUserProcesses'), logind('KillExcludeUsers')]);
  if (kills !== 'b true' || isNamed(spared)) return undefined;
  return 'when you log out, systemd ends every session with this login, as logind has KillUserProcesses=yes; run Maestro as a service of yours, with loginctl enable-linger';
}

/** Whether a list of users, as busctl prints it, has this one. */
function isNamed(users: string | undefined): boolean {
  try {
    return users?.includes(JSON.stringify(userInfo().username)) === true;
  } catch {
    return false;
  }
}

function logind(property: string): Promise<string | undefined> {
  const manager = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager'];
  return answer('busctl', ['--system', 'get-property', ...manager, property]);
}

/** What the program prints, without the line end; undefined where it fails. */
function answer(file: string, words: readonly string[]): Promise<string | undefined> {
  return run(file, words, { timeout: ANSWER_MS, cwd: '/' }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}
