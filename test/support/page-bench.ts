import type { BrowserContextOptions } from 'playwright-core';
import type { CreateSessionRequest, Size } from '../../src/protocol/index.js';
import { loginUrl, MaestroPage, TestBrowser } from './browser.js';
import { type DaemonSettings, TestHost } from './daemon-process.js';
import { until } from './until.js';

/** A shell whose prompt is the same everywhere, and which does not know of pasting. */
export const SHELL = "PS1='> ' exec sh";
/** Shows each byte that it gets. */
export const SHOW_KEYS = "stty raw -echo; printf 'ready\\r\\n'; exec cat -v";
/** The window of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
/** That the page may read and write what is on the clipboard. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] } as const satisfies BrowserContextOptions;

export interface PageBenchOptions {
  readonly daemon?: DaemonSettings;
  /** One that was started elsewhere, such as with agents; it ends with the bench. */
  readonly host?: TestHost;
  /** Of the browser: see {@link TestBrowser.launch}. */
  readonly foreignNames?: readonly string[];
  /** Of the page that stays. */
  readonly desk?: BrowserContextOptions;
}

/** A session's request, or only its command. */
type Made = string | (Partial<CreateSessionRequest> & { readonly command?: string });

interface Opening {
  /** What the terminal shows once it is ready. */
  readonly shows?: string;
  /** Default: {@link PageBench.desk}. */
  readonly page?: MaestroPage;
  /** Instead of a page: one for this test, which logs in once the session is there, as a phone shows no list that is empty. */
  readonly device?: BrowserContextOptions;
}

/**
 * What a test of the page stands on: a host, a browser, and pages that are logged in. It lasts for a file; {@link clear} ends what a test
 * has left, and fails for what pages did that they must not.
 */
export class PageBench implements AsyncDisposable {
  readonly host: TestHost;
  readonly browser: TestBrowser;
  readonly #deskOptions: BrowserContextOptions | undefined;
  /** Pages of the test that runs, and how each ends. */
  readonly #pages = new Map<MaestroPage, () => Promise<void>>();
  readonly #staying: MaestroPage[] = [];
  #desk: MaestroPage | undefined;

  private constructor(host: TestHost, browser: TestBrowser, desk: BrowserContextOptions | undefined) {
    this.host = host;
    this.browser = browser;
    this.#deskOptions = desk;
  }

  static async start({ daemon, host: started, foreignNames, desk }: PageBenchOptions = {}): Promise<PageBench> {
    const host = started ?? (await TestHost.started(daemon));
    try {
      const browser = await TestBrowser.launch(foreignNames === undefined ? {} : { foreignNames });
      return new PageBench(host, browser, desk);
    } catch (error) {
      await host[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The page that stays for all tests of the file. */
  async desk(): Promise<MaestroPage> {
    this.#desk ??= this.stay(await this.browser.logIn(this.host, this.#deskOptions));
    return this.#desk;
  }

  /** A page for this test, in a browser of its own. It reaches the daemon by `origin`, such as that of a proxy, and has logged in. */
  async logIn(options?: BrowserContextOptions, origin?: string): Promise<MaestroPage> {
    const page = await this.blank(options);
    const url = await this.loginUrl();
    await page.open(origin === undefined ? url : url.replace(new URL(url).origin, origin));
    await page.isSignedIn();
    return page;
  }

  /** A page for this test that nobody has logged in with. */
  async blank(options?: BrowserContextOptions): Promise<MaestroPage> {
    return this.keep(new MaestroPage(await (await this.browser.profile(options)).newPage()));
  }

  /** Ends the page, and its whole browser, with the test. */
  keep(page: MaestroPage): MaestroPage {
    this.#pages.set(page, () => page[Symbol.asyncDispose]());
    return page;
  }

  /** Another tab of the page's browser, for this test. */
  async tab(page: MaestroPage, url?: string): Promise<MaestroPage> {
    const tab = await page.newTab(url);
    this.#pages.set(tab, () => tab.page.close());
    return tab;
  }

  /** Keeps a page for the tests to come. */
  stay(page: MaestroPage): MaestroPage {
    this.#pages.delete(page);
    this.#staying.push(page);
    return page;
  }

  /** Makes a session and goes to it. */
  async opened(made: Made, { shows = '>', page, device }: Opening = {}): Promise<{ page: MaestroPage; id: string }> {
    const { id } = await this.host.create(typeof made === 'string' ? { command: made } : made);
    const there = page ?? (device === undefined ? await this.desk() : await this.logIn(device));
    await there.goTo(id);
    await there.shows(shows);
    return { page: there, id };
  }

  /** The size of the session's terminal, once it is the one that the page has asked for. */
  settledSize(page: MaestroPage, id: string): Promise<Size> {
    return until('the page and the daemon to agree on the size', async () => {
      const { size } = await this.host.session(id);
      return (await page.page.getByText(new RegExp(`^${size.cols} × ${size.rows}\\s*sized by you`)).count()) > 0 && size;
    });
  }

  /** The address of a place on the page. */
  at(path: string): string {
    return `http://${this.host.ready.listen}${path}`;
  }

  /** A link that logs in once. */
  loginUrl(): Promise<string> {
    return loginUrl(this.host);
  }

  /** Types by the API, as another user would. */
  async say(id: string, text: string): Promise<void> {
    const { status, body } = await this.host.call('POST', `/api/sessions/${id}/input`, { text, submit: true });
    if (status !== 200) throw new Error(`input answered ${status}: ${JSON.stringify(body)}`);
  }

  /** The end of a test: its pages and all sessions go. What is in worktrees stays with the files of the host, also where work would be lost. */
  async clear(): Promise<void> {
    const pages = [...this.#pages];
    this.#pages.clear();
    const faults = [...pages.map(([page]) => page), ...this.#staying].flatMap((page) => page.faults.splice(0));
    for (const [, end] of pages) await end();
    await Promise.all((await this.host.sessions()).map(({ id }) => this.host.kill(id, '?keep_worktree=true')));
    if (faults.length > 0) throw new Error(`a page did what it must not: ${faults.join('; ')}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser[Symbol.asyncDispose]();
    await this.host[Symbol.asyncDispose]();
  }
}
