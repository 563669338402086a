// `npm test`: installs what is missing, checks what needs no running, then runs the tests. With arguments it goes straight to the tests
// they name: `npm test -- test/daemon/store`.
import { install } from './install.mjs';
import { ensureTestPrograms } from './programs.mjs';
import { step } from './step.mjs';

const args = process.argv.slice(2);

await install();
await ensureTestPrograms();
await import('./build.mjs');
if (args.length === 0) await step('Checking types, format and lint', 'npm', ['run', '--silent', 'check']);
await step('Testing', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args]);
