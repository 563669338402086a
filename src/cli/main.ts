import { homedir } from 'node:os';
import { CommanderError } from 'commander';
import type { CommandContext } from './command-context.js';
import { EXIT } from './exit-code.js';
import { failureOf } from './failure.js';
import { Output } from './output.js';
import { printableLines } from './printable.js';
import type { Run } from './program/run.js';
import { createProgram } from './program.js';
import { stateDirPath } from './state-dir.js';

/** A reader that has seen enough, such as `head`, or a terminal that is gone, is no error. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

const run: Run = async (perform) => {
  const { json = false, stateDir } = program.opts<{ json?: boolean; stateDir?: string }>();
  const output = new Output({ stdout: process.stdout, stderr: process.stderr, json, env: process.env });
  const home = process.env.HOME || homedir();
  const context = (): CommandContext => ({
    stateDir: stateDirPath({ option: stateDir, env: process.env, home }),
    home,
    env: process.env,
    output,
  });
  try {
    process.exitCode = await perform(context());
  } catch (error) {
    report(error, output);
  }
};

function report(error: unknown, output: Output): void {
  const failure = failureOf(error);
  output.document(failure.body);
  output.note(`maestro: ${printableLines(failure.message)}`);
  process.exitCode = failure.exitCode;
}

const program = createProgram(run);

async function main(): Promise<void> {
  try {
    if (process.argv.length <= 2) program.outputHelp();
    else await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has told the user already. Help and version are no failure.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (process.exitCode === EXIT.usage && process.argv.includes('--json')) {
      process.stdout.write(`${JSON.stringify({ error: { code: 'usage', message: error.message.replace(/^error: /, '') } })}\n`);
    }
  }
}

void main();
