import { type Commit, CommitSchema } from '../../protocol/index.js';
import { type Clock, formatCommitTime } from '../clock.js';
import { type Git, type GitPlace, GitUnavailable } from '../git.js';
import type { HeadFile } from './head-file.js';
import type { RepositoryLocation } from './repository-location.js';
import { Turns } from './turns.js';

/** What HEAD of a repository was when it was looked at last. */
export interface Head {
  readonly branch: string | undefined;
  readonly commit: Commit | undefined;
}

interface Seen {
  readonly stamp: string;
  readonly head: Promise<Head>;
  /** What came of it. */
  known: Head | undefined;
  /** By the clock that only goes forward. */
  readonly at: number;
}

const PROCESSES_AT_ONCE = 4;
/** After how long git is asked again where it told no commit: it may have been its settings. */
const RETRY_MS = 60_000;
const OUTPUT_LIMIT = 64 * 1024;

/**
 * A repository that somebody left on this disk runs no program by being listed: neither one that checks signatures, nor one that fetches
 * an object that is missing.
 */
const ALONE = ['', '.ext', '.file', '.git', '.ssh', '.http', '.https'].flatMap((name) => ['-c', `protocol${name}.allow=never`]);
const BRANCH = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
const LOG = ['log', '-1', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--format=%H%x00%ct%x00%an%x00%s'];

/** The last commit of each repository. git is asked once for each state of HEAD. */
export class LastCommits {
  readonly #git: Git;
  readonly #clock: Clock;
  readonly #turns = new Turns(PROCESSES_AT_ONCE);
  readonly #seen = new Map<string, Seen>();

  constructor({ git, clock }: { readonly git: Git; readonly clock: Clock }) {
    this.#git = git;
    this.#clock = clock;
  }

  /** Resolves once {@link known} tells what `file` stands for. Rejects only where git cannot be started. */
  async look(repository: RepositoryLocation, file: HeadFile): Promise<void> {
    const before = this.#seen.get(repository.gitDir);
    if (before?.stamp === file.stamp && !this.#isToRetry(before, file)) return void (await before.head);
    const seen: Seen = {
      stamp: file.stamp,
      head: this.#turns.run(() => this.#ask(repository, file)),
      known: before?.known,
      at: this.#clock.monotonic(),
    };
    this.#seen.set(repository.gitDir, seen);
    try {
      seen.known = await seen.head;
    } catch (error) {
      if (this.#seen.get(repository.gitDir) === seen) this.#seen.delete(repository.gitDir);
      throw error;
    }
  }

  /** What the last look told; undefined before it ended. */
  known(repository: RepositoryLocation): Head | undefined {
    return this.#seen.get(repository.gitDir)?.known;
  }

  /** Forgets all others. */
  retain(repositories: readonly RepositoryLocation[]): void {
    const kept = new Set(repositories.map(({ gitDir }) => gitDir));
    for (const gitDir of this.#seen.keys()) if (!kept.has(gitDir)) this.#seen.delete(gitDir);
  }

  #isToRetry({ known, at }: Seen, file: HeadFile): boolean {
    return known !== undefined && known.commit === undefined && !file.isUnborn && this.#clock.monotonic() - at > RETRY_MS;
  }

  async #ask(repository: RepositoryLocation, file: HeadFile): Promise<Head> {
    if (file.isUnborn) return { branch: file.branch, commit: undefined };
    const place = placeOf(repository, file);
    const branch = file.isOpaque ? (await this.#told(place, BRANCH))?.trimEnd() : file.branch;
    const told = await this.#told(place, [...ALONE, ...LOG, 'HEAD', '--']);
    return { branch, commit: told === undefined ? undefined : commitOf(told) };
  }

  /** Undefined where git fails, also by not coming to an end: one repository that it cannot cope with does not hide the others. */
  async #told(place: GitPlace, args: readonly string[]): Promise<string | undefined> {
    try {
      const answer = await this.#git.attempt(place, args, { maxBytes: OUTPUT_LIMIT });
      return answer.code === 0 ? answer.stdout.toString('utf8') : undefined;
    } catch (error) {
      if (error instanceof GitUnavailable && error.hasRun) return undefined;
      throw error;
    }
  }
}

/** One of somebody else is left to git to find, which then judges whether it is to be trusted. */
function placeOf({ path, gitDir }: RepositoryLocation, { uid }: HeadFile): GitPlace {
  return uid === process.getuid?.() ? { cwd: gitDir, gitDir } : { cwd: path };
}

function commitOf(output: string): Commit | undefined {
  const [id, seconds, author = '', subject = ''] = output.replace(/\n$/, '').split('\0');
  const checked = CommitSchema.safeParse({ id, subject, author, at: formatCommitTime(Number(seconds)) });
  return checked.success ? checked.data : undefined;
}
