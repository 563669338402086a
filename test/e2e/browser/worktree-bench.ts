import type { MaestroPage } from '../../support/browser.js';
import { PageBench, SHELL } from '../../support/page-bench.js';
import { project, RepositoryAnswers } from '../../support/repository-answers.js';

export const ID = '0c9d41e2-7b1a-4c3d-9e5f-102030405060';
export const COMMIT = 'e41b07c'.padEnd(40, '0');
export const MARKUP = '<img src=x onerror=window.pwned=1>';

/** Pages on which sessions with worktrees are made and killed. */
export class WorktreeBench implements AsyncDisposable {
  readonly #bench: PageBench;
  #answers: RepositoryAnswers;

  private constructor(bench: PageBench) {
    this.#bench = bench;
    this.#answers = someAnswers(bench.host.home);
  }

  static async start(): Promise<WorktreeBench> {
    return new WorktreeBench(await PageBench.start());
  }

  get host(): PageBench['host'] {
    return this.#bench.host;
  }

  /** What pages of {@link logIn} are answered; fresh for each test. */
  get answers(): RepositoryAnswers {
    return this.#answers;
  }

  /** A page that is answered by {@link answers}. */
  async logIn(): Promise<MaestroPage> {
    const page = await this.#bench.blank();
    await this.#answers.answer(page.page);
    await page.open(await this.#bench.loginUrl());
    await page.isSignedIn();
    return page;
  }

  /** A page that is answered by the daemon. */
  logInForReal(): Promise<MaestroPage> {
    return this.#bench.logIn();
  }

  /** The form for a session of a shell. */
  async openForm({ page }: MaestroPage) {
    await page.locator('.side').getByRole('button', { name: 'New session' }).click();
    const form = page.getByRole('dialog', { name: 'New session' });
    await form.getByRole('radio', { name: /Custom/ }).click();
    await form.getByLabel('Command').fill(SHELL);
    return { form, field: form.getByRole('combobox', { name: 'Project or directory' }), list: page.getByRole('listbox') };
  }

  /** From now on a create makes a session without the worktree, somewhere else. */
  createElsewhere(): void {
    const { host } = this;
    this.#answers.create = async ({ worktree: _worktree, ...body }) => host.create({ ...body, cwd: host.dir });
  }

  async openSheet(page: MaestroPage) {
    await page.button('Settings').first().click();
    await page.page.getByRole('menuitem', { name: 'Worktrees and salvage' }).click();
    return page.page.getByRole('dialog', { name: 'Worktrees and salvage' });
  }

  /** See {@link PageBench.clear}. */
  async clear(): Promise<void> {
    await this.#bench.clear();
    this.#answers = someAnswers(this.host.home);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#bench[Symbol.asyncDispose]();
  }
}

function someAnswers(home: string): RepositoryAnswers {
  const answers = new RepositoryAnswers(home);
  answers.projects = [
    project(`${home}/src/payments-api`, { sessions: [ID] }),
    project(`${home}/src/storefront`, { branch: 'release/\u202e2' }),
    project(`${home}/empty`, { commit: undefined }),
  ];
  answers.directories = ['src', 'src/payments-api', 'src/storefront', 'srv', 'srv/data'].map((path) => ({
    path: `${home}/${path}`,
    name: path.slice(path.lastIndexOf('/') + 1),
    repository: path.startsWith('src/'),
  }));
  return answers;
}
