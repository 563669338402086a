import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { step } from './step.mjs';

/** What the tests run besides Node: a program that proves it is there, and the Debian package that brings it. */
const TEST_PROGRAMS = [
  { program: 'tmux', debian: 'tmux' },
  { program: 'git', debian: 'git' },
  { program: 'fish', debian: 'fish' },
  { program: 'vim', debian: 'vim' },
  { program: 'htop', debian: 'htop' },
  { program: 'less', debian: 'less' },
  { program: 'mc', debian: 'mc' },
  { program: 'nano', debian: 'nano' },
  { program: 'dialog', debian: 'dialog' },
  { program: 'ps', debian: 'procps' },
  { program: 'flock', debian: 'util-linux' },
  { program: 'script', debian: 'bsdutils' },
  { program: 'infocmp', debian: 'ncurses-bin' },
  { program: 'chromium', debian: 'chromium' },
  { program: 'openssl', debian: 'openssl' },
];

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function missingPrograms() {
  return TEST_PROGRAMS.filter(({ program }) => !isOnPath(program));
}

/** Installs the programs that tests need where it may, and else ends this process with the command that would. */
export async function ensureTestPrograms() {
  const missing = missingPrograms();
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(({ debian }) => debian))];
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    console.error(`The tests need ${missing.map(({ program }) => program).join(', ')}. On Debian or Ubuntu:`);
    console.error(`  sudo apt-get update && sudo apt-get ${install.join(' ')}`);
    process.exit(1);
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await step('Updating package lists', 'apt-get', ['update', '-q'], env);
  await step(`Installing ${packages.join(', ')}`, 'apt-get', install, env);
}
