import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Exhibit, Gallery, inTurns } from './gallery.js';
import { PROGRAMS } from './programs.js';
import { RECORDINGS } from './recordings.js';
import { ROUNDS, some } from './rounds.js';

const AT_ONCE = 3;
const EACH_ROUND = Array.from({ length: ROUNDS }, (_, round) => ({ round }));

describe.each(EACH_ROUND)('T1: what programs draw, round $round', ({ round }) => {
  let gallery: Gallery;
  let exhibits: Exhibit[];
  beforeAll(async () => {
    gallery = await Gallery.open();
    exhibits = await Promise.all(Object.entries(PROGRAMS).map(([what, program]) => gallery.run(what, program, round)));
  });
  afterAll(() => gallery[Symbol.asyncDispose]());

  test('is shown as tmux shows it, cell by cell, to who attaches while they do', async () => {
    await inTurns(exhibits, AT_ONCE, async (exhibit) => {
      for (const _ of exhibit.keys) await gallery.step(exhibit);
    });
    expect(gallery.missed).toBe('');
  });

  test('T5: so in another size', async () => {
    await inTurns(exhibits, AT_ONCE, async (exhibit) => {
      await gallery.attachResized(exhibit, 100, 30);
      await gallery.step(exhibit, 'resized');
    });
    expect(gallery.missed).toBe('');
  });

  test('S2: so after the daemon was killed', async () => {
    await gallery.restartDaemon();
    await inTurns(exhibits, AT_ONCE, async (exhibit) => {
      // Not what they draw next: tmux does not tell the colours that a program has set for that.
      await gallery.attach(exhibit, 'adopted');
    });
    expect(gallery.missed).toBe('');
  });

  test('S1, S7: so in the next life', async () => {
    await inTurns(exhibits, AT_ONCE, async (exhibit) => {
      await gallery.resume(exhibit);
      await gallery.attach(exhibit, 'resumed');
      for (const _ of some(exhibit.keys, 1)) await gallery.step(exhibit, 'resumed');
    });
    expect(gallery.missed).toBe('');
  });
});

describe.each(EACH_ROUND)('T2: where the ring does not reach back, round $round', ({ round }) => {
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = await Gallery.open({ MAESTRO_PTY_REPLAY_BYTES: '4096' });
  });
  afterAll(() => gallery[Symbol.asyncDispose]());

  test('programs and recordings are shown as tmux shows them', async () => {
    const programs = some(Object.entries(PROGRAMS), 1).map(([what, program]) => gallery.run(what, program, round));
    const recordings = some(Object.entries(RECORDINGS), 4).map(([what, steps]) => gallery.play(what, steps, round));
    await inTurns(await Promise.all([...programs, ...recordings]), AT_ONCE, async (exhibit) => {
      for (const _ of exhibit.keys) await gallery.step(exhibit);
    });
    expect(gallery.missed).toBe('');
  });
});
