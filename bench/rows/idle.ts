import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../bench.js';
import { atMost } from '../measure.js';
import { childrenMark, cpuMs } from '../process-facts.js';

const SESSIONS = 100;
/** What making the sessions left behind is collected by then. */
const SETTLE_MS = 20_000;
const WATCH_MS = 30_000;

/** Nobody watches and nothing happens: what the daemon does all the same, in as many parts of half a minute as there are rounds. */
export const idle: Row = {
  name: 'idle',
  run: async (bench) => {
    const host = await bench.crowd.of(bench.scaled(SESSIONS));
    await delay(SETTLE_MS);
    const { pid } = host.daemon;
    const processes = [pid, await host.tmuxPid()];
    await delay(100); // the question just asked was a process of ours, and is over
    const before = processes.map(childrenMark).join();
    const spanMs = bench.scaled(WATCH_MS) / bench.rounds;
    const ours = await bench.each(async () => {
      const ran = cpuMs(pid);
      await delay(spanMs);
      return ((cpuMs(pid) - ran) / spanMs) * 100;
    });
    const started = processes.map(childrenMark).join() === before ? 0 : 1;
    return [
      { what: `${SESSIONS} idle sessions, the daemon's share of a core`, unit: '%', ours, aim: atMost(0.1, '%') },
      {
        what: `${SESSIONS} idle sessions, processes started in 30 s`,
        unit: '',
        ours: [started],
        aim: atMost(0, ''),
        note: '1 stands for any',
      },
    ];
  },
};
