import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pane } from '../../../src/daemon/panes/panes.js';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { type FifoReader, TmuxSandbox } from '../../support/tmux-server.js';
import { until } from '../../support/until.js';

let sandbox: TmuxSandbox;
let panes: TmuxPanes;

beforeEach(async () => {
  sandbox = await TmuxSandbox.create();
  panes = await sandbox.start();
});

afterEach(() => sandbox[Symbol.asyncDispose]());

interface Echo {
  readonly pane: Pane;
  /** What the program got, so far. */
  got(): Buffer;
}

async function start(command: string): Promise<{ pane: Pane; fifo: FifoReader }> {
  const fifo = await sandbox.fifo();
  const pane = await panes.newSessionPiped(sandbox.spec(command, fifo));
  return { pane, fifo };
}

/** A program that writes back what it reads, with nothing of the terminal in between. */
async function startEcho(prelude = ''): Promise<Echo> {
  const { pane, fifo } = await start(`stty raw -echo; printf '${prelude}READY'; exec cat`);
  await fifo.until('READY');
  const skip = fifo.bytes().indexOf('READY') + 'READY'.length;
  return { pane, got: () => fifo.bytes().subarray(skip) };
}

async function untilGot(echo: Echo, expected: Buffer): Promise<void> {
  await until(`${expected.length} bytes, of which came ${echo.got().length}`, () => echo.got().length >= expected.length);
  expect(echo.got().equals(expected)).toBe(true);
}

/** All values, in an order that changes, `size` bytes of them. */
function allBytes(size: number, seed = 1): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, index) => (index * 7 + ((index * seed) >> 8)) % 256));
}

describe('T4: input arrives byte for byte', () => {
  test.each([1, 255, 256, 257, 512, 513, 5000, 1 << 20])('%i bytes of every value', async (size) => {
    const echo = await startEcho();
    const bytes = allBytes(size);
    await panes.sendBytes(echo.pane, bytes);
    await untilGot(echo, bytes);
  });

  test('in the order of the calls, small and large ones mixed', async () => {
    const echo = await startEcho();
    const parts = [3, 1, 4096, 2, 300, 9000, 9000, 1, 1, 512, 513, 7].map((size, index) => allBytes(size, index + 3));
    await Promise.all(parts.map((part) => panes.sendBytes(echo.pane, part)));
    await untilGot(echo, Buffer.concat(parts));
  });

  test('of many panes at once, each to its own', async () => {
    const echoes = await Promise.all(Array.from({ length: 8 }, () => startEcho()));
    const sizes = [10, 5000, 20, 3000];
    const sent = echoes.map((_, seed) => sizes.map((size) => allBytes(size, seed)));
    await Promise.all(echoes.flatMap((echo, index) => (sent[index] ?? []).map((part) => panes.sendBytes(echo.pane, part))));
    for (const [index, echo] of echoes.entries()) await untilGot(echo, Buffer.concat(sent[index] ?? []));
  });

  test('and leaves no file behind', async () => {
    const echo = await startEcho();
    await panes.sendBytes(echo.pane, allBytes(10_000));
    await panes.paste(echo.pane, 'pasted');
    expect(await readdir(join(sandbox.runDir, 'paste'))).toEqual([]);
    expect(await sandbox.tmux('list-buffers')).toBe('');
  });

  test.each([3, 4000])('although somebody scrolls the pane in copy mode (%i bytes)', async (size) => {
    const echo = await startEcho();
    await sandbox.tmux('copy-mode', '-t', echo.pane.paneId);
    await panes.sendBytes(echo.pane, allBytes(size));
    await untilGot(echo, allBytes(size));
    await sandbox.tmux('copy-mode', '-t', echo.pane.paneId);
    await panes.paste(echo.pane, 'x');
    await untilGot(echo, Buffer.concat([allBytes(size), Buffer.from('x')]));
    await sandbox.tmux('clock-mode', '-t', echo.pane.paneId);
    await panes.sendKeys(echo.pane, ['y', 'z']);
    await untilGot(echo, Buffer.concat([allBytes(size), Buffer.from('xyz')]));
  });

  test("goes to the session's own pane, wherever people split and look", async () => {
    const echo = await startEcho();
    await sandbox.tmux('split-window', '-b', '-t', echo.pane.paneId, 'exec sleep 100');
    await sandbox.tmux('new-window', '-t', `=${echo.pane.sessionId}:`, 'exec sleep 100');
    await panes.sendBytes(echo.pane, Buffer.from('to me'));
    await untilGot(echo, Buffer.from('to me'));
  });
});

