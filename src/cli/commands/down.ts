import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { connectTo } from '../connect.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { stoppedText } from '../running-daemon.js';

const STOP_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Stops the daemon and waits until its process is gone. Sessions live on. */
export async function down({ stateDir, output }: CommandContext): Promise<ExitCode> {
  const client = connectTo(stateDir);
  const { pid, sessions } = await client.host();
  await client.shutdown();
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new CliError(
        'failed',
        `the daemon (pid ${pid}) has not stopped for ${STOP_WITHIN_MS / 1000} s; \`kill -9 ${pid}\` is safe: sessions live in tmux`,
      );
    }
    await delay(LOOK_EVERY_MS);
  }
  output.line(stoppedText(sessions.running));
  output.document({ stopped: true, pid, sessions_running: sessions.running });
  return EXIT.done;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container whose first process collects no orphans, an ended daemon stays in the process table. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
