import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row } from '../bench.js';
import { ExactReader } from '../exact-reader.js';
import { Host } from '../host.js';
import { atMost } from '../measure.js';
import { MB, makePayload, type Payload } from '../payload.js';
import { residentMib } from '../process-facts.js';

const STOP_MS = 10_000;
const AFTERWARDS_MS = 4000;
const MEGABYTES = 20;

interface Stop {
  readonly whileStopped: number;
  readonly afterwards: number;
  readonly displaced: number;
}

/**
 * The daemon is stopped for 10 s while a program floods: tmux holds what comes, and the daemon takes it all once it goes on. Its viewer
 * gets a gap with a position; were a byte lost, what follows would not be what the program printed at that position.
 */
export const stoppedDaemon: Row = {
  name: 'stopped-daemon',
  run: async (bench) => {
    const payload = makePayload(bench.dir, 'ascii', bench.scaled(MEGABYTES * MB));
    const stops = await bench.each(() => stopped(bench, payload));
    const of = (key: keyof Stop) => stops.map((stop) => stop[key]);
    const grown = of('whileStopped').map((value) => Math.round(value));
    return [
      { what: 'memory of tmux grown while the daemon is stopped', unit: 'MiB', ours: of('whileStopped') },
      { what: 'memory of tmux grown once it goes on', unit: 'MiB', ours: of('afterwards'), aim: atMost(2, 'MiB'), note: `after ${grown}` },
      { what: 'pieces lost or displaced by the stop', unit: '', ours: of('displaced'), aim: atMost(0, '') },
    ];
  },
};

async function stopped(bench: Bench, payload: Payload): Promise<Stop> {
  await using host = await Host.started();
  const tmux = await host.tmuxPid();
  const { id } = await host.create(`stty raw -echo; head -c1 >/dev/null; while :; do cat '${payload.file}'; done`);
  using viewer = host.connect(id);
  const reader = new ExactReader(viewer, payload);
  await reader.attached;
  viewer.type('x');
  await reader.takes(payload.bytes.length);
  host.daemon.kill('SIGSTOP');
  const before = residentMib(tmux);
  await delay(bench.scaled(STOP_MS));
  const held = residentMib(tmux);
  host.daemon.kill('SIGCONT');
  const flooding = reader.takes(payload.bytes.length);
  await delay(bench.scaled(AFTERWARDS_MS));
  const after = residentMib(tmux);
  await flooding;
  return { whileStopped: held - before, afterwards: after - held, displaced: reader.mismatches };
}
