import { join, resolve } from 'node:path';
import { ClaudeStatusDirectory, type StatusFollower } from './claude-status-directory.js';

export interface FollowOptions extends StatusFollower {
  /** Claude's config directory: `CLAUDE_CONFIG_DIR` of the session, else `~/.claude`. It need not exist. */
  readonly directory: string;
}

export interface ClaudeStatusWatchParts {
  /** The files in `directory` cannot be followed, until another session asks for it; or one of them cannot for now. */
  readonly onProblem?: ((directory: string, error: unknown) => void) | undefined;
}

/**
 * Follows Claude Code's `sessions/<pid>.json` files, which Claude writes in place at each change of what it does, for any number of sessions:
 * by one watch for each directory, without polling. They are undocumented, and the only sign of an Esc.
 */
export class ClaudeStatusWatch {
  readonly #onProblem: (directory: string, error: unknown) => void;
  readonly #directories = new Map<string, ClaudeStatusDirectory>();

  constructor({ onProblem = () => undefined }: ClaudeStatusWatchParts = {}) {
    this.#onProblem = onProblem;
  }

  /** Tells what the files of the follower's processes say, those that exist already included, until its signal is aborted. */
  follow({ directory, ...follower }: FollowOptions): void {
    const { signal } = follower;
    if (signal.aborted) return;
    const path = join(resolve(directory), 'sessions');
    const followed = this.#directories.get(path) ?? this.#open(path);
    followed.add(follower);
    signal.addEventListener('abort', () => this.#leave(path, followed, follower), { once: true });
  }

  /** Nothing is told any more. */
  close(): void {
    for (const directory of this.#directories.values()) directory.close();
    this.#directories.clear();
  }

  #open(path: string): ClaudeStatusDirectory {
    const opened = new ClaudeStatusDirectory({ directory: path, onProblem: (error) => this.#onProblem(path, error) });
    this.#directories.set(path, opened);
    return opened;
  }

  #leave(path: string, followed: ClaudeStatusDirectory, follower: StatusFollower): void {
    followed.remove(follower);
    if (followed.isFollowed || this.#directories.get(path) !== followed) return;
    this.#directories.delete(path);
    followed.close();
  }
}
