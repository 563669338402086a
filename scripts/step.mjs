import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a program with its output shown, and resolves to the exit status that a shell would report. This process lives as long as the
 * program does: `forwarded` signals are passed on to it, and Ctrl-C, which a terminal sends to both, does not end this one first.
 */
export async function run(command, args, { env = {}, forwarded = ['SIGTERM', 'SIGHUP'] } = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  const passOn = (signal) => forwarded.includes(signal) && child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, passOn);
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + (constants.signals[signal] ?? 0);
  } catch (error) {
    console.error(error.message);
    return 127;
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}

/** Says what happens, does it, and ends this process with the exit status when it fails. */
export async function step(title, command, args, env = {}) {
  console.log(`> ${title}`);
  const status = await run(command, args, { env });
  if (status !== 0) process.exit(status);
}
