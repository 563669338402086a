import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../../src/protocol/index.js';
import type { MaestroPage } from '../../support/browser.js';
import { PageBench } from '../../support/page-bench.js';
import { until } from '../../support/until.js';
import { eventsFrom, FETCHES, FORMS, fetchFrom, formFrom, type Loot, socketFrom } from './attacks.js';
import { ForeignSite } from './foreign-site.js';

/** Resolves to this machine, as an attacker's name server can make it. */
const EVIL = 'evil.example';
const MARK = 'secret-words';

let bench: PageBench;
let site: ForeignSite;
/** A browser that is logged in, which then visits the foreign site. */
let victim: MaestroPage;
let foreign: Page;
let session: Session;
let before: readonly Session[];

beforeAll(async () => {
  bench = await PageBench.start({ foreignNames: [EVIL] });
  site = await ForeignSite.start();
  session = await bench.host.create({ command: `echo ${MARK}; exec sh`, metadata: { name: MARK } });
  await bench.host.shows(session.id, MARK);
  victim = await bench.desk();
  foreign = await victim.page.context().newPage();
  await leave(victim);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});
afterEach(async () => {
  expect(await bench.host.sessions()).toEqual(before);
  expect(existsSync(join(bench.host.dir, 'canary'))).toBe(false);
  expect(await bench.host.screen(session.id)).not.toContain('canary');
  expect(await bench.host.panes()).toEqual([session.id]);
});

/** Takes a page away from the session that it shows. Its terminal has changed the size, and once more when the fonts were there. */
async function leave(shown: MaestroPage): Promise<void> {
  await shown.shows(MARK);
  await shown.page.evaluate(() => document.fonts.ready.then(() => undefined));
  await bench.settledSize(shown, session.id);
  await shown.page.goto('about:blank');
  before = await settledSessions();
}

/** The sessions, once tmux and the daemon have taken in the last size that the page asked for. */
function settledSessions(): Promise<Session[]> {
  return until('the size to be settled', async () => {
    const [{ size } = session] = await bench.host.sessions();
    const shown = (await bench.host.tmux('display-message', '-p', '-t', `=${session.id}:`, '#{window_width} #{window_height}')).trim();
    return shown === `${size.cols} ${size.rows}` && bench.host.sessions();
  });
}

const api = (path: string) => bench.at(path.replace('ID', session.id));
const pty = () => `ws://${bench.host.ready.listen}/api/sessions/${session.id}/pty`;
const createBody = () => JSON.stringify({ cwd: bench.host.dir, command: 'touch canary', metadata: { x: 'y' } });
const withBody = (init: RequestInit): RequestInit =>
  typeof init.body !== 'string' ? init : { ...init, body: init.body.replace('CREATE', createBody()).replace('CANARY', 'canary') };

/** What a page may read at most is why it was refused, and that only from an address it shares. */
function expectNothing(loot: Loot): void {
  expect(JSON.stringify(loot)).not.toContain(MARK);
  expect(loot).toEqual({ refused: expect.any(String) });
}

/** Every way in that a script has. */
async function expectShut(where: Page | Frame): Promise<void> {
  for (const [, path, init] of FETCHES) expectNothing(await fetchFrom(where, api(path), withBody(init)));
  expectNothing(await socketFrom(where, pty()));
  expectNothing(await socketFrom(where, pty(), ['maestro.v1']));
  expectNothing(await socketFrom(where, pty(), ['maestro.v1', 'maestro.secret.guess']));
  expectNothing(await eventsFrom(where, api('/api/events')));
}

