// Runs `maestro up` with the stand-in for the daemon.

import { up } from '../../dist/cli/commands/up.js';
import { failureOf } from '../../dist/cli/failure.js';
import { Output } from '../../dist/cli/output.js';

const [stateDir, ...flags] = process.argv.slice(2);
const output = new Output({ stdout: process.stdout, stderr: process.stderr, json: flags.includes('--json'), env: process.env });
const main = new URL('fake-daemon-main.mjs', import.meta.url).pathname;
const options = { main, detach: flags.includes('--detach'), ...(flags.includes('--listen') ? { listen: '127.0.0.1:0' } : {}) };
try {
  process.exitCode = await up({ stateDir, home: '/home/ada', env: process.env, output }, options);
} catch (error) {
  const failure = failureOf(error);
  output.note(`maestro: ${failure.message}`);
  process.exitCode = failure.exitCode;
}
