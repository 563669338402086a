import { expect, test } from 'vitest';
import { parsePs } from '../../../src/daemon/panes/ps-processes.js';

const ID = '0b9b54ab-3b7c-4d6e-9f47-0c8b7f0b8a11';

/** As macOS prints it: a terminal without its `tty`, the start in 24 characters, line ends in arguments made visible. */
const FIELDS = `    1     0     0 ??       Ss   Mon Nov 30 09:12:44 2026     /sbin/launchd
  501     1   501 ??       Ss   Mon Nov 30 09:13:01 2026     tmux
  600   501   501 s003     Ss+  Tue Dec  1 10:00:00 2026     /bin/sh
  601   600   501 s003     S+   Tue Dec  1 10:00:01 2026     /opt/my tools/node
  602   600   501 s003     T    Tue Dec  1 10:00:02 2026     sleep
  603   600   501 s003-    Z    Tue Dec  1 10:00:02 2026     (sleep)
  604     1   501 ??       S    Tue Dec  1 10:00:03 2026     node
  605     1     0 ??       S    Tue Dec  1 10:00:03 2026     node
  606     1   501 ??       S    Tue Dec  1 10:00:03 2026     grep
`;

const PLAIN = `    1 /sbin/launchd
  501 tmux -S /s
  600 /bin/sh -c x
  601 node agent.js
  602 sleep 60
  604 node a\\012b
  605 node
  606 grep MAESTRO_SESSION_ID=${ID}
  607 came later
`;

const FULL = `    1 /sbin/launchd
  501 tmux -S /s PATH=/bin
  600 /bin/sh -c x
  601 node agent.js PATH=/bin MAESTRO_SESSION_ID=${ID} TERM=x
  602 sleep 60 X_MAESTRO_SESSION_ID=${ID}
  604 node a\\012b MAESTRO_SESSION_ID=${ID}
  605 node MAESTRO_SESSION_ID=${ID}
  606 grep MAESTRO_SESSION_ID=${ID} PATH=/bin
`;

test('what ps of macOS prints is read, and an id only from an own process’s environment', () => {
  const entries = parsePs({ fields: FIELDS, plain: PLAIN, full: FULL, uid: 501 });
  const table = entries.map(({ pid, parent, name, session, leads, stopped, tag }) => [pid, parent, name, session, leads, stopped, tag]);
  expect(table).toEqual([
    [1, 0, 'launchd', undefined, true, false, undefined],
    [501, 1, 'tmux', undefined, true, false, undefined],
    [600, 501, 'sh', 's003', true, false, undefined],
    [601, 600, 'node', 's003', false, false, ID],
    [602, 600, 'sleep', 's003', false, true, undefined],
    [604, 1, 'node', undefined, false, false, ID],
    [605, 1, 'node', undefined, false, false, undefined],
    [606, 1, 'grep', undefined, false, false, undefined],
  ]);
  expect(entries[2]?.startedAt).toBe('Tue Dec  1 10:00:00 2026');
});

test('an empty answer is an empty list', () => {
  expect(parsePs({ fields: '', plain: '', full: '', uid: 0 })).toEqual([]);
});
