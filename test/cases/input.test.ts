import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  for (const { id } of await host.sessions()) await host.kill(id);
});

const input = (id: string, body: unknown) => host.call<{ delivered: true } & ApiError>('POST', `/api/sessions/${id}/input`, body);
const file = (name: string) => readFile(join(host.dir, name), 'utf8').catch(() => '');

/** A program that writes the lines it reads to a file. Its terminal hands on whole lines, as for anything that does not read keys. */
async function reader(name: string): Promise<string> {
  const { id } = await host.create({ command: `stty -echo; printf READY; exec cat > '${name}'` });
  await host.shows(id, 'READY');
  return id;
}

describe('T4: a line that is longer than the terminal of a program that reads lines takes', () => {
  test('is refused whole with the reason, and never cut', async () => {
    const id = await reader('long');
    for (const text of ['x'.repeat(5000), `${'é'.repeat(2048)}`, `short\n${'y'.repeat(4096)}\nshort`]) {
      const answer = await input(id, { text, submit: true });
      expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
      expect(answer.body.error.message).toMatch(/4095 bytes.*send shorter lines/);
    }
    const fits = 'z'.repeat(4095);
    expect((await input(id, { text: fits, submit: true })).status).toBe(200);
    await until('the line', async () => (await file('long')) === `${fits}\n`);
  });

  test('is refused where pieces make it, by text, keys or bytes, and goes on behind its end', async () => {
    const id = await reader('pieces');
    await using viewer = await PtyViewer.open(host, id);
    expect((await input(id, { text: 'a'.repeat(3000) })).status).toBe(200);
    expect((await input(id, { text: 'b'.repeat(3000) })).status).toBe(413);
    expect((await input(id, { text: 'c'.repeat(1000) })).status).toBe(200);
    expect((await input(id, { keys: Array.from({ length: 200 }, () => 'd') })).status).toBe(413);
    viewer.type('e'.repeat(100));
    expect(await viewer.frame('error')).toMatchObject({ code: 'payload_too_large' });
    expect((await input(id, { keys: ['Enter'] })).status).toBe(200);
    viewer.type(`${'f'.repeat(4000)}\r`);
    await until('both lines', async () => (await file('pieces')) === `${'a'.repeat(3000)}${'c'.repeat(1000)}\n${'f'.repeat(4000)}\n`);
  });

  test('is no matter of how many lines there are, nor of programs that read keys', async () => {
    const id = await reader('many');
    const text = Array.from({ length: 3000 }, (_, n) => `${n} ${'x'.repeat(60)}\n`).join('');
    expect((await input(id, { text })).status).toBe(200);
    await until('all lines', async () => (await file('many')) === text);
    const { id: keys } = await host.create({ command: "stty raw -echo; printf READY; exec head -c 60000 > 'keys'" });
    await host.shows(keys, 'READY');
    await using viewer = await PtyViewer.open(host, keys);
    for (let n = 0; n < 3; n += 1) expect((await input(keys, { text: 'k'.repeat(10_000) })).status).toBe(200);
    viewer.type('k'.repeat(30_000));
    await until('all keys', async () => (await file('keys')).length === 60_000);
    expect(viewer.framesOf('error')).toEqual([]);
  });
});

test('a prompt for a program that never rests, or shows a page over all, is delivered in bounded time', async () => {
  const clock = 'while :; do printf "\\033[H%s" "$(date +%N)"; sleep 0.05; done';
  const { id } = await host.create({ command: `stty -echo; printf '\\033[?1049h\\033[5HREADY'; ${clock} & exec cat > busy` });
  await host.shows(id, 'READY');
  const answers = await Promise.all(['one', 'two', 'three'].map((text) => input(id, { text, submit: true })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await until('all prompts', async () => (await file('busy')).split('\n').toSorted().join() === ',one,three,two');
});

test('what is typed while a program is started again goes to the new one or is refused, never to both and never later', async () => {
  const { id } = await host.create({ command: 'stty -echo; printf READY; exec cat >> restarted' });
  await host.shows(id, 'READY');
  const restarting = host.call('POST', `/api/sessions/${id}/restart`);
  const sent: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const { status, body } = await input(id, { text: `line-${n}\n` });
    if (status === 200) sent.push(`line-${n}`);
    else expect(['not_running', 'tmux_unavailable']).toContain(body.error.code);
  }
  expect((await restarting).status).toBe(200);
  await host.shows(id, 'READY');
  expect((await input(id, { text: 'last\n' })).status).toBe(200);
  const got = await until('the last line', async () => (await file('restarted')).includes('last\n') && (await file('restarted')));
  const lines = got.trimEnd().split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  for (const line of lines.slice(0, -1)) expect(sent).toContain(line);
});
