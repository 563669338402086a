import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BridgeOptions, PtyBridge } from '../../../src/daemon/bridge/pty-bridge.js';
import { restoredBytes } from '../../../src/daemon/bridge/stored-scrollback.js';
import { until } from '../../support/until.js';
import { RealTmux } from './real-tmux.js';
import { Viewer } from './viewer.js';

const SESSION = '8f14e45f-ceea-467f-a8c1-2b0d5b7a9e11';
const MARK = `\x1b]7750;maestro-end;3;${SESSION}\x07`;

let dir: string;
let bridges: PtyBridge[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'm-'));
  bridges = [];
});
afterEach(async () => {
  await Promise.all(bridges.map((bridge) => bridge[Symbol.asyncDispose]()));
  const left = openDescriptors();
  rmSync(dir, { recursive: true, force: true });
  expect(left).toEqual([]);
});

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

function fifo(name: string): string {
  const path = join(dir, name);
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

const writer = (name: string): Promise<FileHandle> => open(join(dir, name), constants.O_WRONLY | constants.O_NONBLOCK);

function bridgeOn(path: string, options: Partial<BridgeOptions> = {}): PtyBridge {
  const bridge = PtyBridge.open({ fifo: path, epoch: 4, run: 3, sessionId: SESSION, capacity: 64 * 1024, ...options });
  bridges.push(bridge);
  return bridge;
}

async function bridged(options: Partial<BridgeOptions> = {}): Promise<{ bridge: PtyBridge; pen: FileHandle; viewer: Viewer }> {
  const bridge = bridgeOn(fifo('a'), options);
  const pen = await writer('a');
  const viewer = new Viewer();
  bridge.subscribe({ sink: viewer });
  return { bridge, pen, viewer };
}

const shows = (viewer: Viewer, text: string) => until(`the viewer to see ${JSON.stringify(text)}`, () => viewer.text.includes(text));

describe('a bridge', () => {
  test('C1: has the first byte, also of what was written before anybody looked', async () => {
    const bridge = bridgeOn(fifo('a'));
    const pen = await writer('a');
    await pen.write('first');
    await until('the bytes', () => bridge.received === 5);
    const viewer = new Viewer();
    bridge.subscribe({ sink: viewer });
    expect(viewer.segments).toEqual([{ kind: 'attached', start: { epoch: 4, offset: 0 }, bytes: Buffer.from('first') }]);
    await pen.close();
  });

  test('T1: hands on all bytes but queries, and counts positions behind the filter', async () => {
    const { bridge, pen, viewer } = await bridged();
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).filter((byte) => byte !== 0x1b && byte !== 0x05);
    await pen.write(Buffer.concat([Buffer.from('\x1b[c\x1b[6n\x1b]11;?\x07'), every, Buffer.from('\x1b[31m.')]));
    await shows(viewer, '\x1b[31m.');
    const [segment] = viewer.segments;
    expect(segment?.bytes).toEqual(Buffer.concat([every, Buffer.from('\x1b[31m.')]));
    expect(bridge.position).toEqual({ epoch: 4, offset: every.length + 6 });
    expect(bridge.received).toBeGreaterThan(every.length + 6);
    await pen.close();
  });

  test('S1, S3: sends what former lives printed ahead, until a full budget of new output has come', async () => {
    const restored = restoredBytes({ former: Buffer.alloc(0), current: Buffer.from('former life\r\n') }, 2000);
    const { bridge, pen, viewer } = await bridged({ restored, capacity: 2000 });
    expect(viewer.text).toBe('former life\r\n');
    await pen.write('this life\r\n');
    await shows(viewer, 'this life');
    expect(bridge.stored(2000)).toEqual({ former: restored, current: Buffer.from('this life\r\n') });
    await pen.write('this life\r\n'.repeat(200));
    await until('all of it', () => bridge.received === 201 * 11);
    expect(bridge.stored(2000).former.length).toBe(0);
    await pen.close();
  });

  test('S1, S7: what former lives printed is scrolled off the screen and tab stops are put back, ahead of the program and stored nowhere', async () => {
    const restored = restoredBytes({ former: Buffer.alloc(0), current: Buffer.from('former \x1b[5G\x1bH life\r\n') }, 2000);
    const { bridge, pen, viewer } = await bridged({ restored, rows: 4, capacity: 20_000 });
    await pen.write('\x1b[Hthis life');
    await shows(viewer, 'this life');
    expect(viewer.text.startsWith(`${restored}\x1b[3g\x1b[9G\x1bH\x1b[17G\x1bH`)).toBe(true);
    expect(viewer.text.endsWith('\r\n\n\n\x1b[2J\x1b[H\x1b[Hthis life')).toBe(true);
    expect(bridge.stored(20_000)).toEqual({ former: restored, current: Buffer.from('\x1b[Hthis life') });
    await pen.close();
  });

  test('restored bytes from a file that was tampered with carry no query either', async () => {
    const { viewer, pen } = await bridged({ restored: Buffer.from('old \x1b[c\x1b[6nlines\r\n') });
    expect(viewer.text).toBe('old lines\r\n');
    await pen.close();
  });

  test('L2: tells the end when the last byte before the mark is in, and hides the mark', async () => {
    const { bridge, pen, viewer } = await bridged();
    await pen.write(`last words\r\n${MARK}`);
    expect(await bridge.ended).toBe('mark');
    expect(viewer.text).toBe('last words\r\n');
    await pen.write('\x1b]7750;maestro-end;2;other\x07 a child goes on');
    await shows(viewer, 'goes on');
    expect(viewer.text).toContain('7750;maestro-end;2;other');
    await pen.close();
  });

  test('tells when nothing writes its fifo any more', async () => {
    const { bridge, pen } = await bridged();
    await pen.close();
    expect(await bridge.ended).toBe('eof');
  });

  test('waits for the last byte no longer than it is told to', async () => {
    const { bridge, pen } = await bridged();
    await bridge.drained(1);
    await pen.write(MARK);
    await bridge.drained(60_000);
    await pen.close();
  });

  test('S4: its version changes with output and only with output', async () => {
    const { bridge, pen, viewer } = await bridged();
    const { version } = bridge;
    await pen.write('x');
    await shows(viewer, 'x');
    expect(bridge.version).not.toBe(version);
    const after = bridge.version;
    bridge.stored(1000);
    bridge.subscribe({ sink: new Viewer() });
    await pen.write('\x1b[6n');
    await until('the query', () => bridge.received === 5);
    expect(bridge.version).toBe(after);
    expect(bridge.lastByteAt).toBeDefined();
    await pen.close();
  });

  test('knows modes and title', async () => {
    const { bridge, pen, viewer } = await bridged();
    await pen.write('\x1b]0;build\x07\x1b[?2004h.');
    await shows(viewer, '.');
    expect(bridge.modes).toMatchObject({ title: 'build', bracketedPaste: true });
    await pen.close();
  });

  test('refuses a fifo that is not there, and says what to do', () => {
    expect(() => bridgeOn(join(dir, 'none'))).toThrow(
      expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining(SESSION) }),
    );
  });
});

