import { spawn } from 'node:child_process';
import { endGroupAfter } from '../time-limit.js';

export interface Question {
  readonly file: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * What a program prints and nothing else comes of it: it gets no input, and none of what would make it a part of a session. Undefined when
 * it fails, takes too long or says too much; what it has started is ended with it.
 */
export function askProgram({ file, words, cwd, env, timeoutMs, maxBytes }: Question): Promise<string | undefined> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MAESTRO_')));
  return new Promise((resolve) => {
    const child = spawn(file, words, { cwd, env: own, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const limit = endGroupAfter(timeoutMs, child.pid);
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
    });
    const finish = (code: number | null) => {
      limit.lift();
      resolve(code === 0 && bytes <= maxBytes && !limit.isOver ? Buffer.concat(chunks).toString('utf8') : undefined);
    };
    child.on('error', () => finish(null));
    child.on('close', finish);
  });
}
