import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../bench.js';
import { Flood } from '../flood.js';
import { Host } from '../host.js';
import { atLeastTimes, atMost } from '../measure.js';
import { MB, makePayload } from '../payload.js';
import { residentMib } from '../process-facts.js';

const MEGABYTES = 100;
const TIMES = 2;
const SETTLE_MS = 500;

interface Ran {
  readonly rate: number;
  readonly grownMib: number;
}

/** One viewer never reads while 200 MB pass, another reads all: its rate and the daemon's memory, against the same without the first. */
export const stalledViewer: Row = {
  name: 'stalled-viewer',
  run: async (bench) => {
    await using host = await Host.started();
    const payload = makePayload(bench.dir, 'ascii', bench.scaled(MEGABYTES * MB));
    await using flood = await Flood.open(host, payload);
    const run = async (): Promise<Ran> => {
      const before = residentMib(host.daemon.pid);
      const ms = await flood.run(TIMES);
      await delay(SETTLE_MS);
      return { rate: (TIMES * payload.bytes.length) / MB / (ms / 1000), grownMib: residentMib(host.daemon.pid) - before };
    };
    await run(); // the daemon has what it needs for floods
    const { ours, floor } = await bench.beside(async () => {
      using stalled = await host.open(flood.id);
      stalled.stall();
      return await run();
    }, run);
    const what = 'beside a viewer that never reads, of 200 MB';
    return [
      { what: `memory grown ${what}`, unit: 'MiB', ours: ours.map(({ grownMib }) => grownMib), aim: atMost(2, 'MiB') },
      { what: 'memory grown in the same flood without it', unit: 'MiB', ours: floor.map(({ grownMib }) => grownMib) },
      {
        what: `rate of the other viewer ${what}`,
        unit: 'MB/s',
        ours: ours.map(({ rate }) => rate),
        floor: floor.map(({ rate }) => rate),
        aim: atLeastTimes(0.95),
        note: flood.exactness,
      },
    ];
  },
};