describe('named keys', () => {
  test('reach the program as a terminal would send them', async () => {
    const echo = await startEcho();
    await panes.sendKeys(echo.pane, [
      'a',
      'Enter',
      'C-c',
      'Up',
      'F5',
      'M-x',
      'Escape',
      'Tab',
      'BSpace',
      'Space',
      ';',
      '-',
      '~',
      "'",
      '"',
      '#',
      '{',
      '%',
      '$',
    ]);
    await untilGot(echo, Buffer.from(`a\r\u0003\u001b[A\u001b[15~\u001bx\u001b\t\u007f ;-~'"#{%$`));
  });

  test('keep their order with bytes and pastes', async () => {
    const echo = await startEcho();
    await Promise.all([
      panes.paste(echo.pane, 'first'),
      panes.sendKeys(echo.pane, ['Enter']),
      panes.sendBytes(echo.pane, Buffer.from('last')),
    ]);
    await untilGot(echo, Buffer.from('first\rlast'));
  });
});

describe('a paste', () => {
  test('is inside brackets when the program asked for them, and keeps its newlines', async () => {
    const echo = await startEcho('\\033[?2004h');
    await panes.paste(echo.pane, 'two\nlines ü🎉');
    await untilGot(echo, Buffer.from('\u001b[200~two\nlines ü🎉\u001b[201~'));
  });

  test('is plain when it did not', async () => {
    const echo = await startEcho('\\033[?2004h\\033[?2004l');
    await panes.paste(echo.pane, 'two\nlines');
    await untilGot(echo, Buffer.from('two\nlines'));
  });

  test('of a megabyte arrives whole', async () => {
    const echo = await startEcho();
    const text = 'ü漢🎉 \'"#{pid}\n'.repeat(60_000);
    await panes.paste(echo.pane, text);
    await untilGot(echo, Buffer.from(text));
  });
});

describe('T4: input is refused', () => {
  const inputs: [what: string, send: (pane: Pane) => Promise<void>][] = [
    ['bytes', (pane) => panes.sendBytes(pane, Buffer.from('x'))],
    ['many bytes', (pane) => panes.sendBytes(pane, allBytes(9000))],
    ['keys', (pane) => panes.sendKeys(pane, ['Enter'])],
    ['a paste', (pane) => panes.paste(pane, 'x')],
  ];

  test.each(inputs)('where the program has ended, and tmux lives on: %s', async (_what, send) => {
    const { pane } = await start('exit 3');
    const survivor = await startEcho();
    await until('the pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
    await expect(send(pane)).rejects.toMatchObject({ code: 'not_running', message: expect.stringContaining(pane.sessionId) });
    await panes.sendBytes(survivor.pane, Buffer.from('alive'));
    await untilGot(survivor, Buffer.from('alive'));
    expect(await sandbox.tmux('list-buffers')).toBe('');
    expect(await readdir(join(sandbox.runDir, 'paste'))).toEqual([]);
  });

  test.each(inputs)('where the pane is gone: %s', async (_what, send) => {
    const { pane } = await start('exec sleep 100');
    await sandbox.tmux('kill-pane', '-t', pane.paneId);
    await expect(send(pane)).rejects.toMatchObject({ code: 'not_running' });
    await until('buffers to be removed', async () => (await sandbox.tmux('list-buffers')) === '');
  });

  test('for a pane that was killed', async () => {
    const { pane } = await start('exec sleep 100');
    await panes.killSession(pane);
    await expect(panes.sendBytes(pane, Buffer.from('x'))).rejects.toMatchObject({ code: 'not_running' });
  });

  test('while a program dies under a stream of pastes, and tmux lives on', async () => {
    const { pane, fifo } = await start('stty raw -echo; printf READY; head -c 40000 >/dev/null');
    await fifo.until('READY');
    const results = await Promise.allSettled(Array.from({ length: 60 }, (_, index) => panes.sendBytes(pane, allBytes(3000, index))));
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    await until('the pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
    await expect(panes.sendBytes(pane, allBytes(3000))).rejects.toMatchObject({ code: 'not_running' });
    await until('buffers to be removed', async () => (await sandbox.tmux('list-buffers')) === '');
  });
});
