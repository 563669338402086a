import { Git, type GitAnswer, type GitOptions, type GitPlace } from '../../../src/daemon/git.js';
import type { GitRepo } from '../../support/git-repo.js';

type Before = (place: GitPlace, args: readonly string[]) => Promise<void> | void;

/** git with something that happens just before each of its commands. */
export class WatchedGit extends Git {
  readonly #before: Before;

  constructor(repo: GitRepo, before: Before) {
    super({ env: repo.env, umask: 0o022 });
    this.#before = before;
  }

  override async attempt(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    await this.#before(place, args);
    return super.attempt(place, args, options);
  }
}
