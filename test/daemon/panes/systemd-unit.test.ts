import { expect, test } from 'vitest';
import { unitIn } from '../../../src/daemon/panes/systemd-unit.js';

test.each([
  ['a service of the system', '0::/system.slice/maestro.service\n', { name: 'maestro.service', isUsers: false }],
  [
    'a service of a user',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/maestro.service\n',
    { name: 'maestro.service', isUsers: true },
  ],
  ['a group below a service', '0::/system.slice/docker.service/payload/x\n', { name: 'docker.service', isUsers: false }],
  ['a login', '0::/user.slice/user-0.slice/session-3.scope\n', { name: 'session-3.scope', isUsers: false }],
  [
    'a terminal of a desktop',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1f.scope\n',
    { name: 'vte-spawn-1f.scope', isUsers: true },
  ],
  ['the user’s own manager', '0::/user.slice/user-1000.slice/user@1000.service\n', { name: 'user@1000.service', isUsers: false }],
  ['the older hierarchy', '4:memory:/x\n1:name=systemd:/system.slice/a.service\n0::/\n', { name: 'a.service', isUsers: false }],
  ['both hierarchies', '1:name=systemd:/\n0::/system.slice/a.service\n', { name: 'a.service', isUsers: false }],
  ['a container', '0::/\n', undefined],
  ['another controller', '4:memory:/system.slice/a.service\n', undefined],
  ['a slice alone', '0::/user.slice/.service\n', undefined],
  ['no such system', '', undefined],
])('the unit of %s', (_what, cgroups, unit) => {
  expect(unitIn(cgroups)).toEqual(unit);
});
