import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TerminalWriter } from '../../../src/cli/attach/terminal-writer.js';
import { until } from '../../support/until.js';

let dir: string;
let reader: number;
let fd: number;
let written: Buffer[];
let told: string[];
let writer: TerminalWriter;

/** A pipe that nobody reads from stands in for a terminal that has been stopped. */
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'm-'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  reader = openSync(join(dir, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
  fd = openSync(join(dir, 'pipe'), constants.O_WRONLY | constants.O_NONBLOCK);
  written = [];
  told = [];
  writer = new TerminalWriter({
    fd,
    onWrite: (piece) => written.push(piece),
    onFull: () => told.push('full'),
    onDrained: () => told.push('drained'),
  });
});
afterEach(() => {
  closeSync(reader);
  closeSync(fd);
  rmSync(dir, { recursive: true });
});

function readAll(): Buffer {
  const chunk = Buffer.alloc(1 << 20);
  try {
    return chunk.subarray(0, readSync(reader, chunk));
  } catch {
    return Buffer.alloc(0); // nothing there now
  }
}

test('a terminal that takes nothing makes the source wait, and gets every byte in order when it goes on', async () => {
  const data = Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251));
  writer.write(data.subarray(0, 100));
  writer.write(data.subarray(100, 500_000));
  expect(told).toEqual(['full']);
  writer.write(data.subarray(500_000));
  let got = Buffer.alloc(0);
  await until('all of it', () => {
    got = Buffer.concat([got, readAll()]);
    return got.length === data.length;
  });
  await writer.settled(10_000);
  expect(got.equals(data)).toBe(true);
  expect(Buffer.concat(written).equals(data)).toBe(true);
  expect(told).toEqual(['full', 'drained']);
});

test('what is discarded is never written, and waiting for a stopped terminal has an end', async () => {
  writer.write(Buffer.alloc(400_000, 'x'));
  writer.discard();
  await writer.settled(1);
  let length = 0;
  const settled = writer.settled(20_000);
  await until('the piece under way', () => {
    length += readAll().length;
    return length >= Buffer.concat(written).length;
  });
  await settled;
  expect(length).toBeLessThan(400_000);
});
