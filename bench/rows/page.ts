import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import type { Bench, Row } from '../bench.js';
import { Host, type SessionView } from '../host.js';
import { atMost } from '../measure.js';
import { median } from '../statistics.js';

const SESSIONS = 50;
const PRINTING = 10;
const WATCH_MS = 5_000;
const SWITCHES = 20;
const MIB = 1024 * 1024;

/** No GPU here, so the page draws with elements: with one it costs less. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-3d-apis', '--enable-precise-memory-info', '--no-first-run'];

/** A line every 50 ms, as an agent that works prints them. */
const PRINTER = 'i=0; while sleep 0.05; do i=$((i+1)); echo "line $i of an agent that works and prints what it does"; done';

interface Watched {
  readonly usable: number;
  readonly idle: number;
  readonly watching: number;
  readonly wall: number;
  readonly switching: number;
  readonly heapBefore: number;
  readonly heapAfter: number;
}

/** The page with 50 sessions of which 10 print: when it can be used, what it costs, and what going through its sessions does. */
export const page: Row = {
  name: 'page',
  run: async (bench) => {
    await using host = await Host.started();
    const sessions = await made(host, bench);
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
    try {
      const rounds = await bench.each(() => watched(browser, host, sessions));
      const of = (what: (round: Watched) => number): number[] => rounds.map(what);
      return [
        {
          what: 'page: from its address to the list of 50 sessions',
          unit: 'ms',
          ours: of((round) => round.usable),
          aim: atMost(1000, 'ms'),
        },
        { what: 'page: CPU, nothing printing in view', unit: '% of a core', ours: of((round) => round.idle) },
        { what: 'page: CPU, a printing session in view', unit: '% of a core', ours: of((round) => round.watching) },
        { what: 'page: CPU, the wall in view', unit: '% of a core', ours: of((round) => round.wall) },
        {
          what: 'page: from a click to another session’s first paint',
          unit: 'ms',
          ours: of((round) => round.switching),
          aim: atMost(100, 'ms'),
        },
        { what: 'page: heap, after the first session', unit: 'MiB', ours: of((round) => round.heapBefore) },
        { what: `page: heap, after ${SWITCHES} more`, unit: 'MiB', ours: of((round) => round.heapAfter) },
      ];
    } finally {
      await browser.close();
    }
  },
};

async function made(host: Host, bench: Bench): Promise<readonly SessionView[]> {
  const count = bench.scaled(SESSIONS);
  const quiet = 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo line $i; done; exec sleep 100000';
  return Promise.all(Array.from({ length: count }, (_, index) => host.create(index < PRINTING ? PRINTER : quiet)));
}

async function watched(browser: Browser, host: Host, sessions: readonly SessionView[]): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const tab = await context.newPage();
  try {
    await tab.goto((await host.call<{ url: string }>('POST', '/api/auth/link')).url);
    await listed(tab, sessions.length);
    const start = performance.now();
    await tab.reload();
    await listed(tab, sessions.length);
    const usable = performance.now() - start;
    const cdp = await context.newCDPSession(tab);
    await cdp.send('Performance.enable');
    const origin = new URL(tab.url()).origin;
    const [printing, quiet] = [sessions[0], sessions.at(-1)];
    await shows(tab, `${origin}/s/${quiet?.id}`);
    const idle = await cpuShare(cdp);
    await shows(tab, `${origin}/s/${printing?.id}`);
    const watching = await cpuShare(cdp);
    await tab.goto(`${origin}/wall`);
    await tab.locator('canvas').first().waitFor();
    const wall = await cpuShare(cdp);
    await shows(tab, `${origin}/s/${quiet?.id}`);
    const heapBefore = await heap(cdp);
    const switching = await switches(tab, sessions.slice(PRINTING, PRINTING + SWITCHES));
    return { usable, idle, watching, wall, switching, heapBefore, heapAfter: await heap(cdp) };
  } finally {
    await context.close();
  }
}

async function listed(tab: Page, count: number): Promise<void> {
  await tab.waitForFunction((wanted) => document.querySelectorAll('a[href*="/s/"]').length >= wanted, count);
}

async function shows(tab: Page, address: string): Promise<void> {
  await tab.goto(address);
  await tab.locator('.xterm-rows').getByText('line').first().waitFor();
}

/** The share of a core that the page's main thread was busy. */
async function cpuShare(cdp: CDPSession): Promise<number> {
  const busy = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const [before, start] = [await busy(), performance.now()];
  await delay(WATCH_MS);
  return ((await busy()) - before) / ((performance.now() - start) / 1000) / 0.01;
}

async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / MIB;
}

/** The median time from a click on a session in the list until its screen is there. */
async function switches(tab: Page, sessions: readonly SessionView[]): Promise<number> {
  const times: number[] = [];
  for (const { id } of sessions) times.push(await tab.evaluate(switchTo, id));
  return median(times);
}

/** Runs in the page: the clock there is not disturbed by what carries the answer. */
function switchTo(id: string): Promise<number> {
  const start = performance.now();
  document.querySelector<HTMLAnchorElement>(`a[href*="/s/${id}"]`)?.click();
  return new Promise((resolve) => {
    const look = () => {
      const isThere = location.pathname.includes(id) && document.querySelector('.xterm-rows')?.textContent?.includes('line 200');
      if (isThere) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
