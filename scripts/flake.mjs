// `npm run flake`: the tests of races and recoveries, over and over, in another order each time, while one core is kept busy: what passes
// only on a quiet machine fails here. Stops at the first round that fails, and says how to repeat it.
//   --rounds 20   how many        --seed 7   the order of the first round; each later one's is one higher
//   FILTER...     other tests than these, as vitest takes them
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { ROOT } from './step.mjs';

/** As many at a time as mostly wait. */
const WORKERS = 8;

/** Less than a minute a round: those of a hundred sessions at once would take half of it. */
const NAMES = '^(?!.*(a hundred|500))';

const TESTS = [
  ...['races', 'overlaps', 'worktree-races', 'crash-points'].map((name) => `test/daemon/session/${name}.test.ts`),
  ...['recovery', 'reboot', 'tmux-loss', 'pipe', 'stop-kill'].map((name) => `test/e2e/${name}.test.ts`),
  'test/chaos/recovery-cut-off.test.ts',
];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string' } },
});
const tests = positionals.length > 0 ? positionals : TESTS;
const names = positionals.length > 0 ? [] : [`--testNamePattern=${NAMES}`];

/** Keeps a core busy for as long as this process lives. */
function spin() {
  const source = `while (process.ppid === ${process.pid});`;
  return spawn(process.execPath, ['-e', source], { stdio: 'ignore' });
}

/** All tests once; what they printed, if they failed. */
async function round(seed) {
  const order = ['--sequence.shuffle', `--sequence.seed=${seed}`];
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--retry=0', `--maxWorkers=${WORKERS}`, ...names, ...order, ...tests],
    { cwd: ROOT },
  );
  const printed = [];
  for (const stream of [vitest.stdout, vitest.stderr]) stream.on('data', (bytes) => printed.push(bytes));
  const [code] = await once(vitest, 'close');
  return code === 0 ? undefined : Buffer.concat(printed).toString();
}

await install();
await import('./build.mjs');
const first = Number(flags.seed ?? Date.now() % 2 ** 31);
const spinner = spin();
try {
  console.log('| round |       seed | seconds |        |');
  console.log('|-------|------------|---------|--------|');
  for (let count = 1; count <= Number(flags.rounds); count += 1) {
    const seed = first + count - 1;
    const began = performance.now();
    const failure = await round(seed);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const outcome = failure === undefined ? 'passed' : 'FAILED';
    console.log(`| ${String(count).padStart(5)} | ${String(seed).padStart(10)} | ${seconds.padStart(7)} | ${outcome} |`);
    if (failure === undefined) continue;
    console.log(`${failure}\nRepeat it with: npm run flake -- --rounds 1 --seed ${seed} ${positionals.join(' ')}`.trimEnd());
    process.exitCode = 1;
    break;
  }
} finally {
  spinner.kill('SIGKILL');
}
