import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PaneSnapshot } from '../../../src/daemon/pane-snapshot.js';
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

interface Adopted {
  readonly pane: Pane;
  readonly snapshot: PaneSnapshot;
  readonly fifo: FifoReader;
}

/** Adopts a pane of 20 x 5 whose program has printed `output`, in printf's words, and now copies what it reads. */
async function adopted(output: string): Promise<Adopted> {
  const first = await sandbox.fifo();
  const command = `stty raw -echo; printf '${output}'; printf '\\033]0;ready\\007'; exec cat`;
  const pane = await panes.newSessionPiped(sandbox.spec(command, first, { size: { cols: 20, rows: 5 } }));
  await first.until('ready');
  const fifo = await sandbox.fifo();
  return { pane, snapshot: await panes.adopt(pane, fifo.path), fifo };
}

/** Lines as a person sees them, with the attributes taken out. */
function lines(text: Buffer | undefined): string[] | undefined {
  return text
    ?.toString()
    .replaceAll(/\u001b\[[0-9;:]*m|[\u000e\u000f]/g, '')
    .split('\n')
    .map((line) => line.trimEnd());
}

describe('an adoption tells', () => {
  test('the screen of a pane without history', async () => {
    const { snapshot } = await adopted('one\\r\\n\\033[31mred\\033[0m ü漢🎉\\r\\n');
    expect(lines(snapshot.normal)).toEqual(['one', 'red ü漢🎉', '', '', '']);
    expect(snapshot.normal.toString()).toContain('\u001b[31mred');
    expect(snapshot.alternate).toBeUndefined();
    expect(snapshot).toMatchObject({ cursor: { column: 0, row: 2, visible: true }, size: { cols: 20, rows: 5 }, title: 'ready' });
  });

  test('the history above it, each line once', async () => {
    const { snapshot } = await adopted(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\\r\\n'));
    expect(lines(snapshot.normal)).toEqual(Array.from({ length: 30 }, (_, index) => `line ${index}`));
    expect(snapshot.cursor).toEqual({ column: 7, row: 4, visible: true });
  });

  test.each([0, 1, 2, 3, 4, 5, 6])('a line that was wrapped as one, wherever the screen cuts it (%i lines below)', async (below) => {
    const long = 'abcdefghij'.repeat(7);
    const tail = Array.from({ length: below }, (_, index) => `\\r\\ntail ${index}`).join('');
    const { snapshot } = await adopted(`head\\r\\n\\033[32m${long}\\033[0m${tail}`);
    const shown = lines(snapshot.normal) ?? [];
    expect(shown.slice(0, 2 + below)).toEqual(['head', long, ...Array.from({ length: below }, (_, index) => `tail ${index}`)]);
    expect(shown.slice(2 + below).join('')).toBe('');
  });

  test('colours on both sides of the cut', async () => {
    const { snapshot } = await adopted(Array.from({ length: 8 }, (_, index) => `\\033[4${index}m\\033[1mrow ${index}`).join('\\r\\n'));
    const text = snapshot.normal.toString();
    for (let index = 0; index < 8; index += 1) expect(text).toMatch(new RegExp(`4${index}m[^\\n]*row ${index}`));
    // The screen's part starts from plain attributes, so what the history ended with is ended.
    expect(text).toContain('row 2\u001b[0m\u000f\n');
  });

  test('both screens of a program that uses the alternate one', async () => {
    const before = Array.from({ length: 9 }, (_, index) => `normal ${index}`).join('\\r\\n');
    const { snapshot } = await adopted(`${before}\\033[?1049h\\033[H\\033[2Jfull screen\\033[3;4H`);
    expect(lines(snapshot.alternate)).toEqual(['full screen', '', '', '', '']);
    expect(lines(snapshot.normal)).toEqual(Array.from({ length: 9 }, (_, index) => `normal ${index}`));
    expect(snapshot.cursor).toMatchObject({ column: 3, row: 2 });
  });

  test('the modes in force', async () => {
    const modes = '\\033[4h\\033[?1h\\033=\\033[?6h\\033[?7l\\033[?25l\\033[?1003h\\033[?1006h\\033[2;4r';
    const { snapshot } = await adopted(modes);
    const scrollRegion = { top: 1, bottom: 3 };
    const on = {
      insert: true,
      applicationCursor: true,
      applicationKeypad: true,
      origin: true,
      wrap: false,
      mouse: 'any',
      mouseSgr: true,
      scrollRegion,
      tabs: [8, 16],
    };
    expect(snapshot.modes).toEqual(on);
    expect(snapshot.cursor.visible).toBe(false);
    const { snapshot: plain } = await adopted('');
    const off = {
      insert: false,
      applicationCursor: false,
      applicationKeypad: false,
      origin: false,
      wrap: true,
      mouse: 'off',
      mouseSgr: false,
      tabs: [8, 16],
    };
    expect(plain.modes).toEqual({ ...off, scrollRegion: { top: 0, bottom: 4 } });
  });

  test.each([
    ['1000', 'standard'],
    ['1002', 'button'],
  ])('the mouse mode %s', async (mode, mouse) => {
    const { snapshot } = await adopted(`\\033[?${mode}h`);
    expect(snapshot.modes).toMatchObject({ mouse, mouseSgr: false });
  });

  test('a title with separators in it', async () => {
    const { pane, fifo } = await adopted('');
    await panes.sendBytes(pane, Buffer.from('\u001b]0;a|b c|%H #{pid}\u0007'));
    await fifo.until('pid}');
    const { title } = await panes.adopt(pane, (await sandbox.fifo()).path);
    expect(title).toBe('a|b c|%H #{pid}');
  });

  test('a control-mode transcript on the screen as what it is', async () => {
    const { snapshot } = await adopted('%%begin 1 2 1\\r\\n%%end 1 2 1\\r\\n%%exit');
    expect(lines(snapshot.normal)?.slice(0, 3)).toEqual(['%begin 1 2 1', '%end 1 2 1', '%exit']);
  });
});

/** What the snapshot shows up to the cursor, and then the stream. */
function continued({ normal, cursor, size }: PaneSnapshot, stream: string): string {
  const shown = lines(normal) ?? [];
  const at = shown.length - size.rows + cursor.row;
  // Between a carriage return and its newline the cursor stands before a line that is complete.
  const reached = stream.startsWith('\n') ? undefined : cursor.column;
  return `${[...shown.slice(0, at), shown[at]?.slice(0, reached)].join('\n')}${stream.replaceAll('\r\n', '\n')}`;
}

describe('the pipe of an adoption', () => {
  test('goes on where the snapshot ends, to the byte, while the program floods', async () => {
    const first = await sandbox.fifo();
    const command = 'i=0; while :; do i=$((i+1)); echo "n $i"; done';
    const pane = await panes.newSessionPiped(sandbox.spec(command, first, { size: { cols: 40, rows: 10 } }));
    await first.until('n 50\r\n');
    for (let round = 0; round < 10; round += 1) {
      const fifo = await sandbox.fifo();
      const snapshot = await panes.adopt(pane, fifo.path);
      await until('more output', () => fifo.bytes().length > 2000);
      const numbers = [...continued(snapshot, fifo.text()).matchAll(/^n (\d+)\n/gm)].map((match) => Number(match[1]));
      const start = numbers[0] ?? 0;
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => start + index));
      expect(numbers.length).toBeGreaterThan(200);
      fifo.close();
    }
  });

  test('replaces the one before it', async () => {
    const { pane, fifo } = await adopted('');
    await panes.sendBytes(pane, Buffer.from('one'));
    await fifo.until('one');
    const next = await sandbox.fifo();
    await panes.adopt(pane, next.path);
    await panes.sendBytes(pane, Buffer.from('two'));
    await next.until('two');
    expect(fifo.text()).not.toContain('two');
    expect(next.text()).toBe('two');
    expect(await panes.paneInfo(pane.sessionId)).toMatchObject({ piped: true });
  });

  test('is refused for a pane whose program has ended, or that is gone', async () => {
    const { pane } = await adopted('');
    const fifo = await sandbox.fifo();
    process.kill(pane.pid, 'SIGKILL');
    await until('the pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
    await expect(panes.adopt(pane, fifo.path)).rejects.toMatchObject({ code: 'not_running' });
    await sandbox.tmux('kill-pane', '-t', pane.paneId);
    await expect(panes.adopt(pane, fifo.path)).rejects.toMatchObject({ code: 'not_running' });
  });
});

describe('a capture', () => {
  test('is the screen, with as much history as is asked for, with colours or without', async () => {
    const { pane } = await adopted(Array.from({ length: 12 }, (_, index) => `\\033[31mline ${index}\\033[0m`).join('\\r\\n'));
    const text = async (history: number, ansi: boolean) => (await panes.capturePane(pane, { ansi, history })).toString();
    expect((await text(0, false)).split('\n').map((line) => line.trimEnd())).toEqual(['line 7', 'line 8', 'line 9', 'line 10', 'line 11']);
    expect((await text(3, false)).split('\n')).toHaveLength(8);
    expect((await text(1000, false)).split('\n')).toHaveLength(12);
    expect(await text(0, true)).toContain('\u001b[31mline 7');
  });

  test('still shows what a program that has ended left', async () => {
    const { pane } = await adopted('last words');
    process.kill(pane.pid, 'SIGKILL');
    await until('the pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
    expect((await panes.capturePane(pane, { ansi: false, history: 0 })).toString()).toContain('last words');
  });
});

test('T5: a pane has the size it was given, until it is given another; no terminal that attaches changes it', async () => {
  const { pane, fifo } = await adopted('');
  await panes.resizeWindow(pane, { cols: 100, rows: 30 });
  expect(await panes.paneInfo(pane.sessionId)).toMatchObject({ size: { cols: 100, rows: 30 } });
  await panes.sendBytes(pane, Buffer.from('x'));
  await fifo.until('x');
  expect((await panes.adopt(pane, (await sandbox.fifo()).path)).size).toEqual({ cols: 100, rows: 30 });
  await panes.killSession(pane);
  await expect(panes.resizeWindow(pane, { cols: 80, rows: 24 })).rejects.toMatchObject({ code: 'not_running' });
});
