import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** What runs, and what it gives to others: to agents, to OpenCode and to browsers. */
const FILES = [
  'package.json',
  'bin',
  'dist/launch',
  'dist/cli/bundle.cjs',
  'dist/daemon/bundle.cjs',
  'dist/cli/hook.cjs',
  'dist/cli/hook/opencode-plugin.js',
  'dist/web',
];

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
  for (const file of FILES) {
    await mkdir(dirname(join(dir, 'maestro', file)), { recursive: true });
    await cp(join(ROOT, file), join(dir, 'maestro', file), { recursive: true });
  }
  env = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    MAESTRO_STATE_DIR: join(dir, 'state'),
    MAESTRO_LISTEN: '127.0.0.1:0',
  };
});
afterEach(async () => {
  await maestro('kill', '--force', 'one').catch(() => undefined);
  await maestro('down').catch(() => undefined);
  await run('tmux', ['-S', join(dir, 'state/run/tmux.sock'), 'kill-server']).catch(() => undefined);
  await rm(dir, { recursive: true, force: true });
});

const maestro = async (...words: string[]): Promise<string> =>
  (await run(process.execPath, [join(dir, 'maestro/bin/maestro.js'), ...words], { env })).stdout;

test('Maestro runs from a directory in which no package is installed: daemon, command and page', async () => {
  await maestro('up', '--detach');
  await maestro('new', '--name', 'one', '--', 'sh', '-c', 'echo hello; exec cat');
  const { listen } = JSON.parse(await maestro('status', '--json')) as { listen: string };
  expect(await maestro('ls')).toContain('one');
  const page = await (await fetch(`http://${listen}/`)).text();
  expect(page).toBe(await readFile(join(ROOT, 'dist/web/index.html'), 'utf8'));
  expect((await fetch(`http://${listen}/licences.md`)).status).toBe(200);
});

test.each(['cli', 'daemon'])('the build has compiled the bundle of the %s, which is plain ASCII', async (layer) => {
  const { compiledBefore, nameOf } = createRequire(import.meta.url)(
    '../../dist/launch/compiled-code.cjs',
  ) as typeof import('../../src/launch/compiled-code.cjs');
  const bundle = await readFile(join(ROOT, 'dist', layer, 'bundle.cjs'), 'utf8');
  expect(bundle).toMatch(/^[\x00-\x7f]*$/);
  expect(compiledBefore(join(ROOT, 'dist', layer), nameOf(bundle) ?? '')?.length).toBeGreaterThan(bundle.length / 10);
});

test('each bundle names the licences of what is in it', async () => {
  const parts = { 'dist/daemon/bundle': 'fastify', 'dist/cli/bundle': 'commander', 'dist/web/licences': 'react-dom' };
  for (const [path, name] of Object.entries(parts)) {
    const file = join(ROOT, path.endsWith('licences') ? `${path}.md` : `${path}.licences.md`);
    expect(await readFile(file, 'utf8')).toMatch(new RegExp(`^## ${name} - .* \\(MIT\\)$`, 'm'));
  }
});
