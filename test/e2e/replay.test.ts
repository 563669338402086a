import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { type Screen, screenOfTmux } from '../support/screen-of.js';
import { until } from '../support/until.js';
import { Watcher } from '../support/watcher.js';

const SUPPORT = join(import.meta.dirname, '../support');

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
  await copyFile(join(SUPPORT, 'inline-painter.mjs'), join(host.dir, 'painter.mjs'));
  await writeFile(join(host.dir, 'text'), Array.from({ length: 400 }, (_, i) => `${i} ${'word '.repeat(i % 23)}\u6f22\u5b57`).join('\n'));
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  for (const session of await host.sessions()) await host.kill(session.id);
});

/** So many looks in a row, in which nothing changes, mean that the program rests. */
const LOOKS_AT_REST = 3;

/** Waits until the viewer shows what tmux shows and both rest. A viewer that never does is shown beside tmux. */
async function showsTheSame(watcher: Watcher, { id }: Session, on: TestHost = host): Promise<void> {
  const pane = (await on.tmux('list-panes', '-a', '-f', `#{==:#{@maestro_id},${id}}`, '-F', '#{pane_id}')).trim();
  let screens: Screen[] = [];
  let seen = '';
  let times = 0;
  const equal = until(
    'the viewer to show what tmux shows',
    async () => {
      screens = [await watcher.screen(), await screenOfTmux((...words) => on.tmux(...words), pane)];
      const [shown, expected] = screens.map((screen) => JSON.stringify(screen));
      times = shown === expected && shown === seen ? times + 1 : 0;
      seen = shown ?? '';
      return times === LOOKS_AT_REST;
    },
    4_000,
  );
  await equal.catch(() => expect(screens[0]).toEqual(screens[1]));
}

/** Not compared where xterm.js and tmux wrap old lines anew, each in its way, nor below what a former life has left on the screen. */
const INLINE = 'a program that redraws inline';

const PROGRAMS: Readonly<Record<string, { command: string; ready: string; keys: readonly string[] }>> = {
  vim: {
    command: 'exec vim -n -u NONE -N --cmd "set nocp ruler hlsearch mouse=a t_Co=256 | syntax on" text',
    ready: 'word',
    keys: ['\x06', 'jjjj', '/7 word\r', 'inew text \u6f22\u5b57\x1b', '\x02', 'dd', 'G', 'gg', ':split\r', '\x17w', 'u'],
  },
  htop: { command: 'exec htop -d 600', ready: 'Mem', keys: ['j', 'jj', 'M', 't', '\x1b[B', 'k', '?', 'q'.replace('q', '\x1b'), 'I'] },
  less: { command: 'exec less text', ready: 'word', keys: [' ', 'b', 'j', '/12 word\r', 'n', 'G', 'g', '-S\r', '\x1b)', 'd'] },
  [INLINE]: {
    command: `exec ${process.execPath} painter.mjs`,
    ready: 'ready',
    keys: ['n', 'nn', 'n', 'n', 'nnn', 'n', 'n', 'n', 'nn', 'n', 'n', 'n', 'n', 'n'],
  },
};

