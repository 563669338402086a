import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveSession } from '../../../src/daemon/session/live-session.js';
import { MaestroError } from '../../../src/protocol/index.js';
import { SessionBench } from '../../support/session-bench.js';
import { until } from '../../support/until.js';
import { Viewer } from '../bridge/viewer.js';

let bench: SessionBench;
/** How often tmux was asked. */
let looks = 0;
let refusal: Error | undefined;
beforeEach(async () => {
  looks = 0;
  refusal = undefined;
  bench = await SessionBench.create({
    panes: (panes) =>
      new Proxy(panes, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key, target);
          if (typeof value !== 'function') return value;
          if (key === 'look') looks += 1;
          return key === 'look' && refusal ? () => Promise.reject(refusal) : value.bind(target);
        },
      }),
  });
});
afterEach(() => bench[Symbol.asyncDispose]());

/** A program that rests, having put out more than the ring holds. */
async function overflowed(): Promise<LiveSession> {
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'stty -echo; seq 1 20000; echo READY; exec cat' });
  const live = bench.manager.live(id);
  await until('the program to rest', async () => (await bench.manager.screen(id, { ansi: false, history: 0 })).includes('READY'));
  await until('all of its output', () => live.bridge.stored(100_000).current.includes('READY'));
  return live;
}

function attach(live: LiveSession): Viewer {
  const viewer = new Viewer();
  live.bridge.subscribe({ sink: viewer });
  return viewer;
}

const repainted = (viewer: Viewer) => until('a repaint', () => viewer.kinds.includes('gap'));

describe('a repaint', () => {
  test('is not of a moment that has passed: what came since it was looked at makes it look again', async () => {
    const live = await overflowed();
    const parked = bench.parking.next('look', 'behind');
    const viewer = attach(live);
    await parked.reached;
    const { received } = live.bridge;
    await live.sendBytes(Buffer.from('typed meanwhile\n'));
    await until('the echo', () => live.bridge.received > received);
    expect(viewer.text).toContain('typed meanwhile');
    parked.release();
    await repainted(viewer);
    const last = viewer.segments.at(-1)?.bytes.toString() ?? '';
    expect(last.split('typed meanwhile').length).toBe(2);
    expect(viewer.position).toEqual(live.bridge.position);
    expect(looks).toBe(2);
  });

  test('is not of another size than the pane has', async () => {
    const live = await overflowed();
    const parked = bench.parking.next('look', 'behind');
    const viewer = attach(live);
    await parked.reached;
    live.viewers.set({ cols: 66, rows: 17 });
    await until('the pane to have that size', async () => (await bench.tmux.paneInfo(live.pane.sessionId))?.size.cols === 66);
    parked.release();
    await repainted(viewer);
    expect(viewer.segments.at(-1)?.bytes.toString()).toContain(`${'\n'.repeat(16)}\x1b[2J`);
  });

  test('waits for the end of a sequence', async () => {
    const live = await overflowed();
    await live.sendBytes(Buffer.from('\x16\x1b[3\n'));
    await until('half a sequence', () => !live.bridge.isIdle);
    const viewer = attach(live);
    expect(live.bridge.repaint(Buffer.from('screen'), live.bridge.received)).toBe(false);
    await live.sendBytes(Buffer.from('1mrest\n'));
    await repainted(viewer);
    expect(viewer.position).toEqual(live.bridge.position);
  });

  test('is looked at once for all who wait, and not for who comes with a position', async () => {
    const live = await overflowed();
    const parked = bench.parking.next('look', 'before');
    const viewers = [attach(live), attach(live), attach(live)];
    const other = new Viewer();
    live.bridge.subscribe({ sink: other, after: live.bridge.position });
    await parked.reached;
    parked.release();
    await Promise.all(viewers.map(repainted));
    expect(looks).toBe(1);
    expect(other.kinds).toEqual(['attached']);
  });

  test('does not come while tmux cannot be asked; who comes later gets one', async () => {
    const live = await overflowed();
    refusal = new MaestroError('tmux_unavailable', 'tmux does not answer');
    const first = attach(live);
    await until('tmux to be asked', () => looks > 0);
    expect(first.kinds).toEqual(['attached']);
    refusal = undefined;
    await repainted(attach(live));
  });
});
