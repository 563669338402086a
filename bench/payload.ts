import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const MB = 1_000_000;

export type Script = 'ascii' | 'ansi' | 'cjk';

export interface Payload {
  readonly file: string;
  readonly bytes: Buffer;
}

const COLUMNS = 110;
/** A line is made of one of so many; real output repeats itself too. */
const LINES = 2000;

/** Output of a kind, `length` bytes of it, in a file. The same at each run. */
export function makePayload(dir: string, script: Script, length: number): Payload {
  const random = generator(script.length);
  const lines = Buffer.concat(Array.from({ length: LINES }, () => Buffer.from(LINE[script](random))));
  const whole = Buffer.alloc(length, lines);
  const end = whole.lastIndexOf(0x0a) + 1; // a last line of spaces, so that no character is cut
  const bytes = Buffer.concat([whole.subarray(0, end), Buffer.alloc(length - end, ' ')]);
  const file = join(dir, `${script}-${length}`);
  writeFileSync(file, bytes);
  return { file, bytes };
}

type Random = (below: number) => number;

const LINE: Readonly<Record<Script, (random: Random) => string>> = {
  ascii: (random) => `${Array.from({ length: COLUMNS }, () => String.fromCharCode(33 + random(93))).join('')}\r\n`,
  cjk: (random) => `${Array.from({ length: COLUMNS / 2 }, () => String.fromCharCode(0x4e00 + random(0x5000))).join('')}\r\n`,
  ansi: (random) => `${Array.from({ length: 12 }, () => coloured(random)).join('')}\x1b[0m\x1b[K\r\n`,
};

/** A word as editors and test runners print it: colours of all kinds, attributes, a move of the cursor. */
function coloured(random: Random): string {
  const word = random(1e9).toString(36).padEnd(6, 'x');
  const style = [`38;5;${random(256)}`, `38;2;${random(256)};${random(256)};${random(256)}`, `1;3${random(8)}`, '0;4'][random(4)];
  return `\x1b[${style}m${word}${random(8) === 0 ? '\x1b[2C' : ' '}`;
}

/** A linear congruence: no quality needed, only repetition. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
