import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Git } from '../../src/daemon/git.js';

interface RepoOptions {
  /** The name of its directory, any characters. */
  readonly name?: string;
  readonly bare?: boolean;
  /** Empty commits that are made at once, on `main`. */
  readonly commits?: number;
}

/** A real repository in a directory of its own, with a HOME of its own, so that nothing of the user's or the system's settings is read. */
export class GitRepo implements AsyncDisposable {
  /** The top of the main worktree, or the bare repository. */
  readonly path: string;
  /** What git runs with here, for programs that a test starts itself. */
  readonly env: Readonly<Record<string, string>>;
  /** Where a test keeps its worktrees. It does not exist yet. */
  readonly worktreesDir: string;
  /** The directory that holds all of it. */
  readonly root: string;

  private constructor(root: string, name: string) {
    this.root = root;
    this.path = join(root, name);
    this.worktreesDir = join(root, 'worktrees');
    this.env = {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: join(root, 'home'),
      XDG_CONFIG_HOME: join(root, 'home', '.config'),
      GIT_CONFIG_NOSYSTEM: '1',
      LC_ALL: 'C',
    };
  }

  static async create({ name = 'repo', bare = false, commits = 1 }: RepoOptions = {}): Promise<GitRepo> {
    const repo = new GitRepo(await realpath(await mkdtemp(join(tmpdir(), 'm-'))), name);
    await mkdir(join(repo.root, 'home'));
    await writeFile(
      join(repo.root, 'home', '.gitconfig'),
      '[user]\n\tname = A Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
    );
    await mkdir(repo.path, { recursive: true });
    await repo.git('init', '--quiet', ...(bare ? ['--bare'] : []));
    for (let made = 1; made <= commits; made++) await (bare ? repo.#commitBare(made) : repo.commit(`commit ${made}`));
    return repo;
  }

  /** Standard output without its last line end. Rejects with what git said. */
  git(...args: string[]): Promise<string> {
    return this.gitAt(this.path, ...args);
  }

  /** The same in another directory, such as a worktree. */
  gitAt(cwd: string, ...args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile('git', args, { cwd, env: this.env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout.replace(/\n$/, ''));
        else reject(new Error(`git ${args.join(' ')}: ${stderr.trim() || error.message}`, { cause: error }));
      });
    });
  }

  /** Writes a file of the main worktree and the directories above it; answers its absolute path. */
  async write(path: string, content: string | Uint8Array): Promise<string> {
    const file = join(this.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  }

  /** Commits all that is in the main worktree, or nothing; answers the commit's id. */
  async commit(message: string): Promise<string> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** git as the daemon runs it. */
  runner(): Git {
    return new Git({ env: this.env, umask: 0o022 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  async #commitBare(number: number): Promise<void> {
    const parent = number === 1 ? [] : ['-p', 'main'];
    const tree = await this.git('hash-object', '-t', 'tree', '-w', '/dev/null');
    const commit = await this.git('commit-tree', tree, ...parent, '-m', `commit ${number}`);
    await this.git('update-ref', 'refs/heads/main', commit);
  }
}
