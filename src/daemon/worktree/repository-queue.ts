/**
 * One line for each repository: what changes its refs or worktrees is done one after the other, as git's own locks make the second fail
 * rather than wait. Different repositories do not wait for each other.
 */
export class RepositoryQueue {
  readonly #ends = new Map<string, Promise<unknown>>();

  /** `gitDir` is the common git directory, with no symbolic link in it. Not to be called from within work on the same repository. */
  async run<T>(gitDir: string, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(gitDir) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#ends.set(gitDir, result);
    try {
      return await result;
    } finally {
      if (this.#ends.get(gitDir) === result) this.#ends.delete(gitDir);
    }
  }
}
