import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Json } from './prune.js';
import { timeOut } from './time-out.js';

const STDIN = 0;
/** Of what is longer nothing is kept; it would not be read and cut in time. */
const INPUT_LIMIT = 16 * 1024 * 1024;

/**
 * What an agent tells its hook: JSON as the last of the arguments, else on standard input, of which it reads what comes within
 * `withinMs`. Undefined for what is no JSON. Never rejects.
 */
export async function readPayload(words: readonly string[], withinMs: number): Promise<Json | undefined> {
  const last = words.at(-1)?.trimStart() ?? '';
  return parsed(last.startsWith('{') ? last : await readInput(withinMs));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Empty at a terminal or a device: nobody tells anything there. */
async function readInput(withinMs: number): Promise<string> {
  try {
    const stats = fstatSync(STDIN);
    if (stats.isFile()) return stats.size > INPUT_LIMIT ? '' : readFileSync(STDIN, 'utf8');
    return stats.isFIFO() || stats.isSocket() ? await readPipe(withinMs) : '';
  } catch {
    return '';
  }
}

/** Not a read by itself, which could not be given up: a process whose thread waits for input cannot end. */
function readPipe(withinMs: number): Promise<string> {
  return new Promise((resolve) => {
    const pipe = new Socket({ fd: STDIN, readable: true, writable: false });
    let chunks: Buffer[] = [];
    let length = 0;
    const finish = () => resolve(Buffer.concat(chunks).toString());
    timeOut(withinMs, finish);
    pipe.on('error', finish).on('end', finish).on('close', finish);
    pipe.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > INPUT_LIMIT) chunks = [];
      else chunks.push(chunk);
    });
  });
}
