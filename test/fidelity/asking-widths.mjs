// Prints each of a list of texts on a line of its own, and asks where that has brought the cursor. Writes the columns to a file.
import { readFileSync, writeFileSync } from 'node:fs';

const [list, answers] = process.argv.slice(2);
const texts = JSON.parse(readFileSync(list, 'utf8'));
const columns = [];
let told = '';
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes) => {
  told += bytes;
  for (let match = /\x1b\[\d+;(\d+)R/.exec(told); match; match = /\x1b\[\d+;(\d+)R/.exec(told)) {
    told = told.slice(match.index + match[0].length);
    columns.push(Number(match[1]) - 1);
  }
  if (columns.length === texts.length) writeFileSync(answers, JSON.stringify(columns), { flush: true });
});
process.stdout.write(texts.map((text) => `\x1b[H\x1b[2K${text}\x1b[6n`).join(''));
