import { MaestroError } from '../../protocol/index.js';
import type { Panes } from '../panes/panes.js';
import type { Sidecar } from '../store/sidecar.js';
import { labelOf } from './session-view.js';

/** Refuses to touch a live session while tmux is silent: what cannot be seen through is not begun. */
export function requireTmux(panes: Panes, record: Sidecar): void {
  if (panes.state === 'up') return;
  throw new MaestroError(
    'tmux_unavailable',
    `tmux does not answer, so ${labelOf(record)} is left as it is; try again, or see \`maestro doctor\``,
  );
}
