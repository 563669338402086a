import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parsePanes } from '../../../src/daemon/panes/pane-list.js';
import type { NewPane, Pane, PaneExit } from '../../../src/daemon/panes/panes.js';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { TmuxSandbox } from '../../support/tmux-server.js';
import { until } from '../../support/until.js';

let sandbox: TmuxSandbox;
let panes: TmuxPanes;

beforeEach(async () => {
  sandbox = await TmuxSandbox.create();
  panes = await sandbox.start();
});

afterEach(() => sandbox[Symbol.asyncDispose]());

async function start(command = 'exec sleep 100', more: Partial<NewPane> = {}): Promise<Pane> {
  return panes.newSessionPiped(sandbox.spec(command, await sandbox.fifo(), more));
}

describe('a list of the sessions', () => {
  test('tells of each its pane, size, run and whether its output is piped; the control session is not in it', async () => {
    expect(await panes.listSessions()).toEqual([]);
    const pane = await start(undefined, { run: 7, size: { cols: 132, rows: 43 } });
    const info = { ...pane, size: { cols: 132, rows: 43 }, marked: true, run: 7, dead: false, piped: true, printedAt: expect.any(Number) };
    expect(await panes.listSessions()).toEqual([info]);
    expect(await panes.paneInfo(pane.sessionId)).toEqual(info);
    await sandbox.tmux('pipe-pane', '-t', pane.paneId);
    expect(await panes.paneInfo(pane.sessionId)).toMatchObject({ piped: false });
    expect(await panes.paneInfo(randomUUID())).toBeUndefined();
  });

  test('tells how and when a program ended', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const [code, signal] = await Promise.all([start('exit 3'), start('kill -9 $$')]);
    await until('both to be dead', async () => (await panes.listSessions()).every(({ dead }) => dead));
    expect(await panes.paneInfo(code.sessionId)).toMatchObject({ dead: true, exit: { code: 3 } });
    const info = await panes.paneInfo(signal.sessionId);
    expect(info).toMatchObject({ dead: true, exit: { signal: 9 } });
    expect(info?.deadAt).toBeGreaterThanOrEqual(before);
    expect(info?.deadAt).toBeLessThanOrEqual(Date.now());
  });

  test('L1: shows what people made as not marked, whatever they called it', async () => {
    const pane = await start();
    const names = ['mine', 'a|b|c', 'x'.repeat(50), '漢 字', randomUUID()];
    for (const name of names) await sandbox.tmux('new-session', '-d', '-s', name, 'sleep 100');
    const listed = await panes.listSessions();
    expect(new Set(listed.map(({ sessionId, marked }) => `${sessionId} ${marked}`))).toEqual(
      new Set([`${pane.sessionId} true`, ...names.map((name) => `${name} false`)]),
    );
  });

  test('L1: takes no marker that is no session id', async () => {
    await sandbox.tmux('new-session', '-d', '-s', 'mine', 'sleep 100');
    await sandbox.tmux('set-option', '-t', '=mine:', '@maestro_id', '../x|y');
    expect((await panes.listSessions()).map(({ marked }) => marked)).toEqual([false]);
  });

  test('keeps to the pane of the program, wherever people split, move and rename', async () => {
    const pane = await start();
    await sandbox.tmux('split-window', '-b', '-t', pane.paneId, 'sleep 100');
    await sandbox.tmux('swap-pane', '-U', '-t', pane.paneId);
    await sandbox.tmux('new-window', '-t', `=${pane.sessionId}:`, 'sleep 100');
    await sandbox.tmux('rename-session', '-t', `=${pane.sessionId}`, 'renamed');
    expect(await panes.listSessions()).toMatchObject([{ ...pane, marked: true }]);
    expect(await panes.record(pane)).toBe('{}');
    await panes.killSession(pane);
    expect(await panes.listSessions()).toEqual([]);
  });

  test('shows a session that people grouped with one of ours beside it, not in its place', async () => {
    const pane = await start();
    await sandbox.tmux('new-session', '-d', '-t', `=${pane.sessionId}`, '-s', 'grouped');
    const listed = await panes.listSessions();
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(expect.objectContaining({ ...pane, marked: true }));
    expect(listed).toContainEqual(expect.objectContaining({ sessionId: 'grouped', marked: false }));
    await panes.killSession(pane);
    expect(await panes.listSessions()).toEqual([]);
  });

  test('has a session once although two panes carry its id', () => {
    const id = randomUUID();
    const row = (pane: number, dead: 0 | 1) => `%${pane}|${pane}0|${dead}|||||80|24|1|0|$${pane}|1|%${pane}|${id}|name`;
    const listed = (...rows: string[]) => parsePanes(Buffer.from(rows.join('\n'))).map(({ paneId }) => paneId);
    expect(listed(row(1, 0), row(2, 1))).toEqual(['%1']);
    expect(listed(row(1, 1), row(2, 0))).toEqual(['%2']);
    expect(listed(row(10, 0), row(9, 0))).toEqual(['%10']);
    expect(listed('', 'garbage')).toEqual([]);
  });
});

describe('a kill', () => {
  test('takes the session out of tmux, however often it is asked for, and no other', async () => {
    const [pane, other] = await Promise.all([start(), start()]);
    await Promise.all([panes.killSession(pane), panes.killSession(pane)]);
    await panes.killSession(pane);
    expect(await panes.listSessions()).toMatchObject([other]);
  });

  test('works for a pane whose program has ended, and for what people made', async () => {
    const pane = await start('exit 3');
    await until('the pane to be dead', async () => (await panes.paneInfo(pane.sessionId))?.dead);
    await sandbox.tmux('new-session', '-d', '-s', 'mine', 'sleep 100');
    for (const info of await panes.listSessions()) await panes.killSession(info);
    expect(await panes.listSessions()).toEqual([]);
  });

  test('by a pane that was listed before another daemon ended it does nothing', async () => {
    const pane = await start();
    await sandbox.tmux('kill-session', '-t', `=${pane.sessionId}`);
    await panes.killSession(pane);
    await expect(panes.setRecord(pane, '{}')).rejects.toMatchObject({ code: 'not_running' });
  });
});

test('L2: whoever sees a pane dead is told its status, however many end around it', async () => {
  for (let round = 0; round < 6; round += 1) {
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => start(`sleep 0.0${index % 10}; exit ${index + 1}`)));
    const expected = new Map(made.map(({ sessionId }, index) => [sessionId, { code: index + 1 }]));
    const seen: [PaneExit | undefined, PaneExit | undefined][] = [];
    await until('all to be dead', async () => {
      const dead = (await panes.listSessions()).filter((info) => info.dead);
      seen.push(...dead.map(({ sessionId, exit }): [PaneExit | undefined, PaneExit | undefined] => [exit, expected.get(sessionId)]));
      return dead.length === made.length;
    });
    for (const [exit, meant] of seen) expect(exit).toEqual(meant);
    await Promise.all(made.map((pane) => panes.killSession(pane)));
  }
});
