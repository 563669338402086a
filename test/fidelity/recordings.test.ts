import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Exhibit, Gallery, inTurns } from './gallery.js';
import { RECORDINGS } from './recordings.js';
import { ROUNDS, some } from './rounds.js';

const AT_ONCE = 4;

describe.each(Array.from({ length: ROUNDS }, (_, round) => ({ round })))(
  'T1: of all that programs do to a terminal, round $round',
  ({ round }) => {
    let gallery: Gallery;
    let exhibits: Exhibit[];
    beforeAll(async () => {
      gallery = await Gallery.open();
      exhibits = await Promise.all(Object.entries(RECORDINGS).map(([what, steps]) => gallery.play(what, steps, round)));
    });
    afterAll(() => gallery[Symbol.asyncDispose]());

    test('who attaches while it is drawn sees what tmux shows, cell by cell', async () => {
      await inTurns(exhibits, AT_ONCE, async (exhibit) => {
        for (const _ of exhibit.keys) await gallery.step(exhibit);
      });
      expect(gallery.missed).toBe('');
    });

    test('S2: so after the daemon was killed', async () => {
      await gallery.restartDaemon();
      await inTurns(exhibits, AT_ONCE, async (exhibit) => {
        await gallery.attach(exhibit, 'adopted');
        for (const _ of some(exhibit.keys, 1)) await gallery.step(exhibit, 'adopted');
      });
      expect(gallery.missed).toBe('');
    });

    test('T2: so after the pipe was armed afresh', async () => {
      await inTurns(some(exhibits, 5), AT_ONCE, async (exhibit) => {
        await gallery.breakPipe(exhibit);
        await gallery.attach(exhibit, 're-armed');
        await gallery.step(exhibit, 're-armed');
      });
      expect(gallery.missed).toBe('');
    });

    test('S1, S7: so in the next life', async () => {
      await inTurns(exhibits, AT_ONCE, async (exhibit) => {
        await gallery.resume(exhibit);
        for (const _ of some(exhibit.keys, 2)) await gallery.step(exhibit, 'resumed');
      });
      expect(gallery.missed).toBe('');
    });

    test('T5: so in another size', async () => {
      await inTurns(exhibits, AT_ONCE, async (exhibit) => {
        await gallery.attachResized(exhibit, 70, 20);
        for (const _ of some(exhibit.keys, 1)) await gallery.step(exhibit, 'resized');
      });
      expect(gallery.missed).toBe('');
    });
  },
);
