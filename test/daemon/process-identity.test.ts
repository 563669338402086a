import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bootId, identify, isAlive, ProcessIdentitySchema } from '../../src/daemon/process-identity.js';
import { until } from '../support/until.js';

test('a process is itself for as long as it runs', async () => {
  const child = spawn('sleep', ['100']);
  const identity = await identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('it runs');
  expect(ProcessIdentitySchema.parse(JSON.parse(JSON.stringify(identity)))).toEqual(identity);
  expect(identity).toMatchObject({ pid: child.pid, boot: await bootId() });
  expect(await isAlive(identity)).toBe(true);
  expect(await identify(identity.pid)).toEqual(identity);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await isAlive(identity)).toBe(false);
  expect(await identify(identity.pid)).toBeUndefined();
});

test('another start or another boot is another process', async () => {
  const identity = await identify(process.pid);
  if (identity === undefined) throw new Error('it runs');
  expect(await isAlive(identity)).toBe(true);
  expect(await isAlive({ ...identity, started: '1' })).toBe(false);
  expect(await isAlive({ ...identity, boot: 'other' })).toBe(false);
});

test('a zombie has ended', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 100'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  await until('the child to be a zombie', async () => (await identify(Number(line))) === undefined);
  expect(process.kill(Number(line), 0)).toBe(true);
  parent.kill('SIGKILL');
});

test('a name with blanks and parentheses does not confuse it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'm-'));
  const path = join(directory, 'a) Z (b c');
  await copyFile('/usr/bin/sleep', path);
  const child = spawn(path, ['100']);
  await once(child, 'spawn');
  const plain = await identify(process.pid);
  const identity = await identify(child.pid ?? 0);
  expect(Number(identity?.started)).toBeGreaterThanOrEqual(Number(plain?.started));
  child.kill('SIGKILL');
  await rm(directory, { recursive: true });
});
