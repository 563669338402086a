import { spawn } from 'node:child_process';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../../bin/maestro.js');

export interface Ran {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs the built `maestro` command with nothing of this process's environment but the path. */
export function runMaestro(words: readonly string[], { env, cwd, input = '' }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', LANG: 'C.UTF-8', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  child.stdin.on('error', () => {}).end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: signal ?? code ?? 0, ...output }));
  });
}
