import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import type { Size } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { GitRepo } from '../../support/git-repo.js';
import { PageBench, SHELL } from '../../support/page-bench.js';

export const BEFORE = "export function greet(name: string) {\n  const text = 'Hello';\n  return text + name;\n}\n";
export const AFTER = BEFORE.replace("'Hello'", "'Hello, '");

export interface OpenedWorktree {
  readonly page: MaestroPage;
  readonly id: string;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly git: (...args: string[]) => Promise<string>;
}

/** Sessions with worktrees, and pages that show what changed in them. */
export class ChangesBench implements AsyncDisposable {
  readonly #bench: PageBench;
  readonly #repos: GitRepo[] = [];

  private constructor(bench: PageBench) {
    this.#bench = bench;
  }

  static async start(): Promise<ChangesBench> {
    return new ChangesBench(await PageBench.start());
  }

  get host(): PageBench['host'] {
    return this.#bench.host;
  }

  settledSize(page: MaestroPage, id: string): Promise<Size> {
    return this.#bench.settledSize(page, id);
  }

  logIn(): Promise<MaestroPage> {
    return this.#bench.logIn();
  }

  /** A session with a worktree of its own in which `files` were written, and its page. */
  async opened(files: Readonly<Record<string, string>>, options?: BrowserContextOptions): Promise<OpenedWorktree> {
    const repo = await this.#repo();
    const worktree = { base_repo: repo.path, branch: 'fix/it' };
    const session = await this.host.create({ command: SHELL, worktree, metadata: { name: 'x' } });
    const dir = session.worktree?.path ?? '';
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    };
    for (const [path, text] of Object.entries(files)) await write(path, text);
    const page = await this.#bench.logIn(options);
    await page.goTo(session.id);
    await page.shows('>');
    return { page, id: session.id, write, git: (...args) => repo.gitAt(dir, ...args) };
  }

  /** See {@link PageBench.clear}. */
  async clear(): Promise<void> {
    await this.#bench.clear();
    for (const repo of this.#repos.splice(0)) await repo[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#bench[Symbol.asyncDispose]();
  }

  async #repo(): Promise<GitRepo> {
    const repo = await GitRepo.create();
    this.#repos.push(repo);
    await repo.write('src/greet.ts', BEFORE);
    await repo.write('src/old-name.ts', 'export const value = 1;\n'.repeat(20));
    await repo.commit('what was there');
    return repo;
  }
}

/** By the keyboard, as the list of keys has it. */
export async function showChanges({ page }: MaestroPage): Promise<void> {
  await page.keyboard.press('Control+b');
  await page.keyboard.press('g');
  await page.waitForURL('**/changes');
  await page.getByRole('region', { name: 'Differences' }).waitFor();
}

export function fileRows({ page }: MaestroPage): Locator {
  return page.getByRole('navigation', { name: 'Changed files' }).getByRole('button');
}

export function shownLines({ page }: MaestroPage): Locator {
  return page.locator('.diff__seen .dl');
}

/** The file that the list says is looked at. */
export async function currentFile({ page }: MaestroPage): Promise<string> {
  return (await page.locator('.filerow[aria-current]').textContent()) ?? '';
}
