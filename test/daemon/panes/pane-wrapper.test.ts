import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endMark } from '../../../src/daemon/panes/pane-wrapper.js';
import type { NewPane, Pane, PaneExit, PaneInfo } from '../../../src/daemon/panes/panes.js';
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

interface Started {
  readonly pane: Pane;
  readonly fifo: FifoReader;
  readonly mark: string;
}

async function start(command: string, more: Partial<NewPane> = {}): Promise<Started> {
  const fifo = await sandbox.fifo();
  const spec = sandbox.spec(command, fifo, more);
  return { pane: await panes.newSessionPiped(spec), fifo, mark: endMark(spec.run, spec.sessionId) };
}

function dead({ pane }: Started): Promise<PaneInfo> {
  return until('the pane to be dead', async () => {
    const info = await panes.paneInfo(pane.sessionId);
    return info?.dead === true && info;
  });
}

async function exitOf(command: string): Promise<PaneExit | undefined> {
  return (await dead(await start(command))).exit;
}

const SIGKILL = 9;
const SIGTERM = 15;

describe('L2: an end is told as it was', () => {
  test.each<[command: string, exit: PaneExit]>([
    ['true', { code: 0 }],
    ['exit 3', { code: 3 }],
    ['no-such-program', { code: 127 }],
    ['exit 255', { code: 255 }],
    ['exit 160', { code: 160 }],
    ['kill -9 $$', { signal: SIGKILL }],
    ['kill -s TERM $$', { signal: SIGTERM }],
    ['sh -c "kill -s SEGV \\$\\$"', { signal: 11 }],
    ['exit 143', { signal: SIGTERM }],
    ['exit 129', { signal: 1 }],
  ])('%s', async (command, exit) => {
    expect(await exitOf(command)).toEqual(exit);
  });

  test('a status that would be a signal which stops, or does nothing, stays a status', async () => {
    const names = ['STOP', 'TSTP', 'TTIN', 'TTOU', 'CONT', 'CHLD', 'URG', 'WINCH'];
    const started = await Promise.all(names.map((name) => start(`exit $((128 + $(/usr/bin/env kill -l ${name})))`)));
    for (const one of started) expect((await dead(one)).exit).toEqual({ code: expect.any(Number) });
  });

  test('of a program that was killed, without a word of the shell', async () => {
    const started = await start('echo working >&2; kill -9 $$');
    expect((await dead(started)).exit).toEqual({ signal: SIGKILL });
    expect((await started.fifo.until(started.mark)).startsWith(`working\r\n${started.mark}`)).toBe(true);
  });

  test('Ctrl-C ends a program that does not handle it by SIGINT', async () => {
    const started = await start('echo ready; exec sleep 100');
    await started.fifo.until('ready');
    await panes.sendBytes(started.pane, Buffer.from('\u0003'));
    expect((await dead(started)).exit).toEqual({ signal: 2 });
  });

  test('Ctrl-C is for a program that handles it to answer', async () => {
    const started = await start("trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.02; done");
    await started.fifo.until('ready');
    await panes.sendBytes(started.pane, Buffer.from('\u0003'));
    expect((await dead(started)).exit).toEqual({ code: 7 });
    expect(started.fifo.text()).toContain('caught');
  });
});

describe('the end mark', () => {
  test('comes behind the last byte of the program', async () => {
    const started = await start('printf "last words"; exit 3', { run: 42 });
    expect((await started.fifo.until(started.mark)).startsWith(`last words${started.mark}`)).toBe(true);
    expect(started.mark).toBe(`\u001b]7750;maestro-end;42;${started.pane.sessionId}\u0007`);
  });

  test('shows nothing on the screen', async () => {
    const started = await start('printf "last words"');
    await dead(started);
    const screen = await panes.capturePane(started.pane, { ansi: false, history: 0 });
    expect(screen.toString().trim()).toBe('last words');
  });

  test('does not keep a program from ending whose terminal was stopped with Ctrl-S', async () => {
    const started = await start('echo ready; read -r line; exit 5');
    await started.fifo.until('ready');
    await panes.sendBytes(started.pane, Buffer.from('\u0013go\r'));
    expect((await dead(started)).exit).toEqual({ code: 5 });
    expect(started.fifo.text()).toContain(started.mark);
  });

  test('does not wait for an answer that was typed before, or that another process took', async () => {
    const typed = await start('echo ready; sleep 0.2; exit 5');
    await typed.fifo.until('ready');
    await panes.sendBytes(typed.pane, Buffer.from('typed\n\r\u0004 ahead'));
    expect((await dead(typed)).exit).toEqual({ code: 5 });
    const taken = await start('cat <&0 >/dev/null & cat <&0 >/dev/null & exit 6');
    expect((await dead(taken)).exit).toEqual({ code: 6 });
    expect(taken.fifo.text()).toContain(taken.mark);
  });

  test('is written on a terminal that stops background output', async () => {
    const started = await start('stty tostop; exit 4');
    await started.fifo.until(started.mark);
    expect((await dead(started)).exit).toEqual({ code: 4 });
  });

  test('is written when a shell with job control was killed in the foreground', async () => {
    const started = await start('bash --norc --noprofile -i -c "stty tostop; set -m; sleep 100"');
    await until(
      'the job to run',
      async () => (await sandbox.tmux('display', '-p', '-t', started.pane.paneId, '#{pane_current_command}')).trim() === 'sleep',
    );
    const group = Number((await readFile(`/proc/${started.pane.pid}/stat`, 'latin1')).split(' ')[7]);
    process.kill(-group, 'SIGKILL');
    await dead(started);
    expect(started.fifo.text()).toContain(started.mark);
  });
});

