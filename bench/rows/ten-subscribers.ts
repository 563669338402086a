import type { Row } from '../bench.js';
import { Flood } from '../flood.js';
import { Host } from '../host.js';
import { atLeastTimes } from '../measure.js';
import { MB, makePayload } from '../payload.js';

const MEGABYTES = 40;

/** The slowest of ten viewers of one flood, against one viewer alone. */
export const tenSubscribers: Row = {
  name: 'ten-subscribers',
  run: async (bench) => {
    const payload = makePayload(bench.dir, 'ascii', bench.scaled(MEGABYTES * MB));
    const rate = (ms: number) => payload.bytes.length / MB / (ms / 1000);
    await using host = await Host.started();
    await using ten = await Flood.open(host, payload, 10);
    await using one = await Flood.open(host, payload);
    const compared = await bench.beside(
      async () => rate(await ten.run()),
      async () => rate(await one.run()),
    );
    const what = 'the slowest of ten viewers of one flood, against one viewer';
    return [{ what, unit: 'MB/s', ...compared, aim: atLeastTimes(0.9), note: ten.exactness }];
  },
};
