// What V8 compiles of the daemon and the command in a run is kept beside their bundles, so that no later start has to do it again. For that
// both are run once, with a state directory and a HOME of their own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLES } from './bundles.mjs';
import { ROOT } from './step.mjs';

const LIMIT_MS = 20_000;

const run = promisify(execFile);
const directoryOf = (name) => join(ROOT, BUNDLES[name].to, '..');

/** Where this cannot be done, such as without tmux, less or nothing is kept, and starts are slower. */
export async function keepCompiled(names) {
  if (names.length === 0) return;
  const dir = mkdtempSync(join(tmpdir(), 'maestro-build-'));
  const state = join(dir, 'state');
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    MAESTRO_STATE_DIR: state,
    MAESTRO_LISTEN: '127.0.0.1:0',
  };
  const begin = (name) => (names.includes(name) ? [join(ROOT, 'scripts/keep-compiled.cjs'), directoryOf(name)] : undefined);
  const daemon = spawn(process.execPath, begin('daemon') ?? [join(ROOT, 'dist/launch/daemon.cjs')], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  });
  // Whoever ends the build ends that daemon, and what it has started is taken away all the same.
  let ended = 0;
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
    process.once(signal, () => {
      ended = 128 + number;
      daemon.kill();
    });
  }
  try {
    await Promise.race([once(daemon.stdout, 'data'), once(daemon, 'exit')]);
    const command = begin('command');
    if (command !== undefined) await run(process.execPath, [...command, 'ls'], { env, timeout: LIMIT_MS });
    daemon.kill();
    if (daemon.exitCode === null) await once(daemon, 'exit');
  } catch (error) {
    console.error(`  starts will be slower: ${error.message.split('\n')[0]}`);
  } finally {
    daemon.kill('SIGKILL');
    await run('tmux', ['-S', join(state, 'run/tmux.sock'), 'kill-server']).catch(() => undefined);
    rmSync(dir, { recursive: true, force: true });
  }
  if (ended > 0) process.exit(ended);
}
