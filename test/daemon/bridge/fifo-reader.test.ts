import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FifoReader } from '../../../src/daemon/bridge/fifo-reader.js';
import { until } from '../../support/until.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'm-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function fifo(name: string): string {
  const path = join(dir, name);
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

const writer = (path: string): Promise<FileHandle> => open(path, constants.O_WRONLY | constants.O_NONBLOCK);

/** Descriptors of this process that are open on files below `dir`. */
function openDescriptors(): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.startsWith(dir));
}

interface Seen {
  bytes: Buffer;
  ends: (Error | undefined)[];
}

function reading(path: string): { reader: FifoReader; seen: Seen } {
  const seen: Seen = { bytes: Buffer.alloc(0), ends: [] };
  const reader = new FifoReader(path, {
    onData: (bytes) => {
      seen.bytes = Buffer.concat([seen.bytes, bytes]);
    },
    onEnd: (error) => seen.ends.push(error),
  });
  return { reader, seen };
}

describe('a fifo reader', () => {
  test('lets a writer open at once, reads nothing before it is started, and loses nothing', async () => {
    const { reader, seen } = reading(fifo('a'));
    const pen = await writer(join(dir, 'a'));
    await pen.write('early ');
    expect(seen.bytes.length).toBe(0);
    reader.start();
    await pen.write('late');
    await until('both writes', () => seen.bytes.length === 10);
    expect(seen.bytes.toString()).toBe('early late');
    await pen.close();
    await until('the end', () => seen.ends.length === 1);
    expect(seen.ends).toEqual([undefined]);
    expect(openDescriptors()).toEqual([]);
    await reader.close();
  });

  test('sees no end before the first writer', async () => {
    const { reader, seen } = reading(fifo('a'));
    reader.start();
    const other = reading(fifo('b'));
    other.reader.start();
    const pen = await writer(join(dir, 'b'));
    await pen.close();
    await until('the other to end', () => other.seen.ends.length === 1);
    expect(seen.ends).toEqual([]);
    const late = await writer(join(dir, 'a'));
    await late.write('here');
    await until('the late writer', () => seen.bytes.toString() === 'here');
    await late.close();
    await until('the end', () => seen.ends.length === 1);
  });

  test('closes its descriptor, started or not, and tells nothing afterwards', async () => {
    const idle = reading(fifo('a'));
    const started = reading(fifo('b'));
    started.reader.start();
    const pen = await writer(join(dir, 'b'));
    await pen.write('x'.repeat(1000));
    await Promise.all([idle.reader.close(), started.reader.close(), started.reader.close()]);
    expect(openDescriptors().filter((link) => !link.endsWith('b'))).toEqual([]);
    await pen.close();
    expect(openDescriptors()).toEqual([]);
    expect([...idle.seen.ends, ...started.seen.ends]).toEqual([]);
    idle.reader.start();
  });

  test('fails to open what is not there or is a link', () => {
    expect(() => reading(join(dir, 'none'))).toThrow('ENOENT');
    fifo('a');
    execFileSync('ln', ['-s', join(dir, 'a'), join(dir, 'link')]);
    expect(() => reading(join(dir, 'link'))).toThrow('ELOOP');
  });

  test('a hundred share one buffer, mix nothing up and block no file access', async () => {
    const all = Array.from({ length: 100 }, (_, index) => reading(fifo(`f${index}`)));
    for (const { reader } of all) reader.start();
    const pens = await Promise.all(all.map((_, index) => writer(join(dir, `f${index}`))));
    for (let round = 0; round < 5; round++) {
      await Promise.all(pens.map((pen, index) => pen.write(`${index};`.repeat(50))));
    }
    const whole = (index: number) => `${index};`.repeat(250);
    await until('all bytes', () => all.every(({ seen }, index) => seen.bytes.length === whole(index).length));
    all.forEach(({ seen }, index) => {
      expect(seen.bytes.toString()).toBe(whole(index));
    });
    await Promise.all(pens.map((pen) => pen.close()));
    await until('all ends', () => all.every(({ seen }) => seen.ends.length === 1));
    expect(openDescriptors()).toEqual([]);
  });

  test('idle ones take no processor time', async () => {
    const all = Array.from({ length: 100 }, (_, index) => reading(fifo(`f${index}`)));
    for (const { reader } of all) reader.start();
    const pens = await Promise.all(all.map((_, index) => writer(join(dir, `f${index}`))));
    let turns = 0;
    const before = performance.eventLoopUtilization();
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        turns += 1;
        if (turns < 10) return;
        clearInterval(timer);
        resolve();
      }, 20);
    });
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
    await Promise.all([...pens.map((pen) => pen.close()), ...all.map(({ reader }) => reader.close())]);
    expect(openDescriptors()).toEqual([]);
  });
});
