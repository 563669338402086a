import { expect } from 'vitest';
import { type MaestroPage, TestBrowser } from '../../support/browser.js';
import { TestHost } from '../../support/daemon-process.js';
import { project, RepositoryAnswers } from '../../support/repository-answers.js';

/** A shell whose prompt is the same everywhere. */
export const SHELL = "PS1='> ' exec sh";
export const ID = '0c9d41e2-7b1a-4c3d-9e5f-102030405060';
export const COMMIT = 'e41b07c'.padEnd(40, '0');
export const MARKUP = '<img src=x onerror=window.pwned=1>';

/** Pages on which sessions with worktrees are made and killed. */
export class WorktreeBench implements AsyncDisposable {
  readonly host: TestHost;
  readonly #browser: TestBrowser;
  readonly #pages: MaestroPage[] = [];
  #answers: RepositoryAnswers;

  private constructor(host: TestHost, browser: TestBrowser) {
    this.host = host;
    this.#browser = browser;
    this.#answers = someAnswers(host.home);
  }

  static async start(): Promise<WorktreeBench> {
    return new WorktreeBench(await TestHost.started(), await TestBrowser.launch());
  }

  /** What pages of {@link logIn} are answered; fresh for each test. */
  get answers(): RepositoryAnswers {
    return this.#answers;
  }

  /** A page that is answered by {@link answers}. */
  async logIn(): Promise<MaestroPage> {
    const page = await this.logInForReal();
    await this.#answers.answer(page.page);
    return page;
  }

  /** A page that is answered by the daemon. */
  async logInForReal(): Promise<MaestroPage> {
    const page = await this.#browser.logIn(this.host);
    this.#pages.push(page);
    return page;
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

  /** Ends what one test began. No page may have done what it must not. */
  async finishTest(): Promise<void> {
    const faults = this.#pages.flatMap((page) => page.faults);
    for (const page of this.#pages.splice(0)) await page[Symbol.asyncDispose]();
    for (const { id } of await this.host.sessions()) await this.host.call('DELETE', `/api/sessions/${id}?keep_worktree=true`);
    this.#answers = someAnswers(this.host.home);
    expect(faults).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
    await this.host[Symbol.asyncDispose]();
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
