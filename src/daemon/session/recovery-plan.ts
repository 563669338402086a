import type { PaneInfo } from '../panes/panes.js';
import type { Sidecar } from '../store/sidecar.js';
import { endedInReboot } from './session-record.js';

/**
 * What recovery does with one session id.
 *
 * - `adopt`: its program runs on; take it over. `finishStop` when a stop was cut off.
 * - `seal`: its program has ended; take in what it last showed, and how it ended.
 * - `lose`: its pane is gone and nobody saw it end.
 * - `undo_create`, `undo_resume`: what a crash cut off before anybody was told.
 * - `killed`: its program was ended by a kill that had not come to its end.
 * - `reboot`: its end belonged to the host's going down.
 * - `keep`: it rests; `endPane` when a dead pane of it is left over.
 * - `bury`: it was killed; end what is left of it.
 * - `ignore`: somebody else's.
 */
export type RecoveryStep =
  | { readonly kind: 'adopt'; readonly sidecar: Sidecar; readonly pane: PaneInfo; readonly finishStop: boolean }
  | { readonly kind: 'seal'; readonly sidecar: Sidecar; readonly pane: PaneInfo }
  | { readonly kind: 'adopt_unknown'; readonly pane: PaneInfo }
  | { readonly kind: 'lose' | 'killed' | 'undo_resume' | 'reboot'; readonly sidecar: Sidecar }
  | { readonly kind: 'keep'; readonly sidecar: Sidecar; readonly endPane?: PaneInfo }
  | { readonly kind: 'undo_create' | 'bury'; readonly id: string; readonly pane?: PaneInfo }
  | { readonly kind: 'ignore' };

export interface Finding {
  readonly id: string;
  readonly sidecar?: Sidecar | undefined;
  readonly pane?: PaneInfo | undefined;
  readonly buried: boolean;
}

export interface RecoveryFacts {
  /**
   * When the daemon before last showed a sign of life, in milliseconds since 1970, if the tmux server of then is gone. A server that
   * lives on proves that there was no reboot.
   */
  readonly lastSignBeforeLoss: number | undefined;
}

/** Decides by sidecar, pane and tombstone. Pure: the same findings give the same step. */
export function planRecovery(finding: Finding, facts: RecoveryFacts): RecoveryStep {
  const { id, sidecar, buried } = finding;
  const pane = finding.pane?.marked === true ? finding.pane : undefined;
  const withPane = pane === undefined ? {} : { pane };
  if (buried) return { kind: 'bury', id, ...withPane };
  if (sidecar === undefined) return pane === undefined ? { kind: 'ignore' } : { kind: 'adopt_unknown', pane };
  if (sidecar.intent?.kind === 'create') return { kind: 'undo_create', id, ...withPane };
  if (pane !== undefined) return withItsPane(sidecar, pane);
  return withoutPane(sidecar, facts);
}

function withItsPane(sidecar: Sidecar, pane: PaneInfo): RecoveryStep {
  if (!pane.dead) return { kind: 'adopt', sidecar, pane, finishStop: sidecar.intent?.kind === 'stop' };
  return sidecar.status === 'running' ? { kind: 'seal', sidecar, pane } : { kind: 'keep', sidecar, endPane: pane };
}

function withoutPane(sidecar: Sidecar, facts: RecoveryFacts): RecoveryStep {
  const { intent, status } = sidecar;
  if (intent?.kind === 'resume' && intent.spawned !== true) return { kind: 'undo_resume', sidecar };
  if (status === 'running') return { kind: intent?.kind === 'kill' ? 'killed' : 'lose', sidecar };
  const { lastSignBeforeLoss } = facts;
  if (lastSignBeforeLoss !== undefined && endedInReboot(sidecar, lastSignBeforeLoss)) return { kind: 'reboot', sidecar };
  return { kind: 'keep', sidecar };
}
