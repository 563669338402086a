import { existsSync } from 'node:fs';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { until } from '../support/until.js';

let host: TestHost;
afterEach(() => host[Symbol.asyncDispose]());

const file = (id: string) => join(host.state, 'scrollback', `${id}.bin`);
const text = async (id: string) => (await host.scrollback(id)).toString();
const count = (haystack: string, needle: string) => haystack.split(needle).length - 1;

/** The host goes down with no exit path run: everything at once, the daemon first so that it writes nothing more. */
async function reboot(): Promise<void> {
  await host.end('SIGKILL');
  await host.killTmux();
  await until('every program to be gone', () => {
    for (const pid of host.processes()) process.kill(pid, 'SIGKILL');
    return host.processes().length === 0;
  });
  await host.start();
}

async function flushed(id: string, words: string): Promise<void> {
  await until(`${words} to be on disk`, async () => existsSync(file(id)) && (await readFile(file(id))).includes(words));
}

const quick = { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '100ms' };

test('S1: a resumed session opens on what it printed before, also after the second and the third reboot', async () => {
  host = await TestHost.started({ env: quick });
  const { id } = await host.create({ command: 'echo "life-$MAESTRO_RUN"; exec sleep 1000' });
  for (const life of [1, 2, 3]) {
    await flushed(id, `life-${life}`);
    await reboot();
    expect(await host.session(id)).toMatchObject({ status: 'dormant', exit: { reason: 'lost' } });
    expect((await host.resume(id)).status).toBe(200);
    await host.shows(id, `life-${life + 1}`);
  }
  const words = await until('all four lives', async () => {
    const all = await text(id);
    return all.includes('life-4') ? all : undefined;
  });
  expect([1, 2, 3, 4].map((life) => count(words, `life-${life}`))).toEqual([1, 1, 1, 1]);
  expect(words.indexOf('life-1')).toBeLessThan(words.indexOf('life-4'));
});

