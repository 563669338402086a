// `npm run soak`: half an hour of sessions that come and go under a daemon, with viewers, listeners and typists. Fails unless its memory,
// descriptors, processes and delays are as flat at the end as in the middle.
//   --minutes 6          shorter                 --samples FILE   also writes every sample, one line of JSON each
import { install } from './install.mjs';
import { step } from './step.mjs';

await install();
await import('./build.mjs');
await step('Compiling the soak', 'npx', ['--no-install', 'tsc', '-b', 'bench']);
await step('Soaking', process.execPath, ['dist/bench/soak.js', ...process.argv.slice(2)]);
