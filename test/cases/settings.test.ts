import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';

/** What people have in their tmux.conf, as far as it could reach sessions that are not theirs. */
const SETTINGS = `
set -g destroy-unattached on
set -g remain-on-exit off
set -gw remain-on-exit off
set -g default-command "exit 1"
set -g default-shell /bin/false
set -g base-index 7
set -gw pane-base-index 7
set -gw window-size largest
set -gw aggressive-resize on
set -g default-size 20x5
set -g history-limit 1
set -g update-environment FOO
set -g prefix C-a
set -g mouse on
set -g status on
set -gw automatic-rename on
set -g set-titles on
set -s exit-empty on
`;

test("a user's tmux.conf that a program loads into the server it finds itself in harms neither its session nor another one", async () => {
  await using host = await TestHost.started();
  const conf = join(host.dir, 'tmux.conf');
  await writeFile(conf, SETTINGS);
  const other = await host.create({ command: 'exec cat' });
  const ends = await host.create({ command: 'read -r _; exit 4' });
  const loads = await host.create({ command: `tmux source-file '${conf}'; echo loaded; exec cat` });
  await host.shows(loads.id, 'loaded');
  const late = await host.create({ command: 'seq 1 100; echo late; exec cat' });
  await host.shows(late.id, 'late');
  await host.call('POST', `/api/sessions/${ends.id}/input`, { text: 'go', submit: true });
  expect((await host.reaches(ends.id, 'dead')).exit).toMatchObject({ code: 4, reason: 'exited' });
  const quick = await host.create({ command: 'exit 3' });
  expect((await host.reaches(quick.id, 'dead')).exit).toMatchObject({ code: 3, reason: 'exited' });
  for (const { id, size } of [other, loads, late]) {
    expect((await host.call('POST', `/api/sessions/${id}/input`, { text: 'typed', submit: true })).status).toBe(200);
    await host.shows(id, 'typed\ntyped');
    expect((await host.session(id)).size).toEqual(size);
  }
  await host.restart('SIGKILL');
  const statuses = new Map((await host.sessions()).map(({ id, status }) => [id, status]));
  expect([other, loads, late].map(({ id }) => statuses.get(id))).toEqual(['running', 'running', 'running']);
  expect((await host.kill(other.id)).status).toBe(200);
  expect(await host.panes()).toHaveLength(2);
});
