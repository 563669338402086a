import type { GitState, KillResult, Session } from '../../protocol/index.js';
import type { Sidecar } from '../store/sidecar.js';
import type { LiveSession } from './live-session.js';
import { viewOf } from './session-view.js';

/**
 * What the daemon is doing with a session right now. `resting` has no program: dead or dormant. `ending` has seen its program end and
 * is taking in the last bytes. `killing` may still be refused, when its worktree turns out to hold work; `removing` is past that.
 */
export type Phase =
  | { readonly kind: 'creating' }
  | { readonly kind: 'resting' }
  | { readonly kind: 'resuming' }
  | { readonly kind: 'running'; readonly live: LiveSession }
  | { readonly kind: 'ending'; readonly live: LiveSession }
  | { readonly kind: 'killing'; readonly live?: LiveSession; readonly result: Promise<KillResult> }
  | { readonly kind: 'removing'; readonly result: Promise<KillResult> };

/**
 * One session in memory. Whoever is to change what it is claims it synchronously with {@link claim}, does slow work, and asks
 * {@link holds} before each durable step: a kill that came in between has claimed it since.
 */
export class SessionEntry {
  phase: Phase;
  #record: Sidecar;
  #generation = 0;
  /** Why this session needs a look; shown with it. */
  warning: string | undefined;
  /** How its worktree stands, as far as that is looked at. */
  git: GitState | undefined;
  /** Comes from a newer Maestro: shown, never written. */
  readonly readOnly: boolean;
  /** The last write failed: the record is newer than its file and is to be written again. */
  unsaved = false;
  /** It is being removed, and its files are not gone yet. */
  unerased = false;
  /** Settles once it is created, or is not; undefined since then. Until then nobody but its own program can know its id. */
  born: Promise<void> | undefined;
  /** The stop under way, shared by all who ask for it. */
  stop: Promise<Session> | undefined;

  constructor(record: Sidecar, phase: Phase, options: { readOnly?: boolean; warning?: string | undefined } = {}) {
    this.#record = record;
    this.phase = phase;
    this.readOnly = options.readOnly ?? false;
    this.warning = options.warning;
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): Sidecar {
    return this.#record;
  }

  get live(): LiveSession | undefined {
    return 'live' in this.phase ? this.phase.live : undefined;
  }

  /** Applies a transition to the record as it is now. */
  change(transition: (record: Sidecar) => Sidecar): void {
    this.#record = transition(this.#record);
  }

  /** Takes the session for one operation; what others had claimed is void. */
  claim(phase: Phase): number {
    this.phase = phase;
    this.#generation += 1;
    return this.#generation;
  }

  holds(generation: number): boolean {
    return this.#generation === generation;
  }

  /** The session as clients see it. While it ends it still counts as running: only when nothing of it is left in tmux is it told. */
  view(): Session {
    const { git, warning } = this;
    if (this.phase.kind !== 'ending') return viewOf(this.#record, { git, warning });
    const { exit: _exit, ...running } = this.#record;
    return viewOf({ ...running, status: 'running' }, { git, warning });
  }
}
