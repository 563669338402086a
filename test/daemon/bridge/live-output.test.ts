import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LiveOutput } from '../../../src/daemon/bridge/live-output.js';
import type { ProgramEvent } from '../../../src/daemon/bridge/program-status-parser.js';
import { type BridgeOptions, PtyBridge } from '../../../src/daemon/bridge/pty-bridge.js';
import { restoredBytes } from '../../../src/daemon/bridge/stored-scrollback.js';
import { until } from '../../support/until.js';

const WORKING = '\x1b]7501;state=working:app=codex\x1b\\';
const working: ProgramEvent = { type: 'status', status: { state: 'working', app: 'codex' } };

let dir: string;
let events: ProgramEvent[];
let bridges: PtyBridge[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'm-'));
  events = [];
  bridges = [];
});
afterEach(async () => {
  await Promise.all(bridges.map((bridge) => bridge[Symbol.asyncDispose]()));
  rmSync(dir, { recursive: true });
});

function fifo(name: string): string {
  const path = join(dir, name);
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

const writer = (name: string): Promise<FileHandle> => open(join(dir, name), constants.O_WRONLY | constants.O_NONBLOCK);

function bridgeOn(name: string, options: Partial<BridgeOptions> = {}): PtyBridge {
  const onProgramEvent = (event: ProgramEvent) => events.push(event);
  const bridge = PtyBridge.open({ fifo: fifo(name), epoch: 1, run: 1, sessionId: 's', capacity: 64 * 1024, onProgramEvent, ...options });
  bridges.push(bridge);
  return bridge;
}

const received = (bridge: PtyBridge, bytes: number) => until(`${bytes} bytes`, () => bridge.received === bytes);

describe('what a program says of itself', () => {
  test('is told of as it comes, torn or not, when its bytes are in the stream', async () => {
    const positions: number[] = [];
    const bridge = bridgeOn('a', {
      onProgramEvent: (event) => {
        events.push(event);
        positions.push(bridge.position.offset);
      },
    });
    const pen = await writer('a');
    await pen.write(`text${WORKING.slice(0, 9)}`);
    await received(bridge, 13);
    await pen.write(`${WORKING.slice(9)}\x1b]2;a title\x07`);
    await until('the events', () => events.length === 2);
    expect(events).toEqual([working, { type: 'title', title: 'a title' }]);
    expect(positions[0]).toBeGreaterThanOrEqual(4 + WORKING.length);
    await pen.close();
  });

  test('is told of as tmux passes it on, with queries around it', async () => {
    const bridge = bridgeOn('a');
    const pen = await writer('a');
    const bytes = `\x1b[c\x1b]7501;? \x1b\\${WORKING}\x1b[6n`;
    await pen.write(bytes);
    await received(bridge, bytes.length);
    expect(events).toEqual([working]);
    await pen.close();
  });

  test('is nothing of former lives, and nothing of what the pane showed when it was found', async () => {
    const restored = restoredBytes({ former: Buffer.alloc(0), current: Buffer.from(WORKING) }, 2000);
    const bridge = bridgeOn('a', { restored, awaitSeed: true });
    bridge.seed(Buffer.from(`${WORKING}\x1b]2;old\x07`));
    const pen = await writer('a');
    await pen.write('\x1b]2;new\x07');
    await until('an event', () => events.length > 0);
    expect(events).toEqual([{ type: 'title', title: 'new' }]);
    await pen.close();
  });

  test('does not go on over a gap between two pipes', async () => {
    const bridge = bridgeOn('a');
    const pen = await writer('a');
    await pen.write('\x1b]7501;state=bl');
    await received(bridge, 15);
    bridge.rearm({ fifo: fifo('b'), epoch: 2 });
    const next = await writer('b');
    bridge.seed(Buffer.alloc(0));
    await next.write('ocked\x1b\\');
    await received(bridge, 22);
    expect(events).toEqual([]);
    await next.write(WORKING);
    await until('an event', () => events.length > 0);
    expect(events).toEqual([working]);
    await Promise.all([pen.close(), next.close()]);
  });

  test('is passed over when nobody asks', async () => {
    const bridge = bridgeOn('a', { onProgramEvent: undefined });
    const pen = await writer('a');
    await pen.write(WORKING);
    await received(bridge, WORKING.length);
    expect(bridge.stored(1000).current.toString()).toBe(WORKING);
    await pen.close();
  });
});

describe('the next output', () => {
  test('is told of once to each who asked, and not for a seed', async () => {
    const bridge = bridgeOn('a', { awaitSeed: true });
    const calls: string[] = [];
    const one = () => calls.push('one');
    bridge.whenNextOutput(one);
    bridge.whenNextOutput(one);
    bridge.whenNextOutput(() => calls.push(`two ${bridge.stored(100).current}`));
    bridge.seed(Buffer.from('seed '));
    expect([calls, bridge.lastByteAt, bridge.lastOutputAt]).toEqual([[], undefined, undefined]);
    const pen = await writer('a');
    await pen.write('a');
    await received(bridge, 1);
    await pen.write('b');
    await received(bridge, 2);
    expect(calls).toEqual(['one', 'two seed a']);
    expect(Date.now() - (bridge.lastOutputAt ?? 0)).toBeLessThan(60_000);
    await pen.close();
  });

  test('that a listener asks for again is the one after it; the end of output is none', () => {
    const live = new LiveOutput();
    let calls = 0;
    const listener = () => {
      calls += 1;
      live.whenNext(listener);
    };
    live.whenNext(listener);
    live.add(0);
    expect([calls, live.lastByteAt]).toEqual([0, undefined]);
    live.add(3);
    live.add(4);
    expect([calls, live.received]).toEqual([2, 7]);
  });
});
