import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateDirPath, statePaths } from '../../src/cli/state-dir.js';
import { stateDirPath as daemonPath, StateDir } from '../../src/daemon/store/state-dir.js';

function outcome(find: () => string): string {
  try {
    return find();
  } catch {
    return 'refused';
  }
}

test('the command looks where the daemon keeps its state, whatever the environment says', () => {
  const path = fc.constantFrom(undefined, '', '/', '/a', '/a/', '//a//b/', '/a/../b', 'rel', './x', '~', '/é x:y');
  fc.assert(
    fc.property(path, path, path, (MAESTRO_STATE_DIR, XDG_STATE_HOME, home = '') => {
      const env = { MAESTRO_STATE_DIR, XDG_STATE_HOME };
      expect(outcome(() => stateDirPath({ env, home }))).toBe(outcome(() => daemonPath(env, home)));
    }),
  );
});

test('an option comes before all, relative to the working directory', () => {
  expect(stateDirPath({ option: 'x/', env: { MAESTRO_STATE_DIR: '/y' }, home: '/h' })).toBe(resolve('x'));
});

test('the files in it are called as the daemon calls them', () => {
  const [mine, its] = [statePaths('/s'), new StateDir('/s')];
  expect([mine.sessions, mine.trash, mine.fifos, mine.socket, mine.tmuxSocket]).toEqual([
    its.sessions,
    its.trash,
    its.ptyDir,
    its.socket,
    its.tmuxSocket,
  ]);
});