describe('an adopted pane', () => {
  test('S2: begins with the seed, and no byte of the fifo goes ahead of it', async () => {
    const { bridge, pen, viewer } = await bridged({ awaitSeed: true, restored: Buffer.from('former\r\n') });
    await pen.write('live');
    bridge.seed(Buffer.from('seed '));
    await shows(viewer, 'live');
    expect(viewer.text).toBe('former\r\nseed live');
    expect(bridge.stored(1000)).toEqual({ former: Buffer.from('former\r\n'), current: Buffer.from('seed live') });
    expect(() => bridge.seed(Buffer.from('again'))).toThrow('invariant');
    await pen.close();
  });

  test('that was never seeded still gives what its fifo held when it is sealed', async () => {
    const { bridge, pen } = await bridged({ awaitSeed: true });
    await pen.write('words');
    await pen.close();
    await bridge.seal();
    expect(bridge.stored(100).current.toString()).toBe('words');
  });
});

describe('a pipe that is armed again', () => {
  test('T2: starts a new epoch with its seed in place of this life, and marks the gap', async () => {
    const { bridge, pen, viewer } = await bridged({ restored: Buffer.from('former\r\n') });
    await pen.write('seen twice, if it stayed');
    await shows(viewer, 'stayed');
    const old = viewer.position;
    bridge.rearm({ fifo: fifo('b'), epoch: 5 });
    await pen.write('.');
    await shows(viewer, '.');
    const next = await writer('b');
    await next.write('live');
    bridge.seed(Buffer.from('seed '));
    await shows(viewer, 'live');
    expect(viewer.segments.slice(1)).toEqual([{ kind: 'gap', start: { epoch: 5, offset: 0 }, bytes: Buffer.from('former\r\nseed live') }]);
    const late = new Viewer();
    bridge.subscribe({ after: old, sink: late });
    expect(late.kinds).toEqual(['attached', 'gap']);
    expect(bridge.stored(1000)).toEqual({ former: Buffer.from('former\r\n'), current: Buffer.from('seed live') });
    await pen.close();
    await next.write(MARK);
    expect(await bridge.ended).toBe('mark');
    await next.close();
  });

  test('changes nothing when it fails before the seed, and can be tried again', async () => {
    const { bridge, pen, viewer } = await bridged();
    await pen.write('words ');
    await shows(viewer, 'words');
    bridge.rearm({ fifo: fifo('b'), epoch: 5 });
    bridge.rearm({ fifo: fifo('c'), epoch: 6 });
    await pen.write('go on');
    await shows(viewer, 'go on');
    expect(viewer.kinds).toEqual(['attached']);
    bridge.seed(Buffer.from('seed'));
    expect(viewer.segments.at(-1)).toEqual({ kind: 'gap', start: { epoch: 6, offset: 0 }, bytes: Buffer.from('seed') });
    await pen.close();
  });

  test('that was not seeded is closed when the bridge is sealed', async () => {
    const { bridge, pen } = await bridged();
    bridge.rearm({ fifo: fifo('b'), epoch: 5 });
    await pen.write('words');
    await pen.close();
    await bridge.seal();
    expect(bridge.stored(100).current.toString()).toBe('words');
    expect(openDescriptors()).toEqual([]);
  });
});

