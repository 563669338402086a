import { closeSync, constants, fstatSync, lstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionEnv } from './session-env.js';

/** A file that has more bytes than this takes the place of the one before it, whose reports are lost. */
const TURN_BYTES = 32 * 1024;
const MOST_TRIES = 3;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
/** A fifo in place of the file is an error instead of a wait. */
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Leaves a report for the daemon in the session's file of its spool. The directory is the daemon's to make: without it the report is
 * lost, as it is when the disk is full. Throws nothing.
 */
export function spool({ id, token, socket }: SessionEnv, report: string): void {
  const path = join(dirname(socket), 'spool', `${id}.jsonl`);
  const line = `{"token":"${token}","id":"${id}",${report.slice(1)}`;
  // The line break in front ends what another reporter could write only half of.
  const bytes = Buffer.from(`\n${line}\n`);
  try {
    for (let triesLeft = MOST_TRIES; !append(path, bytes, triesLeft > 0); triesLeft -= 1);
  } catch {
    // There is nowhere else to leave it, and nobody to tell.
  }
}

/** One write, so that reporters at the same time mix no lines. False when it has to be done again, in another file of that name. */
function append(path: string, bytes: Uint8Array, mayRefuse: boolean): boolean {
  const file = openSync(path, APPEND, 0o600);
  try {
    const { size, ino } = fstatSync(file);
    if (mayRefuse && size > TURN_BYTES) {
      turn(path, ino);
      return false;
    }
    writeSync(file, bytes);
    // The daemon reads a file until it has deleted it, and knows nothing of what comes later.
    return !mayRefuse || fstatSync(file).nlink > 0;
  } finally {
    closeSync(file);
  }
}

/** Moves the file with this `ino` away, unless another reporter or the daemon has just done so. */
function turn(path: string, ino: number): void {
  try {
    if (lstatSync(path).ino === ino) renameSync(path, path.replace(/\.jsonl$/, '.1.jsonl'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
