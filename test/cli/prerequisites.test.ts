import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findGit, findTmux, installCommand, isAtLeast } from '../../src/cli/prerequisites.js';

test.each([
  ['3.2', true],
  ['3.2a', true],
  ['3.10', true],
  ['next-3.7', true],
  ['openbsd-7.4', true],
  ['master', true],
  ['3.1c', false],
  ['2.9a', false],
  ['next-3.1', false],
])('tmux %s is new enough: %s', (version, enough) => {
  expect(isAtLeast(version, '3.2')).toBe(enough);
});

test('the programs of this host are found, with their versions', async () => {
  expect(await findTmux()).toMatchObject({ ok: true, version: expect.stringMatching(/^\D*\d/) });
  expect(await findGit()).toMatchObject({ ok: true, version: expect.stringMatching(/^\d/) });
});

test('the package manager that is there says how to install', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'm-'));
  await writeFile(join(dir, 'pacman'), '');
  expect(installCommand(['tmux'], `/missing::${dir}`)).toBe("install tmux with your system's package manager");
  await chmod(join(dir, 'pacman'), 0o755);
  expect(installCommand(['tmux', 'git'], `/missing::${dir}`)).toBe('sudo pacman -S tmux git');
  await rm(dir, { recursive: true });
});
