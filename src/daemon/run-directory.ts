import { lstat, mkdir } from 'node:fs/promises';

interface RunDirectoryParts {
  readonly stateDir: {
    readonly run: string;
    readonly ptyDir: string;
    readonly pasteDir: string;
    readonly spool: string;
    readonly socket: string;
    readonly tmuxSocket: string;
  };
  readonly panes: { restoreSocket(): Promise<void> };
  readonly listener: { listenAgain(): Promise<void> };
}

/**
 * Makes again what somebody has deleted of the run directory, as what cleans up old files does. What is open goes on without it, but
 * nobody else finds the daemon, tmux cannot be reached again, and another daemon would not see that there is one.
 */
export async function restoreRunDirectory({ stateDir, panes, listener }: RunDirectoryParts): Promise<void> {
  const { run, ptyDir, pasteDir, spool, socket, tmuxSocket } = stateDir;
  for (const path of [run, ptyDir, pasteDir, spool]) await makeAgain(path);
  if (await isMissing(tmuxSocket)) await panes.restoreSocket();
  if (await isMissing(socket)) await listener.listenAgain();
}

/** Not what is above it: without a state directory there is nothing left to be found. */
async function makeAgain(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}
