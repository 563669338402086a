import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LeaderFilter, type Wish } from '../../../src/cli/attach/leader-filter.js';

/** What becomes of the reads; bytes as text. */
function wishes(leader: string, ...reads: readonly string[]): string[] {
  const filter = new LeaderFilter(leader);
  const all: Wish[] = reads.flatMap((read) => filter.feed(Buffer.from(read, 'latin1')));
  return textOf([...all, ...filter.flush()]);
}

function textOf(all: readonly Wish[]): string[] {
  const texts: string[] = [];
  let run = '';
  for (const wish of all) {
    if (typeof wish !== 'string') run += wish.toString('latin1');
    else {
      if (run !== '') texts.push(run);
      run = '';
      texts.push(`<${wish}>`);
    }
  }
  return run === '' ? texts : [...texts, run];
}

describe('the leader', () => {
  test('then d detaches, ? helps, the leader itself is sent once, and any other key is no command', () => {
    expect(wishes('C-b', 'a\x02d')).toEqual(['a', '<detach>']);
    expect(wishes('C-b', '\x02?')).toEqual(['<help>']);
    expect(wishes('C-b', 'a\x02\x02b')).toEqual(['a\x02b']);
    expect(wishes('C-b', '\x02xyz')).toEqual(['<unknown>', 'yz']);
    expect(wishes('C-b', '\x02\x1b[Ad')).toEqual(['<unknown>', 'd']);
    expect(wishes('C-b', '\x02\xc3\xa9d')).toEqual(['<unknown>', 'd']);
    expect(wishes('C-b', '\x02\x02d')).toEqual(['\x02d']);
  });

  test.each([
    ['C-b', '\x02'],
    ['C-b', '\x1b[98;5u'],
    ['C-b', '\x1b[98;5:1u'],
    ['C-b', '\x1b[98;69u'],
    ['C-b', '\x1b[1080::98;5u'],
    ['C-b', '\x1b[27;5;98~'],
    ['C-Space', '\x00'],
    ['C-Space', '\x1b[32;5u'],
    ['C-]', '\x1d'],
    ['C-]', '\x1b[93;5u'],
    ['C-_', '\x1f'],
    ['C-_', '\x1b[45;6u'],
    ['C-_', '\x1b[27;6;95~'],
    ['C-^', '\x1e'],
    ['C-\\', '\x1c'],
    ['M-a', '\x1ba'],
    ['M-a', '\x1b[97;3u'],
    ['M-A', '\x1bA'],
    ['M-A', '\x1b[97:65;4u'],
    ['M-A', '\x1b[27;4;65~'],
    ['M-C-a', '\x1b\x01'],
    ['M-C-a', '\x1b[97;7u'],
    ['F1', '\x1bOP'],
    ['F1', '\x1b[P'],
    ['F1', '\x1b[[A'],
    ['F1', '\x1b[11~'],
    ['S-F2', '\x1b[1;2Q'],
    ['F12', '\x1b[24~'],
    ['C-F5', '\x1b[15;5~'],
    ['C-M-S-F5', '\x1b[15;8~'],
  ])('%s is known as %j, and however it is cut into reads', (leader, bytes) => {
    expect(wishes(leader, `a${bytes}d`)).toEqual(['a', '<detach>']);
    expect(wishes(leader, ...bytes, 'd')).toEqual(['<detach>']);
    expect(wishes(leader, `${bytes}${bytes}`)).toEqual([bytes]);
  });

  test('is no other key, and no other modifier', () => {
    for (const bytes of ['b', '\x1bb', '\x1b[98;6u', '\x1b[98;7u', '\x1b[98;13u', '\x01', '\x1b[1;5A'])
      expect(wishes('C-b', bytes)).toEqual([bytes]);
  });

  test('goes on waiting for its command while modifiers and keys let go, the mouse and the focus are reported', () => {
    const reports = '\x1b[98;5:3u\x1b[57442;5:3u\x1b[<35;1;1M\x1b[I\x1b[M !!';
    expect(wishes('C-b', `\x1b[98;5u${reports}\x1b[100u`)).toEqual([reports, '<detach>']);
    expect(wishes('C-b', '\x02\x1b[47:63;2u')).toEqual(['<help>']);
    expect(wishes('C-b', '\x02\x1b[47;2u')).toEqual(['<help>']);
  });

  test('is not looked for in what is pasted in brackets', () => {
    const paste = '\x1b[200~one\x02d\x02?\x1b[98;5ud two\x1b[201~';
    expect(wishes('C-b', `a${paste}\x02d`)).toEqual([`a${paste}`, '<detach>']);
    expect(wishes('C-b', ...paste, '\x02d')).toEqual([paste, '<detach>']);
    expect(wishes('C-b', `\x02${paste}d`)).toEqual([`${paste}d`]);
  });

  test('leaves a lone Escape to be sent a moment later', () => {
    const filter = new LeaderFilter('C-b');
    expect(filter.feed(Buffer.from('\x1b'))).toEqual([]);
    expect(filter.isHolding).toBe(true);
    expect(filter.flush()).toEqual([Buffer.from('\x1b')]);
    expect(filter.isHolding).toBe(false);
  });
});

test('every byte that is no command reaches the program, in order, however the input is cut', () => {
  const piece = fc.oneof(
    fc.constantFrom('\x1b', '\x1b[', '\x1b[200~', '\x1b[201~', '\x1bO', '\x1b[<', '\x1b[M', '\x1b[98;5u', 'd', '\x00', 'é'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, at) => {
      const whole = Buffer.from(pieces.join(''));
      const filter = new LeaderFilter('F12');
      const edges = [0, ...at.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const sent = edges.slice(1).flatMap((end, index) => filter.feed(whole.subarray(edges[index], end)));
      const all = [...sent, ...filter.flush()];
      expect(Buffer.concat(all.map((wish) => Buffer.from(wish))).equals(whole)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
