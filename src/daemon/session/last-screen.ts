import { MaestroError } from '../../protocol/index.js';
import { seedFromCapture } from '../bridge/snapshot-seed.js';
import { restoredBytes, trimStored } from '../bridge/stored-scrollback.js';
import { HISTORY_LINES, type Pane } from '../panes/panes.js';
import { SCROLLBACK_HEADER_BYTES } from '../store/scrollback-store.js';
import type { Sidecar } from '../store/sidecar.js';
import type { SessionContext } from './session-context.js';

export function isStorageFailure(error: unknown): boolean {
  return error instanceof MaestroError && error.code === 'storage_failed';
}

/**
 * Stores the last words of a program that ended while this daemon was not reading it: a dead pane has no pipe any more, but what it last
 * showed is still in tmux. Rejects when tmux cannot be asked, and with `storage_failed` when the file cannot be written; the older one
 * then stays.
 */
export async function storeLastScreen(context: SessionContext, { id, run }: Sidecar, pane: Pane): Promise<void> {
  const { panes, scrollbacks, replayBytes } = context;
  const screen = await panes.capturePane(pane, { ansi: true, history: HISTORY_LINES });
  const stored = await scrollbacks.read(id);
  const former = stored?.run === run ? stored.former : stored && restoredBytes(stored, replayBytes);
  const scrollback = trimStored(
    { former: former ?? Buffer.alloc(0), current: seedFromCapture(screen) },
    replayBytes - SCROLLBACK_HEADER_BYTES,
  );
  await scrollbacks.write(id, { run, ...scrollback });
}
