import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';
import type { Dice } from './dice.js';
import type { Oracle } from './oracle.js';
import type { Traffic } from './traffic.js';

interface Scene {
  readonly host: TestHost;
  readonly oracle: Oracle;
  readonly dice: Dice;
  readonly traffic: Traffic;
}

/** A start takes about this long, in milliseconds: a second crash comes somewhere within it. */
const START_MS = 700;

/** Ways to crash while clients want something. Each resolves with a daemon that listens and clients that are still. */
export const FAULTS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'the daemon is killed': async ({ host, traffic }) => {
    await Promise.all([host.end('SIGKILL'), traffic.stop()]);
    await host.start();
  },

  'tmux is killed': async (scene) => {
    await killTmux(scene);
    await delay(scene.dice.below(500));
    await scene.traffic.stop();
  },

  'the daemon is killed, and tmux while it starts again': async (scene) => {
    await Promise.all([scene.host.end('SIGKILL'), scene.traffic.stop()]);
    const started = scene.host.start();
    started.catch(() => undefined);
    await delay(scene.dice.below(START_MS));
    await killTmux(scene);
    await started;
  },

  'the daemon is killed, and again while it starts': async ({ host, traffic, dice }) => {
    await Promise.all([host.end('SIGKILL'), traffic.stop()]);
    const cut = host.start().catch(() => undefined);
    await delay(dice.below(START_MS));
    await host.end('SIGKILL');
    await cut;
    await host.start();
  },

  'tmux is killed, and the daemon while it starts another': async (scene) => {
    await killTmux(scene);
    await delay(scene.dice.below(100));
    await Promise.all([scene.host.end('SIGKILL'), scene.traffic.stop()]);
    await scene.host.start();
  },
};

/** The server that the daemon last noted: asking tmux itself would be one more client that comes and goes. */
async function killTmux({ host, oracle }: Scene): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(host.state, 'run', 'tmux.json'), 'utf8')) as { pid: number };
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  oracle.tmuxKilled();
  await until('the tmux server to be gone', () => !isAlive(pid));
}
