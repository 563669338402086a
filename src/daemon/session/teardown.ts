import { execa } from 'execa';
import type { Sidecar } from '../store/sidecar.js';
import type { WorktreeRecord } from '../worktree-record.js';
import type { SessionContext } from './session-context.js';
import { endProcesses } from './session-remains.js';

/** How long a teardown may take, in milliseconds: long enough to stop containers, short enough for a kill that waits for it. */
const TEARDOWN_MS = 60_000;

/** How much of the end of what a teardown printed is told of a failure, in characters. */
const TAIL = 500;

/** A teardown that prints more is ended, in bytes. */
const OUTPUT_LIMIT = 4 * 1024 * 1024;

/**
 * Runs what the repository wants to be done before a worktree is removed, as it was trusted when the worktree was made, and ends all that
 * it leaves running. Answers what went wrong: that holds nothing up, as the kill was asked for.
 */
export async function tearDown(context: SessionContext, record: Sidecar, worktree: WorktreeRecord): Promise<string | undefined> {
  const script = worktree.setup?.teardown;
  if (script === undefined) return undefined;
  const end = () => context.background.start(() => endProcesses(context, record.id));
  const timer = setTimeout(end, TEARDOWN_MS);
  const running = execa('/bin/sh', ['-c', 'umask "$1"; exec /bin/sh -c "$2"', 'maestro', context.umask.toString(8), script], {
    cwd: worktree.path,
    env: context.environmentOf(record),
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
    maxBuffer: OUTPUT_LIMIT,
  });
  // What it started in the background holds its output open, and would hold up the kill.
  running.once('exit', end);
  const result = await running;
  clearTimeout(timer);
  await endProcesses(context, record.id);
  if (!result.failed) return undefined;
  const said = (result.all ?? '').trim().slice(-TAIL);
  context.log.warn({ session: record.id, code: result.exitCode, signal: result.signal }, 'a teardown failed');
  const how =
    result.exitCode === undefined ? `was ended (${result.signal ?? result.shortMessage})` : `failed with status ${result.exitCode}`;
  return `the teardown of ${worktree.path} ${how}${said === '' ? '' : `: ${said}`}`;
}
