import type { Bench, Row } from '../bench.js';
import { keystrokes } from '../echo.js';
import type { Host } from '../host.js';
import { atMost } from '../measure.js';

const LIVE = 100;
const DORMANT = 500;

/** From the start of the daemon's process until each of its sessions has echoed a keystroke. */
export const recoveryLive: Row = {
  name: 'recovery-live',
  run: async (bench) => {
    const count = bench.scaled(LIVE);
    const host = await bench.crowd.of(count);
    const ids = bench.crowd.ids.slice(0, count);
    const ours = await bench.each(async () => {
      await host.crash();
      const start = performance.now();
      await host.start();
      await Promise.all(ids.map((id) => echoes(host, id)));
      return performance.now() - start;
    });
    const what = `recovery of ${LIVE} live sessions after SIGKILL, until each echoes`;
    return [{ what, unit: 'ms', ours, aim: atMost(1000, 'ms') }];
  },
};

async function echoes(host: Host, id: string): Promise<void> {
  using viewer = host.connect(id);
  await viewer.shown('ready');
  await keystrokes(viewer, 1);
}

/** The tmux server is gone as well, so every session is dormant. Ends the crowd, and so comes last. */
export const recoveryDormant: Row = {
  name: 'recovery-dormant',
  run: async (bench: Bench) => {
    const count = bench.scaled(DORMANT);
    const host = await bench.crowd.of(count);
    await host.crash();
    await host.killTmux();
    const first = await host.start(); // marks them, once
    const found = first.recovered.dormant + first.recovered.dead;
    const ours = await bench.each(async () => {
      await host.crash();
      await host.killTmux();
      const start = performance.now();
      await host.start();
      return performance.now() - start;
    });
    const what = `recovery of ${DORMANT} dormant sessions, until the daemon listens`;
    return [{ what, unit: 'ms', ours, aim: atMost(1000, 'ms'), note: `${found} found` }];
  },
};
