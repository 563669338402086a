import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CONTROL_SESSION } from './server-settings.js';

const run = promisify(execFile);

const FORMAT = '#{client_pid} #{client_control_mode} #{client_session}';
const ROUNDS = 100;
const PAUSE_MS = 10;

/**
 * Ends every control client of the control session and waits until the server has let go of them. `tmux` runs one command in a process.
 *
 * They are of an earlier daemon, or of a connection that broke. One whose reader died while output was pending stays for ever otherwise
 * and blocks the server's own end; detaching it has no effect, killing its process has. Terminals that people attached are left alone.
 */
export async function endControlClients(tmux: (...words: readonly string[]) => Promise<string>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = parseClients(await tmux('list-clients', '-F', FORMAT));
    if (pids.length === 0) return;
    await Promise.all(pids.map(endClient));
    await delay(PAUSE_MS);
  }
}

function parseClients(listed: string): number[] {
  const matches = listed.split('\n').map((line) => /^(\d+) 1 (.*)$/.exec(line));
  return matches.flatMap((match) => (match?.[2] === CONTROL_SESSION ? [Number(match[1])] : []));
}

async function endClient(pid: number): Promise<void> {
  const words = await commandLine(pid).catch(() => '');
  // The pid is what the client once said; whoever has it now must still look like one of ours.
  if (!/(?:^|\/)tmux\b/.test(words) || !words.includes(CONTROL_SESSION)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  return (await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
}
