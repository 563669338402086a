import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.js';

const run = promisify(execFile);
const SYSTEMD = '/lib/systemd/systemd';
const ROOT = join(import.meta.dirname, '../..');

/**
 * Makes `$1` the root of this mount namespace, a copy of the host's of which nothing comes back but what is written below the repository,
 * and systemd the first process in it. Nothing of the usual start-up happens: it would see to devices, which are the host's.
 */
const BOOT = `
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount -t sysfs sysfs sys -o ro
mount -t cgroup2 none sys/fs/cgroup
mount --rbind /dev dev
mount -t tmpfs tmpfs run -o mode=755
mount -t tmpfs tmpfs tmp -o mode=1777
mkdir -p "./$2" old run/lock run/systemd/system
mount --bind "$2" "./$2"
printf '[Unit]\\nDefaultDependencies=no\\n' > run/systemd/system/quiet.target
ln -s /dev/null run/systemd/system/sysinit.target
pivot_root . old
umount -l /old
export container=namespace
exec ${SYSTEMD} --system --unit=quiet.target --log-target=null
`;

/** A systemd of its own, in namespaces of its own: with units, control groups and processes that the host's knows nothing of. Needs root. */
export class SystemdHost implements AsyncDisposable {
  readonly #dir: string;
  readonly #group: string;
  readonly #outer: ChildProcess;
  #pid = 0;

  private constructor(dir: string, group: string, outer: ChildProcess) {
    this.#dir = dir;
    this.#group = group;
    this.#outer = outer;
  }

  /** Undefined where there is no systemd to run, or where it may not be run so. */
  static async start(): Promise<SystemdHost | undefined> {
    const groups = /^\S+ (\S+) cgroup2 /m.exec(existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '')?.[1];
    if (process.geteuid?.() !== 0 || groups === undefined || !existsSync(SYSTEMD)) return undefined;
    const dir = await mkdtemp(join(tmpdir(), 'm-'));
    const group = join(groups, `maestro-test-${process.pid}`);
    await mkdir(group);
    const enter = `echo $$ > "$0/cgroup.procs" && exec unshare --mount --pid --fork --uts --ipc --cgroup --kill-child sh -c "$1" sh "$2" "$3"`;
    const host = new SystemdHost(dir, group, spawn('sh', ['-c', enter, group, BOOT, dir, ROOT], { stdio: 'ignore' }));
    const isUp = await until('systemd to run', () => host.#isRunning(), 10_000).catch(() => false);
    if (isUp) return host;
    await host[Symbol.asyncDispose]();
    return undefined;
  }

  async #isRunning(): Promise<boolean> {
    if (this.#outer.exitCode !== null) throw new Error('it ended');
    const child = readFileSync(`/proc/${this.#outer.pid}/task/${this.#outer.pid}/children`, 'utf8').trim();
    this.#pid = Number(child);
    return child !== '' && (await this.run('systemctl', 'is-system-running')) === 'running\n';
  }

  /** Runs a program in there; answers what it prints. */
  async run(...words: readonly string[]): Promise<string> {
    const { stdout } = await run('nsenter', ['-t', String(this.#pid), '-a', ...words], {
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    });
    return stdout;
  }

  /** Makes a file of these lines. */
  async write(path: string, lines: readonly string[]): Promise<void> {
    await this.run('sh', '-c', 'mkdir -p "$(dirname "$0")" && printf %s "$1" > "$0"', path, [...lines, ''].join('\n'));
  }

  /** Starts a service with these lines. */
  async service(name: string, lines: readonly string[]): Promise<void> {
    await this.write(`/run/systemd/system/${name}`, ['[Unit]', 'DefaultDependencies=no', '[Service]', ...lines]);
    await this.run('systemctl', 'daemon-reload');
    await this.run('systemctl', 'start', name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#outer.once('exit', resolve));
    if (this.#outer.exitCode === null && this.#outer.kill('SIGKILL')) await ended;
    await until('its control groups to be gone', () => removed(this.#group));
    await rm(this.#dir, { recursive: true, force: true });
  }
}

/** Control groups are directories that hold files of the kernel's, and go once no process is in them. */
function removed(group: string): boolean {
  for (const entry of readdirSync(group, { withFileTypes: true })) if (entry.isDirectory()) removed(join(group, entry.name));
  try {
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}
