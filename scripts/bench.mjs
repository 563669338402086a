// `npm run bench`: measures Maestro beside what bounds it, prints a table, and writes it as JSON into bench/results. Takes some minutes.
//   --only echo,create   only these rows        --rounds 7    more rounds than five
//   --divide 20          tiny, to try the bench  --doc         also puts the table into docs/PERFORMANCE.md
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { ROOT, step } from './step.mjs';

await install();
await import('./build.mjs');
await step('Compiling the bench', 'npx', ['--no-install', 'tsc', '-b', 'bench']);
if (!existsSync(join(ROOT, 'bench/pty/node_modules/node-pty')))
  await step('Installing what Maestro is measured against', 'npm', ['ci', '--no-audit', '--no-fund', '--prefix', 'bench/pty']);
await step('Measuring', process.execPath, ['dist/bench/main.js', ...process.argv.slice(2)]);