test("S2: an adopted session replays former lives, then this one's history and screen, each line once, however often", async () => {
  host = await TestHost.started({ env: quick });
  const { id } = await host.create({
    command: '[ "$MAESTRO_RUN" = 1 ] && { seq -f "old-%05g" 1 500; exit 0; }; seq -f "new-%05g" 1 3000; exec cat',
  });
  await host.reaches(id, 'dead');
  await host.resume(id);
  await host.shows(id, 'new-03000');
  for (let restart = 0; restart < 3; restart += 1) await host.restart();
  await host.call('POST', `/api/sessions/${id}/input`, { text: 'after-all', submit: true });
  await host.shows(id, 'after-all');
  const words = await text(id);
  const lines = words.split(/\r?\n/).map((line) => line.replace(/\u001b\[[0-9;?]*[A-Za-z]|\u000f/g, '').trimEnd());
  for (const [prefix, last] of [
    ['old', 500],
    ['new', 3000],
  ] as const) {
    const seen = lines.filter((line) => line.startsWith(`${prefix}-`));
    expect(seen).toEqual(Array.from({ length: last }, (_, n) => `${prefix}-${String(n + 1).padStart(5, '0')}`));
  }
});

test('S2: a daemon that is killed after a resume and before its first flush mistakes no life for another', async () => {
  host = await TestHost.started({ env: { MAESTRO_SCROLLBACK_FLUSH_INTERVAL: '1h' } });
  const { id } = await host.create({ command: 'echo "life-$MAESTRO_RUN"; [ "$MAESTRO_RUN" = 1 ] || exec sleep 1000' });
  await host.reaches(id, 'dead');
  await host.resume(id);
  await host.shows(id, 'life-2');
  await host.restart('SIGKILL');
  const words = await text(id);
  expect([1, 2].map((life) => count(words, `life-${life}`))).toEqual([1, 1]);
});

test('S4: nothing is written while nothing is printed, and the last words of a program are on disk when it is seen dead', async () => {
  host = await TestHost.started({ env: quick });
  const quiet = await host.create({ command: 'echo quiet; exec sleep 1000' });
  await flushed(quiet.id, 'quiet');
  const before = (await stat(file(quiet.id))).mtimeMs;
  const loud = await host.create({ command: "sh -c 'echo last-words'" });
  await host.reaches(loud.id, 'dead');
  expect((await readFile(file(loud.id))).toString('latin1')).toContain('last-words');
  await flushed((await host.create({ command: 'echo later; exec sleep 1000' })).id, 'later');
  expect((await stat(file(quiet.id))).mtimeMs).toBe(before);
});

test('S5: a file stays within 256 bytes, header included, when that is the budget, and holds the newest output', async () => {
  host = await TestHost.started({ env: { ...quick, MAESTRO_PTY_REPLAY_BYTES: '256' } });
  const { id } = await host.create({ command: 'seq 1 500; exit 1' });
  await host.reaches(id, 'dead');
  expect((await stat(file(id))).size).toBeLessThanOrEqual(256);
  expect(await text(id)).toMatch(/499\r\n500\r\n/);
  await host.resume(id);
  await host.reaches(id, 'dormant');
  expect((await stat(file(id))).size).toBeLessThanOrEqual(256);
  await host.kill(id);
  expect(existsSync(file(id))).toBe(false);
});

test('S3: bytes of former lives go once a full budget of new output is there', async () => {
  host = await TestHost.started({ env: { ...quick, MAESTRO_PTY_REPLAY_BYTES: '4096' } });
  const { id } = await host.create({
    command: '[ "$MAESTRO_RUN" = 1 ] && { echo FORMER; exit 0; }; echo NOW; read go; seq 1 3000; exec sleep 1000',
  });
  await host.reaches(id, 'dead');
  await host.resume(id);
  await host.shows(id, 'NOW');
  expect(await text(id)).toMatch(/FORMER[\s\S]*NOW/);
  await host.call('POST', `/api/sessions/${id}/input`, { keys: ['Enter'] });
  await host.shows(id, '3000');
  const words = await until('the new output', async () => {
    const all = await text(id);
    return all.includes('3000') ? all : undefined;
  });
  expect(words).not.toContain('FORMER');
});

describe('S6', () => {
  test.each([
    ['missing', (path: string) => rm(path)],
    ['empty', (path: string) => truncate(path, 0)],
    ['torn', (path: string) => truncate(path, 20)],
    ['garbage', (path: string) => writeFile(path, 'garbage'.repeat(100))],
    ['all NUL', async (path: string) => writeFile(path, Buffer.alloc((await stat(path)).size))],
  ])('a scrollback that is %s means an empty pane, not a failed resume', async (_what, damage) => {
    host = await TestHost.started({ env: quick });
    const { id } = await host.create({ command: 'echo "life-$MAESTRO_RUN"; [ "$MAESTRO_RUN" = 1 ] || exec sleep 1000' });
    await host.reaches(id, 'dead');
    await host.end();
    await damage(file(id));
    await host.start();
    expect(await text(id)).toBe('');
    expect((await host.resume(id)).status).toBe(200);
    await host.shows(id, 'life-2');
  });

  test('a budget that was lowered keeps the clean tail', async () => {
    host = await TestHost.started({ env: quick });
    const { id } = await host.create({
      command: '[ "$MAESTRO_RUN" = 1 ] && { seq -f "\u001b[31mline-%05g é\u001b[0m" 1 2000; exit 0; }; exec sleep 1000',
    });
    await host.reaches(id, 'dead');
    await host.end();
    await host.start({ env: { MAESTRO_PTY_REPLAY_BYTES: '1024' } });
    await host.resume(id);
    const words = await text(id);
    expect(words.length).toBeLessThanOrEqual(1024);
    expect(words).toContain('line-02000');
    expect(words).not.toContain('\ufffd');
  });
});

test("S7: the modes of a program that died are left behind before the next one's output", async () => {
  host = await TestHost.started({ env: quick });
  const modes = '\\033[?1049h\\033[?1000h\\033[?1006h\\033[?25l\\033[?2004h\\033[?1h';
  const { id } = await host.create({
    command: `[ "$MAESTRO_RUN" = 1 ] && { printf '${modes}in-alt'; exec sleep 1000; }; printf CLEAN; exec sleep 1000`,
  });
  await flushed(id, 'in-alt');
  await reboot();
  await host.resume(id);
  await host.shows(id, 'CLEAN');
  const words = await until('the new output', async () => {
    const all = await text(id);
    return all.includes('CLEAN') ? all : undefined;
  });
  const between = words.slice(words.indexOf('in-alt'), words.indexOf('CLEAN'));
  for (const off of ['?1049l', '?1000l', '?1006l', '?25h', '?2004l', '?1l']) expect(between).toContain(`\u001b[${off}`);
});

describe('a tail of what is stored', () => {
  const red = 'i=0; while [ $i -lt 400 ]; do i=$((i+1)); printf "\\033[31mred-%04d-\xe6\xbc\xa2\\033[m\\r\\n" $i; done';

  test.each([
    ['running', `${red}; exec sleep 1000`],
    ['dead', red],
  ] as const)('of a %s session is its newest bytes, whole to both ends', async (status, command) => {
    host = await TestHost.started();
    const { id } = await host.create({ command });
    await host.reads(id, 'red-0400');
    await host.reaches(id, status);
    const all = await host.scrollback(id);
    for (const tail of [100, 1000, 1001, 1002, 4096]) {
      const cut = await host.scrollback(id, `?tail=${tail}`);
      expect(cut.length).toBeLessThanOrEqual(tail);
      expect(cut.length).toBeGreaterThan(tail / 2);
      expect(cut.toString()).not.toContain('\ufffd');
      // Ahead of what was cut there may be what brings a terminal into red.
      expect(all.toString().endsWith(cut.toString().replace(/^(?:\x1b\[[\d;]*m)+/, ''))).toBe(true);
    }
    expect(await host.scrollback(id, '?tail=1000000')).toEqual(all);
  });

  test('must have a length', async () => {
    host = await TestHost.started();
    const { id } = await host.create({ command: 'exec sleep 1000' });
    for (const tail of ['', '0', '-1', '1.5', 'all']) {
      const { status, body } = await host.call('GET', `/api/sessions/${id}/scrollback?tail=${tail}`);
      expect([status, body]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    }
  });
});