describe.each([
  ['another site', EVIL],
  ['another port of the same address', '127.0.0.1'],
  ['another port of localhost', 'localhost'],
])('a page of %s', (_, name) => {
  beforeEach(async () => {
    await foreign.goto(site.origin(name));
  });

  test('reads and changes nothing by fetch, WebSocket or EventSource', () => expectShut(foreign));

  test.each(FORMS)('makes nothing by a form sent as %s', async (enctype) => {
    const answers: number[] = [];
    const note = (response: { url(): string; status(): number }) => {
      if (response.url() === api('/api/sessions')) answers.push(response.status());
    };
    foreign.on('response', note);
    await formFrom(foreign, api('/api/sessions'), enctype, createBody());
    foreign.off('response', note);
    expect(answers).toEqual([403]);
  });

  test('can frame neither the page nor the API', async () => {
    for (const path of ['/', `/s/${session.id}`, '/api/sessions']) {
      await foreign.evaluate(
        (url) =>
          new Promise((loaded) => {
            const frame = document.createElement('iframe');
            frame.onload = loaded;
            frame.src = url;
            document.body.append(frame);
          }),
        api(path),
      );
    }
    const frames = foreign.frames().filter((frame) => frame !== foreign.mainFrame());
    expect(frames).toHaveLength(3);
    for (const frame of frames) {
      expect(frame.url()).toBe('chrome-error://chromewebdata/');
      expect(await frame.locator('#root').count()).toBe(0);
    }
  });

  test('from a sandboxed frame, whose origin is null, reads and changes nothing either', async () => {
    await foreign.setContent('<iframe sandbox="allow-scripts allow-forms" srcdoc="<body></body>"></iframe>');
    const frame = foreign.frames().find((each) => each !== foreign.mainFrame());
    if (frame === undefined) throw new Error('there is no frame');
    await frame.waitForLoadState();
    expect(await frame.evaluate(() => self.origin)).toBe('null');
    await expectShut(frame);
    for (const enctype of FORMS) await formFrom(frame, api('/api/sessions'), enctype, createBody());
  });

  test('that opens the page in a window has no hold on it', async () => {
    const [opened] = await Promise.all([
      foreign.context().waitForEvent('page'),
      foreign.evaluate((url) => {
        Object.assign(window, { prey: window.open(url) });
      }, api('/')),
    ]);
    await opened.waitForLoadState();
    const hold = await foreign.evaluate(() => {
      const { prey } = window as unknown as { prey: Window };
      try {
        return prey.document.title;
      } catch {
        return prey.closed ? 'severed' : 'cross-origin';
      }
    });
    expect(hold).toBe('severed');
    await opened.close();
  });
});

test('the cookie goes to no request that another site makes, to any port', async () => {
  const visit = async (name: string, path: string) => {
    await foreign.goto(site.origin(name));
    await fetchFrom(foreign, `${site.origin('127.0.0.1')}${path}`, { method: 'POST' });
    return site.cookies.get(path);
  };
  // Cookies ignore ports: this is what the secret beside the cookie is for.
  expect(await visit('127.0.0.1', '/from-same-address')).toMatch(/^maestro_/);
  expect(await visit(EVIL, '/from-evil')).toBe('');
  await foreign.goto(site.origin(EVIL));
  const asked = foreign.waitForRequest((request) => request.url() === api('/api/sessions'));
  await fetchFrom(foreign, api('/api/sessions'), {});
  expect((await (await asked).allHeaders()).cookie).toBeUndefined();
});

describe('a name that was made to resolve to the daemon', () => {
  const rebound = (path = '') => `http://${EVIL}:${bench.host.ready.listen.split(':')[1]}${path}`;

  test('is served neither the page nor the API', async () => {
    for (const path of ['/', '/theme.js', '/api/health', '/api/openapi.json', `/s/${session.id}`]) {
      expect((await foreign.goto(rebound(path)))?.status()).toBe(403);
      expect(await foreign.content()).not.toContain('id="root"');
    }
  });

  test('lets a script of it read no more than the refusal', async () => {
    await foreign.goto(rebound('/'));
    for (const [, path, init] of FETCHES) {
      const loot = await fetchFrom(foreign, rebound(path.replace('ID', session.id)), withBody(init));
      expect(JSON.parse(String(loot))).toMatchObject({ error: { code: 'forbidden' } });
      expect(loot).not.toContain(MARK);
    }
    const socket = rebound(`/api/sessions/${session.id}/pty`).replace('http', 'ws');
    expectNothing(await socketFrom(foreign, socket, ['maestro.v1']));
    expectNothing(await eventsFrom(foreign, rebound('/api/events')));
  });
});

test('codes that another site tries do not count as wrong ones, so nobody is locked out by them', async () => {
  await foreign.goto(site.origin(EVIL));
  const guess = { method: 'POST', mode: 'no-cors', body: '{"code":"guess"}' } as const;
  for (let n = 0; n < 12; n += 1) expectNothing(await fetchFrom(foreign, api('/api/auth/login'), guess));
  await using page = await bench.logIn();
  await leave(page);
});

test('the login goes on after all that', async () => {
  await victim.open(api('/'));
  await victim.isSignedIn();
  await victim.goTo(session.id);
  await leave(victim);
});
