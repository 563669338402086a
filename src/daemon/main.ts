import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { MaestroError } from '../protocol/index.js';
import { Daemon } from './daemon.js';
import { createLog } from './log.js';
import { claimedUmask } from './store/state-dir.js';

/** What tells a session's processes. A daemon that was started inside a session passes them on to none of its helpers. */
const MARKS = ['MAESTRO_SESSION_ID', 'MAESTRO_RUN', 'MAESTRO_SOCKET', 'MAESTRO_REPORT_TOKEN'] as const;

/**
 * Runs the daemon until SIGTERM, SIGINT or a client's request ends it.
 *
 * Standard output gets one line of JSON: what {@link Daemon.ready} says, or the error that kept it from starting (then the status is 1).
 * Standard error gets the log.
 */
async function main(): Promise<void> {
  for (const name of MARKS) delete process.env[name];
  const umask = process.umask(claimedUmask);
  const log = createLog(process.env.MAESTRO_LOG_LEVEL ?? 'info');
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const { values: flags } = parseArgs({ options: { listen: { type: 'string' } } });
  const daemon = await Daemon.start({
    env: process.env,
    home: process.env.HOME || homedir(),
    umask,
    flags,
    log,
    onShutdown: () => stop.abort(),
  });
  process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid, ...daemon.ready })}\n`);
  if (!stop.signal.aborted) await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
  log.info({}, 'stopping; sessions go on in tmux');
  await daemon[Symbol.asyncDispose]();
  log.info({}, 'stopped');
}

/** Node ends a process that waits for nothing but unreferenced timers, and not all that starting and stopping wait for holds it. */
const keepAlive = setInterval(() => undefined, 60_000);

main()
  .catch(tell)
  .finally(() => clearInterval(keepAlive));

function tell(error: unknown): void {
  const failure = error instanceof MaestroError ? error : new MaestroError('internal', String(error));
  if (!(error instanceof MaestroError)) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.stdout.write(`${JSON.stringify(failure.toJSON())}\n`);
  process.exitCode = 1;
}
