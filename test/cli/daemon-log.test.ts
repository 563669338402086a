import { appendFile, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogFollower, lastLogLines, openDaemonLog } from '../../src/cli/daemon-log.js';
import { logLineText } from '../../src/cli/log-line.js';
import { until } from '../support/until.js';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'm-'));
  path = join(dir, 'daemon.log');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('the file', () => {
  test('is private from birth and appended to', async () => {
    await writeFile(path, 'old\n', { mode: 0o600 });
    const file = await openDaemonLog(path);
    await file.write('new\n');
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('old\nnew\n');
    await rm(path);
    await (await openDaemonLog(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('is set aside once it has grown long', async () => {
    await writeFile(path, 'x'.repeat(11));
    await (await openDaemonLog(path, 10)).close();
    expect([(await stat(path)).size, (await stat(`${path}.1`)).size]).toEqual([0, 11]);
    await (await openDaemonLog(path, 10)).close();
    expect((await stat(`${path}.1`)).size).toBe(11);
  });

  test('is never somebody else’s file behind a link', async () => {
    await writeFile(join(dir, 'victim'), '');
    await symlink('victim', path);
    await expect(openDaemonLog(path)).rejects.toMatchObject({ code: 'ELOOP' });
  });

  test('tells its last lines', async () => {
    await writeFile(path, 'before\na\nb\n\nc\n');
    expect(await lastLogLines(path, 7, 2)).toEqual(['b', 'c']);
    expect(await lastLogLines(join(dir, 'missing'), 0)).toEqual([]);
  });
});

test('a follower hands on every line from its offset, once, also the last ones', async () => {
  await writeFile(path, 'before\nfirst\nsec');
  const lines: string[] = [];
  const follower = await LogFollower.start(path, { offset: 7, onLine: (line) => lines.push(line) });
  await until('the first line', () => lines.length === 1);
  await appendFile(path, 'ond é');
  await appendFile(path, '\nthird\n');
  await until('the others', () => lines.length === 3);
  await appendFile(path, 'last\n');
  await follower.stop();
  await follower.stop();
  expect(lines).toEqual(['first', 'second é', 'third', 'last']);
});

describe('a line', () => {
  const plain = (_style: string, text: string) => text;

  test('shows its time, level, message and fields', () => {
    const line = JSON.stringify({ level: 40, time: '2026-01-02T03:04:05.000Z', msg: 'slow', session: 'x y', ms: 12, more: { a: 1 } });
    expect(logLineText(line, plain)).toMatch(/^\d\d:\d\d:\d\d warn {2}slow {2}session=x y ms=12 more=\{"a":1\}$/);
  });

  test('is safe for a terminal', () => {
    const line = JSON.stringify({ level: 30, time: 0, msg: '\x1b[2J', name: '\u009b2J\n' });
    expect(logLineText(line, plain)).not.toMatch(/\p{Cc}/u);
    expect(logLineText('no json \x1b[2J', plain)).toBe('no json \\x1b[2J');
    expect(logLineText('{"level":30}', plain)).toBe('info  ');
    expect(logLineText('null', plain)).toBe('null');
  });
});
