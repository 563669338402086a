// Plays a recording, a step for each key, in its pieces and with pauses between them so that a viewer can come in anywhere.
import { readFileSync } from 'node:fs';

const steps = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const pauses = process.argv[3] !== 'at-once';
let next = 0;
let turn = Promise.resolve();

async function play(pieces) {
  for (const [index, piece] of pieces.entries()) {
    process.stdout.write(piece);
    if (pauses && index % 3 === 2) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => {
  for (const key of keys) if (key === 0x6e) turn = turn.then(() => play(steps[next++ % steps.length]));
});
process.stdout.write('ready\r\n');
