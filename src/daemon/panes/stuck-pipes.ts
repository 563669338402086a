import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identify } from '../process-identity.js';
import { PIPE_PROGRAM, pipeShellText } from './tmux-quote.js';

const run = promisify(execFile);

interface ShellProcess {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

/**
 * Ends the pipe shells of fifos in `fifoDir` that wait for a reader which never comes: tmux forgets them when it arms another pipe, and
 * they outlive even its server. To be called before any pipe is armed; those of live panes end too, and adoption arms those anew.
 *
 * Touches only shells whose whole command is a pipe into this directory and which belong to the process group of `serverPid`, or of
 * a server that is gone.
 */
export async function endStuckPipes(fifoDir: string, serverPid: number | undefined): Promise<number> {
  const start = `sh -c ${pipeShellText(`${fifoDir}/`).slice(0, -1)}`;
  const shells = (await processes()).filter(({ command }) => command.startsWith(start) && command.endsWith(".fifo'"));
  const ours = await Promise.all(shells.map(async ({ group }) => group === serverPid || (await identify(group)) === undefined));
  return shells.filter(({ pid }, index) => ours[index] && kill(pid)).length;
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

async function processes(): Promise<ShellProcess[]> {
  if (process.platform !== 'linux') return parsePs((await run('ps', ['-axww', '-o', 'pid=,pgid=,command='])).stdout);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => readShell(Number(pid)).catch(() => undefined)));
  return found.filter((shell) => shell !== undefined);
}

async function readShell(pid: number): Promise<ShellProcess | undefined> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  if (words[1] !== '-c' || !words[2]?.startsWith(PIPE_PROGRAM)) return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  return { pid, group, command: words.slice(0, -1).join(' ') };
}

function parsePs(text: string): ShellProcess[] {
  const lines = text.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  return lines.flatMap((match) => (match === null ? [] : [{ pid: Number(match[1]), group: Number(match[2]), command: match[3] ?? '' }]));
}
