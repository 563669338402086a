import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import type { LoginLink } from '../../src/protocol/index.js';
import type { TestHost } from './daemon-process.js';
import { until } from './until.js';

const CHROMIUM = '/usr/bin/chromium';

/** No WebGL, so that xterm.js draws with elements, whose text can be read; and nothing that calls home. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-3d-apis',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How many times slower than this machine pages run (`MAESTRO_SLOW_PAGES=8`): what a test expects at once, without a wait, is not there yet. */
const SLOWDOWN = Number(process.env.MAESTRO_SLOW_PAGES ?? 1);

async function slowed(page: Page): Promise<void> {
  if (SLOWDOWN <= 1) return;
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

/** A chromium with a home of its own. Each profile of it is a browser that nobody has logged in with. */
export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #home: string;

  private constructor(browser: Browser, home: string) {
    this.#browser = browser;
    this.#home = home;
  }

  /** `foreignNames` resolve to this machine, as an attacker's name server can make them. */
  static async launch({ foreignNames = [] }: { foreignNames?: readonly string[] } = {}): Promise<TestBrowser> {
    const home = await mkdtemp(join(tmpdir(), 'm-'));
    const rules = foreignNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ');
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [...FLAGS, ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])],
      env: { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' },
    });
    return new TestBrowser(browser, home);
  }

  profile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    return this.#browser.newContext({ viewport: { width: 1100, height: 700 }, reducedMotion: 'reduce', ...options });
  }

  /** A page that has just logged in by a link of the host. */
  async logIn(host: TestHost, options: BrowserContextOptions = {}): Promise<MaestroPage> {
    const context = await this.profile(options);
    const page = new MaestroPage(await context.newPage());
    await page.open(await loginUrl(host));
    await page.isSignedIn();
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await rm(this.#home, { recursive: true, force: true });
  }
}

export async function loginUrl(host: TestHost): Promise<string> {
  return (await host.call<LoginLink>('POST', '/api/auth/link')).body.url;
}

/** The end of a test: its page and all sessions go. Answers what the page did that it must not, which is nothing. */
export async function leave(host: TestHost, page: MaestroPage | undefined): Promise<readonly string[]> {
  const faults = page?.faults ?? [];
  await page?.[Symbol.asyncDispose]();
  for (const { id } of await host.sessions()) await host.kill(id);
  return faults;
}

/** Maestro's page in a tab. Its end closes the whole profile. */
export class MaestroPage implements AsyncDisposable {
  readonly page: Page;
  /** What the page did that its own policy forbids, and exceptions that nobody caught. */
  readonly faults: string[] = [];
  readonly #slowed: Promise<void>;

  constructor(page: Page) {
    this.page = page;
    this.#slowed = slowed(page);
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) this.faults.push(message.text());
    });
  }

  async open(url: string): Promise<void> {
    await this.#slowed;
    await this.page.goto(url);
  }

  /** Another tab of the same browser. */
  async newTab(url = this.page.url()): Promise<MaestroPage> {
    const tab = new MaestroPage(await this.page.context().newPage());
    await tab.open(url);
    return tab;
  }

  async isSignedIn(): Promise<void> {
    const list = this.page.getByRole('complementary', { name: 'Sessions' });
    // Where there is no session yet, a phone shows the welcome in place of the list.
    const shown = list.or(this.page.getByRole('heading', { name: 'Start your first session' }));
    await shown.first().waitFor();
  }

  async isSignedOut(): Promise<void> {
    await this.page.getByRole('heading', { name: 'Sign in to Maestro' }).waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The session's row in the list. */
  row(id: string): Locator {
    return this.page.locator(`[data-row="${id}"]`);
  }

  /** Goes to a session as a user does, by its row. */
  async goTo(id: string): Promise<void> {
    await this.row(id).click();
    await this.page.waitForURL(`**/s/${id}`);
    await this.page.locator('.xterm-rows').waitFor();
  }

  /** Chooses an entry of the session's menu. */
  async choose(label: string): Promise<void> {
    await this.button('More actions').click();
    await this.page.getByRole('menuitem', { name: label }).click();
  }

  /** The visible lines of the terminal, without blanks at their ends and empty lines at the end. */
  async lines(): Promise<string[]> {
    const rows = await this.page.locator('.xterm-rows > div').allTextContents();
    return rows
      .map((row) => row.replaceAll('\u00a0', ' ').trimEnd())
      .join('\n')
      .trimEnd()
      .split('\n');
  }

  /** Waits until the terminal shows the text. */
  shows(text: string): Promise<string[]> {
    return until(`the terminal to show ${JSON.stringify(text)}`, async () => {
      const lines = await this.lines();
      return lines.some((line) => line.includes(text)) && lines;
    });
  }

  /** Types into the terminal. */
  async type(text: string): Promise<void> {
    await this.page.locator('.xterm-helper-textarea').focus();
    await this.page.keyboard.type(text);
  }

  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** All that the terminal holds, as screens from the last to the first; each has the first line of the one before it again. */
  async screens(): Promise<string[][]> {
    const screens = [await this.lines()];
    await this.page.locator('.xterm-helper-textarea').focus();
    for (;;) {
      await this.page.keyboard.press('Shift+PageUp');
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const lines = await this.lines();
      if (lines.join('\n') === screens.at(-1)?.join('\n')) break;
      screens.push(lines);
    }
    for (const _ of screens) await this.page.keyboard.press('Shift+PageDown');
    return screens;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
  }
}