describe('C1: no byte is lost', () => {
  test('the first byte of a program is in the stream, always', async () => {
    const started = await Promise.all(Array.from({ length: 20 }, (_, index) => start(`printf 'first ${index}'`)));
    for (const [index, { fifo, mark }] of started.entries())
      expect((await fifo.until(mark)).startsWith(`first ${index}${mark}`)).toBe(true);
  });

  test('the last bytes of programs that exit at once are, on busy cores', async () => {
    const last = '20000\r\n';
    for (let round = 0; round < 15; round += 1) {
      const started = await Promise.all(Array.from({ length: 10 }, () => start('seq 1 20000; exit 3')));
      for (const one of started) {
        expect((await dead(one)).exit).toEqual({ code: 3 });
        await one.fifo.until(one.mark);
        expect(one.fifo.text()).toContain(last + one.mark);
        const screen = await panes.capturePane(one.pane, { ansi: false, history: 0 });
        expect(screen.toString().trimEnd().endsWith('20000')).toBe(true);
        await panes.killSession(one.pane);
        one.fifo.close();
      }
    }
  });
});

describe('the program', () => {
  test('finds the signals that the wrapper handles at their defaults', async () => {
    const { fifo, mark } = await start('exec cat /proc/self/status');
    const status = await fifo.until(mark);
    const handled = [1, 2, 3, SIGTERM].reduce((mask, signal) => mask | (1n << BigInt(signal - 1)), 0n);
    for (const field of ['SigBlk', 'SigIgn', 'SigCgt']) {
      const mask = new RegExp(`^${field}:\\s+([0-9a-f]+)`, 'm').exec(status)?.[1] ?? 'f';
      expect(BigInt(`0x${mask}`) & handled).toBe(0n);
    }
  });

  test('has the limits that the wrapper has', async () => {
    const started = await start('cat /proc/self/limits');
    const limits = await readFile(`/proc/${started.pane.pid}/limits`, 'utf8');
    const printed = (await started.fifo.until(started.mark)).replaceAll('\r\n', '\n');
    expect(printed.startsWith(limits + started.mark)).toBe(true);
  });

  test('is not stopped by Ctrl-Z, as nobody could continue it', async () => {
    const started = await start('echo ready; read -r line; echo "got $line"; exit 6');
    await started.fifo.until('ready');
    await panes.sendBytes(started.pane, Buffer.from('\u001ayes\r'));
    await started.fifo.until('got yes');
    expect((await dead(started)).exit).toEqual({ code: 6 });
  });

  test('is told by SIGHUP that its terminal is gone', async () => {
    const { fifo } = await start("trap 'echo hup >told; exit' HUP; echo ready; while :; do sleep 0.02; done");
    await fifo.until('ready');
    process.kill(panes.serverIdentity?.pid ?? 0, 'SIGKILL');
    await until('the program to be told', async () => (await readFile(join(sandbox.home, 'told'), 'utf8').catch(() => '')) === 'hup\n');
  });

  test('C2: that cannot start because its directory went away says so and ends with 126', async () => {
    const started = await start('echo never', { cwd: join(sandbox.home, 'gone') });
    expect((await dead(started)).exit).toEqual({ code: 126 });
    const text = started.fifo.text().replaceAll('\r\n', '');
    expect(text).toContain(`maestro: the directory ${sandbox.home}/gone cannot be entered${started.mark}`);
  });
});

describe('a set-up before the program', () => {
  const done = () => join(sandbox.root, 'set-up-done');

  test('runs in the same terminal, then the program takes its place, with the environment it would have had', async () => {
    const plain = await start('env | sort; echo end-of-env', { env: { status: 'mine', PATH: process.env.PATH ?? '' } });
    const setup = { script: 'echo preparing', done: done() };
    const prepared = await start('env | sort; echo end-of-env', { setup, env: { status: 'mine', PATH: process.env.PATH ?? '' } });
    const environment = async ({ fifo }: Started) => {
      const text = await until('the environment', () => fifo.text().includes('end-of-env') && fifo.text());
      return text.split('\n').filter((line) => /^\w+=/.test(line) && !/^(?:TMUX_PANE|TMUX|_)=/.test(line));
    };
    expect(await environment(prepared)).toEqual(await environment(plain));
    expect(prepared.fifo.text()).toMatch(/setting up[\s\S]*preparing[\s\S]*set-up is done/);
    expect(await readFile(done(), 'utf8')).toBe('');
  });

  test('that fails is the end, with its status and no mark; that is marked is not run', async () => {
    const failed = await start('echo begun', { setup: { script: 'exit 7', done: done() } });
    expect((await dead(failed)).exit).toEqual({ code: 7 });
    expect(failed.fifo.text()).not.toContain('begun');
    await writeFile(done(), '');
    expect((await dead(await start('exit 4', { setup: { script: 'exit 7', done: done() } }))).exit).toEqual({ code: 4 });
  });

  test('that is interrupted counts as failed', async () => {
    const started = await start('echo started', { setup: { script: 'echo up; sleep 1000', done: done() } });
    await until('the set-up to run', () => started.fifo.text().includes('up\r\n'));
    await panes.sendKeys(started.pane, ['C-c']);
    expect((await dead(started)).exit).not.toEqual({ code: 0 });
    expect(started.fifo.text()).not.toContain('started');
  });
});
