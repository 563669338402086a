import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { captured } from '../../../src/daemon/panes/pane-capture.js';
import type { Pane } from '../../../src/daemon/panes/panes.js';
import type { TmuxPanes } from '../../../src/daemon/panes/tmux-panes.js';
import { TmuxSandbox } from '../../support/tmux-server.js';

let sandbox: TmuxSandbox;
let panes: TmuxPanes;

beforeEach(async () => {
  sandbox = await TmuxSandbox.create();
  panes = await sandbox.start();
});

afterEach(() => sandbox[Symbol.asyncDispose]());

/** A pane of 80 x 24 that has run `script` and stays. */
async function paneAfter(script: string): Promise<Pane> {
  const fifo = await sandbox.fifo();
  const pane = await panes.newSessionPiped(sandbox.spec(`stty raw -echo; ${script}; printf '\\033]0;ready\\007'; exec cat`, fifo));
  await fifo.until('ready');
  return pane;
}

const KINDS = [
  ['what looks like an escape', String.raw`\\033[31m \\\\ \\n \\$x \\101 \\`],
  ['dollars', String.raw`$ $x $_ \${y} $1 $`],
  ['quotes and formats', `"q" 'q' #{pane_id} #[fg=red] %%H %%end 1 1 1`],
  ['colours, line drawing, other scripts', String.raw`\033[1;38;2;1;2;3mx\033[m \033(0lqk\033(B é 日本 🎉 é`],
] as const;

describe('a capture is what tmux shows, byte for byte', () => {
  test.each(KINDS)('with %s', async (_, text) => {
    const quoted = text.replaceAll("'", "'\\''");
    const pane = await paneAfter(`for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf '${quoted}\\r\\n\\r\\n'; done`);
    const plain = await sandbox.tmux('capture-pane', '-p', '-J', '-e', '-S', '-100', '-t', pane.paneId);
    const shown = await panes.capturePane(pane, { ansi: true, history: 100 });
    expect(`${shown}\n`).toBe(plain);
  });

  test('of an empty screen too', async () => {
    const pane = await paneAfter('true');
    expect((await panes.capturePane(pane, { ansi: true, history: 0 })).toString()).toBe('\n'.repeat(23));
  });
});

test('a capture leaves no paste buffer, also in a pane that is gone', async () => {
  const pane = await paneAfter('echo text');
  await panes.adopt(pane, (await sandbox.fifo()).path);
  await panes.look(pane, 10);
  await panes.capturePane(pane, { ansi: true, history: 0 });
  await sandbox.tmux('kill-pane', '-t', pane.paneId);
  await expect(panes.look(pane, 10)).rejects.toMatchObject({ code: 'not_running' });
  expect(await sandbox.tmux('list-buffers')).toBe('');
});

test('a buffer that tmux shows as it is, as later versions do, is taken as it is', () => {
  const bodies = ['', '\u001b[31m\\033 \\\\\n', '', '\\', ''].map((text) => Buffer.from(text));
  expect(String(captured(bodies, 1))).toBe('\u001b[31m\\033 \\\\');
});

test.runIf(process.platform === 'linux')('captures take no memory of tmux for good', async () => {
  const pane = await paneAfter(`yes "$(printf '${'0123456789'.repeat(7)}\\r')" | head -n 6000`);
  const residentMib = () => {
    const [, pages] = readFileSync(`/proc/${panes.serverIdentity?.pid}/statm`, 'latin1').split(' ');
    return (Number(pages) * 4096) / 2 ** 20;
  };
  await panes.capturePane(pane, { ansi: true, history: 5000 });
  const before = residentMib();
  for (let count = 0; count < 50; count += 1) expect((await panes.look(pane, 5000)).normal.length).toBeGreaterThan(350_000);
  expect(residentMib() - before).toBeLessThan(5);
});