describe('a sealed bridge', () => {
  test('S4: has read to the last byte, held ones included, and keeps what is stored', async () => {
    const { bridge, pen, viewer } = await bridged();
    await pen.write('last words \x1b[3');
    const sealed = bridge.seal();
    await pen.write('1mred\x1b');
    await pen.close();
    await sealed;
    expect([viewer.text, viewer.ends]).toEqual(['last words \x1b[31mred\x1b', ['sealed']]);
    expect(bridge.stored(100).current.toString()).toBe('last words \x1b[31mred');
    await bridge.seal();
    const late = new Viewer();
    bridge.subscribe({ sink: late });
    expect([late.text, late.ends]).toEqual([viewer.text, ['sealed']]);
  });

  test('does not wait for ever for a writer that stays', async () => {
    const { bridge, pen, viewer } = await bridged();
    await pen.write('words');
    await bridge.seal();
    expect([viewer.text, viewer.ends]).toEqual(['words', ['sealed']]);
    expect(openDescriptors().length).toBe(1);
    await pen.close();
  });

  test('gives a slow viewer the rest before it ends', async () => {
    const bridge = bridgeOn(fifo('a'));
    const pen = await writer('a');
    const slow = new Viewer();
    const subscription = bridge.subscribe({ sink: slow });
    slow.room = 1;
    await pen.write('one ');
    await shows(slow, 'one');
    await pen.write('two');
    await pen.close();
    await bridge.seal();
    expect([slow.text, slow.ends]).toEqual(['one ', []]);
    subscription.drained();
    expect(slow.text).toBe('one two');
    slow.room = 1;
    subscription.drained();
    expect(slow.ends).toEqual(['sealed']);
  });
});

describe('a bridge that is let go', () => {
  test('closes its fifo and tells its viewers, also in the middle of sealing', async () => {
    const { bridge, pen, viewer } = await bridged();
    await pen.write('words');
    await shows(viewer, 'words');
    const sealing = bridge.seal();
    await bridge[Symbol.asyncDispose]();
    await bridge[Symbol.asyncDispose]();
    await sealing;
    expect(viewer.ends).toEqual(['closed']);
    expect(bridge.stored(100).current.toString()).toBe('words');
    await pen.close();
  });
});

test.each([64, 100, 1024])(
  'T3: a viewer that takes nothing holds up neither the program nor another viewer (ring of %i KiB)',
  async (kib) => {
    const { bridge, pen, viewer: quick } = await bridged({ capacity: kib * 1024 });
    const stuck = new Viewer();
    stuck.room = 0;
    const subscription = bridge.subscribe({ sink: stuck });
    const chunk = Buffer.from(`${'x'.repeat(1022)}\r\n`.repeat(32));
    for (let i = 0; i < 64; i++) {
      for (let written = 0; written < chunk.length; ) {
        const { bytesWritten } = await pen.write(chunk, written).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EAGAIN') throw error;
          return { bytesWritten: 0 };
        });
        written += bytesWritten;
      }
    }
    await until('all of it', () => bridge.received === chunk.length * 64);
    await until('the quick viewer to have it', () => quick.position.offset === chunk.length * 64);
    expect(quick.kinds).toEqual(['attached']);
    expect(stuck.text.length).toBeLessThanOrEqual(64 * 1024);
    stuck.room = Number.POSITIVE_INFINITY;
    subscription.drained();
    expect(stuck.kinds.at(-1)).toBe('gap');
    expect(stuck.position).toEqual(bridge.position);
    await pen.close();
  },
);

test("T1, C1: a pane's output arrives whole, and tmux alone answers its queries", async () => {
  await using tmux = new RealTmux();
  const bridge = bridgeOn(fifo('a'), { capacity: 1024 * 1024 });
  const viewer = new Viewer();
  bridge.subscribe({ sink: viewer });
  const answer = join(tmux.dir, 'answer');
  const script = `stty raw -echo; printf 'first\\n\\033]11;?\\007\\033[c\\033[6n'; head -c 7 >${answer}; seq 1 20000; printf '${MARK.replace('\x1b', '\\033').replace('\x07', '\\007')}'; exit 3`;
  await tmux.command('new-session', '-d', '-s', 'p', '/bin/sh', '-c', script, ';', 'pipe-pane', '-t', '=p:', `exec cat >${join(dir, 'a')}`);
  expect(await bridge.ended).toBe('mark');
  expect(viewer.text).toBe(`first\n${Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')}`);
  expect(readFileSync(answer, 'latin1')).toMatch(/^\x1b\[\?[\d;]+c?/);
  await tmux.command('kill-session', '-t', '=p');
  await bridge.seal();
  expect(viewer.ends).toEqual(['sealed']);
});
