import type { GitState } from '../../protocol/index.js';
import { GitStateWatcher } from '../worktree/git-state-watcher.js';
import { messageOf } from './record-keeper.js';
import { treeOf } from './session-changes.js';
import type { SessionContext } from './session-context.js';

/**
 * Keeps the git state of sessions with worktrees fresh, by file events, and only while somebody listens to what becomes of sessions:
 * otherwise nothing is watched and nothing runs.
 */
export class GitStates implements AsyncDisposable {
  readonly #context: SessionContext;
  readonly #watcher: GitStateWatcher;
  readonly #watched = new Set<string>();

  constructor(context: SessionContext) {
    this.#context = context;
    this.#watcher = new GitStateWatcher({
      git: context.git,
      onState: (id, state) => this.#note(id, state),
      onProblem: (id, error) => context.log.warn({ session: id, error: messageOf(error) }, 'a worktree cannot be watched as it should'),
    });
  }

  /** Begins. Sessions that come and go later are followed by themselves. */
  start(): void {
    const { registry } = this.#context;
    registry.follow({
      changed: (id) => this.#watch(id),
      removed: (id) => this.#unwatch(id),
      audience: (present) => this.#watcher.setActive(present),
    });
    for (const { id } of registry.entries()) this.#watch(id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#watcher[Symbol.asyncDispose]();
  }

  #watch(id: string): void {
    const record = this.#context.worktrees.find(id);
    if (record === undefined || record.state !== 'made' || this.#watched.has(id)) return;
    this.#watched.add(id);
    this.#watcher.watch(id, treeOf(record));
  }

  #unwatch(id: string): void {
    if (this.#watched.delete(id)) this.#watcher.unwatch(id);
  }

  #note(id: string, state: GitState): void {
    const entry = this.#context.registry.find(id);
    if (entry === undefined) return;
    entry.git = state;
    this.#context.registry.publish(entry);
  }
}