/** Always the same: of a failure, the seed is known. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('T1: at rest a viewer shows what tmux shows, cell by cell', () => {
  for (const [what, { command, ready, keys }] of Object.entries(PROGRAMS)) {
    test(`${what}: attached at any moment, afresh or behind what it saw`, async () => {
      const session = await host.create({ command });
      await host.shows(session.id, ready);
      const next = random(11);
      await using steady = new Watcher(host, session);
      await steady.attach();
      await using typist = await PtyViewer.open(host, session.id, { stream: false });
      for (const key of keys) {
        typist.type(key);
        await new Promise((resolve) => setTimeout(resolve, Math.floor(next() * 12)));
        await using fresh = new Watcher(host, session);
        await Promise.all([fresh.attach(), next() < 0.7 && steady.attach()]);
        await showsTheSame(fresh, session);
        await showsTheSame(steady, session);
      }
    });
  }

  for (const [what, { command, ready, keys }] of Object.entries(PROGRAMS)) {
    test(`T5: ${what}: with the size changed in between`, async () => {
      const session = await host.create({ command });
      await host.shows(session.id, ready);
      await using owner = new Watcher(host, session);
      await owner.attach();
      const sizes = [
        { cols: 100, rows: 30 },
        { cols: 60, rows: 16 },
        { cols: 91, rows: 27 },
      ];
      for (const [index, size] of sizes.entries()) {
        for (const key of keys.slice(index, index + 3)) owner.viewer.type(key);
        owner.viewer.tell({ type: 'size', ...size });
        await until('the size to have changed', () => owner.viewer.framesOf('size').length > index);
        if (what !== INLINE) await showsTheSame(owner, session);
        await using fresh = new Watcher(host, session);
        await fresh.attach();
        await showsTheSame(fresh, session);
      }
    });

    if (what === INLINE) continue;
    test(`S3: ${what}: in the next life`, async () => {
      const session = await host.create({ command });
      await host.shows(session.id, ready);
      await using first = new Watcher(host, session);
      await first.attach();
      for (const key of keys.slice(0, 3)) first.viewer.type(key);
      await showsTheSame(first, session);
      await host.call('POST', `/api/sessions/${session.id}/stop`);
      await host.reaches(session.id, 'dead');
      expect((await host.resume(session.id)).status).toBe(200);
      await host.shows(session.id, ready);
      await using second = new Watcher(host, session);
      await second.attach();
      for (const key of keys.slice(0, 4)) {
        second.viewer.type(key);
        await using fresh = new Watcher(host, session);
        await fresh.attach();
        await showsTheSame(second, session);
        await showsTheSame(fresh, session);
      }
    });
  }

  test('S2: each of them, taken over by a new daemon', async () => {
    const watched = await Promise.all(
      Object.values(PROGRAMS).map(async ({ command, ready, keys }) => {
        const session = await host.create({ command });
        await host.shows(session.id, ready);
        return { session, keys, steady: new Watcher(host, session) };
      }),
    );
    for (let round = 0; round < 3; round++) {
      for (const { steady, keys } of watched) {
        await steady.attach();
        steady.viewer.type(keys[round] ?? '');
      }
      await host.restart();
      for (const { session, steady } of watched) {
        await using fresh = new Watcher(host, session);
        await Promise.all([fresh.attach(), steady.attach()]);
        await showsTheSame(fresh, session);
        await showsTheSame(steady, session);
      }
    }
    for (const { steady } of watched) await steady[Symbol.asyncDispose]();
  });
});

describe('T1: where the ring does not reach back to the start of the program', () => {
  let small: TestHost;
  beforeAll(async () => {
    small = await TestHost.started({ env: { MAESTRO_PTY_REPLAY_BYTES: '4096' } });
    await copyFile(join(SUPPORT, 'clock-painter.mjs'), join(small.dir, 'clock.mjs'));
    await copyFile(join(SUPPORT, 'inline-painter.mjs'), join(small.dir, 'painter.mjs'));
  });
  afterAll(() => small[Symbol.asyncDispose]());
  afterEach(async () => {
    for (const session of await small.sessions()) await small.kill(session.id);
  });

  /** A session that painted its screen once, and more than the ring holds of its clock since. */
  async function clock(): Promise<{ session: Session; there: Watcher }> {
    const session = await small.create({ command: `exec ${process.execPath} clock.mjs` });
    await small.shows(session.id, 'row 38');
    const there = new Watcher(small, session);
    await there.attach();
    there.viewer.type('c');
    await small.shows(session.id, '001000');
    return { session, there };
  }

  test('a fresh viewer gets a gap and what tmux shows; one that was there is left alone', async () => {
    const { session, there } = await clock();
    await using _ = there;
    await showsTheSame(there, session, small);
    const before = there.viewer.framesOf('gap').length;
    await using fresh = new Watcher(small, session);
    await fresh.attach();
    await showsTheSame(fresh, session, small);
    expect(fresh.viewer.framesOf('gap').length).toBe(1);
    expect(fresh.viewer.position).toEqual(there.viewer.position);
    expect(fresh.terminal.untold).toEqual({ bracketedPaste: true, focusEvents: false });
    expect(there.viewer.framesOf('gap').length).toBe(before);
    await showsTheSame(there, session, small);
  });

  test('what comes behind a repaint goes on from it, on both screens, and so does a reconnect', async () => {
    const { session, there } = await clock();
    await using _ = there;
    await using fresh = new Watcher(small, session);
    await fresh.attach();
    await fresh.viewer.frame('gap');
    fresh.viewer.type('p');
    await showsTheSame(fresh, session, small);
    await using second = new Watcher(small, session);
    await second.attach();
    await second.viewer.frame('gap');
    await fresh.detach();
    second.viewer.type('w');
    await fresh.attach();
    for (const watcher of [fresh, second, there]) await showsTheSame(watcher, session, small);
    expect(fresh.viewer.framesOf('gap')).toEqual([]);
    second.viewer.type('q');
    await small.shows(session.id, 'before the clock\nbehind the clock');
    for (const watcher of [fresh, second, there]) await showsTheSame(watcher, session, small);
  });

  test('a program that redraws inline, at each step of it', async () => {
    const session = await small.create({ command: `exec ${process.execPath} painter.mjs` });
    await small.shows(session.id, 'ready');
    await using typist = await PtyViewer.open(small, session.id, { stream: false });
    for (let step = 0; step < 16; step++) {
      typist.type('n');
      await using fresh = new Watcher(small, session);
      await fresh.attach();
      await showsTheSame(fresh, session, small);
    }
  });

  test('where the ring holds all of it, there is no repaint', async () => {
    const session = await small.create({ command: 'echo words; exec cat' });
    await using watcher = new Watcher(small, session);
    await watcher.attach();
    await showsTheSame(watcher, session, small);
    expect(watcher.viewer.framesOf('gap')).toEqual([]);
  });
});
