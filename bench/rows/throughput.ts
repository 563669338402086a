import type { Bench, Row } from '../bench.js';
import { Flood } from '../flood.js';
import { Host } from '../host.js';
import { atLeastTimes, type Measure } from '../measure.js';
import { MB, makePayload, type Script } from '../payload.js';
import { PlainTmux } from '../plain-tmux.js';

const PAYLOADS: readonly { readonly script: Script; readonly megabytes: number }[] = [
  { script: 'ascii', megabytes: 100 },
  { script: 'ansi', megabytes: 50 },
  { script: 'cjk', megabytes: 20 },
];

/** From pane to viewer, against tmux that only parses. */
export const throughput: Row = {
  name: 'throughput',
  run: async (bench) => {
    await using host = await Host.started();
    await using tmux = await PlainTmux.started(bench.dir);
    const rows: Measure[] = [];
    for (const { script, megabytes } of PAYLOADS) rows.push(await measure({ bench, host, tmux, script, megabytes }));
    return rows;
  },
};

interface Parts {
  readonly bench: Bench;
  readonly host: Host;
  readonly tmux: PlainTmux;
  readonly script: Script;
  readonly megabytes: number;
}

async function measure({ bench, host, tmux, script, megabytes }: Parts): Promise<Measure> {
  const length = bench.scaled(megabytes * MB);
  const payload = makePayload(bench.dir, script, length);
  const rate = (ms: number) => length / MB / (ms / 1000);
  await using flood = await Flood.open(host, payload);
  const compared = await bench.beside(
    async () => rate(await flood.run()),
    async () => rate(await tmux.parse(payload.file)),
  );
  return {
    what: `${megabytes} MB of ${script} to a viewer`,
    unit: 'MB/s',
    ...compared,
    aim: atLeastTimes(0.95),
    note: flood.exactness,
  };
}
