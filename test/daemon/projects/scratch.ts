import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/daemon/clock.js';
import { Git } from '../../../src/daemon/git.js';

/** A directory of its own with a HOME in it, and git that reads no settings of anybody. */
export class Scratch implements AsyncDisposable {
  readonly top: string;
  readonly home: string;
  readonly git: Git;
  /** Goes only forward, and only when told. */
  readonly clock: Clock & { pass(ms: number): void };

  private constructor(top: string) {
    this.top = top;
    this.home = join(top, 'home');
    this.git = new Git({ env: { PATH: process.env.PATH ?? '', HOME: this.home, XDG_CONFIG_HOME: this.home }, umask: 0o022 });
    let passed = 0;
    this.clock = {
      now: () => passed,
      monotonic: () => passed,
      pass: (ms) => {
        passed += ms;
      },
    };
  }

  static async create(): Promise<Scratch> {
    const scratch = new Scratch(await realpath(await mkdtemp(join(tmpdir(), 'm-'))));
    await mkdir(scratch.home);
    return scratch;
  }

  /** The absolute path of a directory, which is made. */
  async directory(path: string): Promise<string> {
    const made = join(this.top, path);
    await mkdir(made, { recursive: true });
    return made;
  }

  async file(path: string, text = ''): Promise<string> {
    const made = join(this.top, path);
    await mkdir(join(made, '..'), { recursive: true });
    await writeFile(made, text);
    return made;
  }

  /** A new repository, with a commit at `at` (in seconds) unless it is to have none. */
  async repository(path: string, { at, options = [] }: { at?: number; options?: string[] } = {}): Promise<string> {
    const made = await this.directory(path);
    await this.git.run({ cwd: made }, ['init', '--quiet', '--initial-branch=main', ...options, '.']);
    if (at !== undefined) await this.commit(made, at);
    return made;
  }

  /** Answers its id. */
  async commit(cwd: string, at: number, message = 'first\n\nmore'): Promise<string> {
    const by = `Ümit <u@example.com> ${at} +0200`;
    const tree = await this.git.text({ cwd }, ['hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
    const parent = await this.git.attempt({ cwd }, ['rev-parse', '--verify', '--quiet', 'HEAD']);
    const parents = parent.code === 0 ? `parent ${parent.stdout.toString('utf8')}` : '';
    const input = `tree ${tree}\n${parents}author ${by}\ncommitter ${by}\n\n${message}\n`;
    const id = await this.git.text({ cwd }, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
    await this.git.run({ cwd }, ['update-ref', 'HEAD', id]);
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.top, { recursive: true, force: true });
  }
}
