import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../bench.js';
import { Floor } from '../floors.js';
import { Host } from '../host.js';
import { atMost, atMostTimes } from '../measure.js';
import { median } from '../statistics.js';
import type { Viewer } from '../viewer.js';

const LINES = 12_000;
const ATTACHES = 20;
/** A screen of 120 by 40 has no more bytes of plain text. */
const SCREEN_BYTES = 120 * 40;
const LAST_WORDS = 'that was all';

interface Attach {
  readonly screen: number;
  readonly complete: number;
  readonly bytes: number;
}

/** A viewer comes to a session with 12,000 lines behind it, so that its ring of 1 MiB is full. */
export const attach: Row = {
  name: 'attach',
  run: async (bench) => {
    await using host = await Host.started();
    await using floor = await Floor.start('copy-server');
    const id = await sessionWithHistory(host);
    const { bytes } = await timed(host.connect(id), LAST_WORDS);
    const count = bench.scaled(ATTACHES);
    const { ours, floor: copies } = await bench.beside(
      () => several(count, () => timed(host.connect(id), LAST_WORDS)),
      () => several(count, () => timed(floor.connect({ bytes: String(bytes) }), bytes)),
    );
    const copied = copies.map(({ complete }) => complete);
    const note = `${(bytes / 1024).toFixed(0)} KiB`;
    return [
      { what: 'attach to a full ring, first screen', unit: 'ms', ours: ours.map(({ screen }) => screen), aim: atMost(8, 'ms') },
      {
        what: 'attach to a full ring, complete',
        unit: 'ms',
        ours: ours.map(({ complete }) => complete),
        floor: copied,
        aim: atMostTimes(3),
        note,
      },
    ];
  },
};

async function sessionWithHistory(host: Host): Promise<string> {
  const file = join(host.dir, 'history');
  const lines = Array.from({ length: LINES }, (_, line) => `${line} ${'the quick brown fox jumps over the lazy dog '.repeat(2)}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { id } = await host.create(`cat '${file}'; printf '${LAST_WORDS}'; exec sleep 100000`);
  const viewer = host.connect(id);
  await viewer.shown(LAST_WORDS);
  viewer[Symbol.dispose]();
  return id;
}

/** Until the last words have come, or so many bytes. */
async function timed(viewer: Viewer, last: string | number): Promise<Attach> {
  const start = performance.now();
  let bytes = 0;
  let screen = 0;
  const complete = await new Promise<number>((resolve) => {
    viewer.onOutput = (chunk) => {
      bytes += chunk.length;
      if (screen === 0 && bytes >= SCREEN_BYTES) screen = performance.now() - start;
      const isLast = typeof last === 'number' ? bytes >= last : chunk.includes(last);
      if (isLast) resolve(performance.now() - start);
    };
  });
  viewer[Symbol.dispose]();
  return { screen, complete, bytes };
}

async function several(count: number, one: () => Promise<Attach>): Promise<Attach> {
  const all: Attach[] = [];
  for (let index = 0; index < count; index += 1) all.push(await one());
  const of = (key: keyof Attach) => median(all.map((each) => each[key]));
  return { screen: of('screen'), complete: of('complete'), bytes: of('bytes') };
}
