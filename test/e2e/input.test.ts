import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError, Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { type PtyViewer, PtyViewers } from '../support/pty-viewer.js';
import { until } from '../support/until.js';

let host: TestHost;
const viewers = new PtyViewers();
beforeAll(async () => {
  host = await TestHost.started();
});
afterAll(() => host[Symbol.asyncDispose]());
afterEach(async () => {
  await viewers.close();
  for (const session of await host.sessions()) await host.kill(session.id);
});

const view = (id: string, options: Parameters<typeof PtyViewer.open>[2] = {}) => viewers.open(host, id, options);

/** A session that writes all it is given, as it is, to a file in its directory. */
class Recorder {
  readonly id: string;
  readonly #path: string;

  private constructor(id: string, path: string) {
    this.id = id;
    this.#path = path;
  }

  static async start(name: string): Promise<Recorder> {
    const { id } = await host.create({ command: `stty raw -echo; printf READY; exec cat > '${name}'` });
    await host.shows(id, 'READY');
    return new Recorder(id, join(host.dir, name));
  }

  /** Waits for that many bytes. */
  async got(bytes: number): Promise<Buffer> {
    await until(`${bytes} bytes of input, not ${await this.#size()}`, async () => (await this.#size()) >= bytes);
    return readFile(this.#path);
  }

  async #size(): Promise<number> {
    return existsSync(this.#path) ? (await stat(this.#path)).size : 0;
  }
}

const input = (id: string, body: unknown) => host.call<{ delivered: true } & ApiError>('POST', `/api/sessions/${id}/input`, body);
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('T4: bytes', () => {
  test('all 256 values arrive as they are and in order, alone and together', async () => {
    const recorder = await Recorder.start('values');
    const viewer = await view(recorder.id);
    const values = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    for (const value of values) viewer.type(Buffer.from([value]));
    viewer.type(values);
    viewer.type(values.toReversed());
    expect(await recorder.got(768)).toEqual(Buffer.concat([values, values, values.toReversed()]));
  });

  test('a megabyte arrives whole and in its place, of any bytes by WebSocket and of text over HTTP', async () => {
    const recorder = await Recorder.start('large');
    const viewer = await view(recorder.id);
    const noise = randomBytes(1024 * 1024);
    const text = Array.from({ length: 17_000 }, (_, n) => `${n} é ${'x'.repeat(50)}\n`).join('');
    viewer.type('<');
    viewer.type(noise);
    viewer.type('>');
    const first = await recorder.got(noise.length + 2);
    expect(sha(first)).toBe(sha(Buffer.concat([Buffer.from('<'), noise, Buffer.from('>')])));
    expect((await input(recorder.id, { text })).body).toEqual({ delivered: true });
    const all = await recorder.got(first.length + Buffer.byteLength(text));
    expect(all.subarray(first.length).toString() === text).toBe(true);
  });

  test('a program that reads nothing holds up no other session, and can be killed', async () => {
    const { id } = await host.create({ command: 'stty raw -echo; printf READY; exec sleep 1000' });
    await host.shows(id, 'READY');
    const blocked = await view(id);
    for (let n = 0; n < 24; n += 1) blocked.type(Buffer.alloc(1024 * 1024, 0x78));
    const recorder = await Recorder.start('beside');
    (await view(recorder.id)).type('unhindered');
    expect((await recorder.got(10)).toString()).toBe('unhindered');
    expect((await host.session(id)).status).toBe('running');
    expect((await host.kill(id)).status).toBe(200);
  });

  test('a program that is stopped holds up nobody either, and gets its input when it goes on (B105)', async () => {
    const recorder = await Recorder.start('stopped');
    const program = host.processes(recorder.id).find((pid) => readFileSync(`/proc/${pid}/comm`, 'latin1') === 'cat\n');
    if (program === undefined) throw new Error('the program is gone');
    process.kill(program, 'SIGSTOP');
    expect((await input(recorder.id, { text: 'text ' })).status).toBe(200);
    expect((await input(recorder.id, { keys: ['k'] })).status).toBe(200);
    process.kill(program, 'SIGCONT');
    expect((await recorder.got(6)).toString()).toBe('text k');
  });

  test.each([
    'go;',
    ';',
    ';;',
    'a\\;',
    '-dash',
    '--',
    'Enter',
    'C-c',
    'Space',
    '#{pid}',
    '#(touch x)',
    "it's",
    '"',
    '~',
    '$HOME',
    '%1',
    'é😀',
  ])('the text %j is text', async (text) => {
    const recorder = await Recorder.start(`text-${Buffer.from(text).toString('hex')}`);
    const bytes = Buffer.from(text);
    await input(recorder.id, { text });
    (await view(recorder.id)).type(text);
    await until('both', async () => (await recorder.got(bytes.length * 2)).equals(Buffer.concat([bytes, bytes])));
  });

  test('keys arrive as keys', async () => {
    const recorder = await Recorder.start('keys');
    const keys = ['a', ';', 'Enter', 'Tab', 'Escape', 'Space', 'BSpace', 'C-c', 'C-d', 'M-x', 'Up', 'F5', 'PageUp', '-', '#'];
    await input(recorder.id, { keys });
    const bytes = 'a;\r\t\x1b \x7f\x03\x04\x1bx\x1b[A\x1b[15~\x1b[5~-#';
    expect((await recorder.got(bytes.length)).toString()).toBe(bytes);
  });

  test('keys with modifiers arrive as a terminal sends them, and never as their names', async () => {
    const recorder = await Recorder.start('modified-keys');
    const sent: Record<string, string> = {
      ...{ 'S-a': 'A', 'C-S-a': '\x01', 'M-;': '\x1b;', 'C-Up': '\x1b[1;5A', 'S-F5': '\x1b[15;2~', 'C-M-a': '\x1b\x01' },
      ...{ 'S-Enter': '\r', 'C-Enter': '\r', 'M-Enter': '\x1b\r', 'C-M-S-Enter': '\x1b\r', 'S-Tab': '\x1b[Z', 'C-Tab': '\t' },
      ...{ 'S-Escape': '\x1b', 'S-Space': ' ', 'C-Space': '\0', 'S-BSpace': '\x7f', 'C-BSpace': '\x08', 'M-BSpace': '\x1b\x7f' },
      ...{ 'C-2': '\0', 'C-3': '\x1b', 'C-?': '\x7f', 'C-/': '\x1f', 'C--': '\x1f', 'C-]': '\x1d', '|': '|' },
    };
    expect((await input(recorder.id, { keys: Object.keys(sent) })).status).toBe(200);
    const bytes = Object.values(sent).join('');
    expect((await recorder.got(bytes.length)).toString()).toBe(bytes);
  });

  test('keys that no terminal sends are refused, and nothing of the request is typed', async () => {
    const recorder = await Recorder.start('no-keys');
    for (const key of ['C-!', 'C-;']) {
      const { status, body } = await input(recorder.id, { keys: ['a', key] });
      expect([status, body.error]).toMatchObject([
        400,
        { code: 'invalid_request', message: expect.stringContaining(`${key} cannot be typed`) },
      ]);
    }
    expect((await input(recorder.id, { keys: ['S-1'] })).body.error.code).toBe('invalid_request');
    await input(recorder.id, { keys: ['z'] });
    expect((await recorder.got(1)).toString()).toBe('z');
  });

  test('a program that asks for more gets it', async () => {
    const { id } = await host.create({ command: "stty raw -echo; printf '\\033[>1uREADY'; exec cat > asked" });
    await host.reads(id, 'READY');
    await input(id, { keys: ['S-Enter', 'C-!', 'z'] });
    const typed = () => readFileSync(join(host.dir, 'asked'), 'utf8');
    await until('the keys', () => existsSync(join(host.dir, 'asked')) && typed().endsWith('z'));
    expect(typed()).toBe('\x1b[13;2u\x1b[33;5uz');
  });
});

describe('T4: the order of one connection', () => {
  const letters = Array.from({ length: 1000 }, (_, n) => String.fromCharCode(33 + (n % 94)));

  test('is kept for 1000 single characters by WebSocket, each arriving once', async () => {
    const recorder = await Recorder.start('ws-order');
    const viewer = await view(recorder.id);
    for (const letter of letters) viewer.type(letter);
    expect((await recorder.got(letters.length)).toString()).toBe(letters.join(''));
  });

  test('is kept for 1000 requests on one kept-alive connection that are not awaited', async () => {
    const recorder = await Recorder.start('http-order');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const [hostname, port] = host.ready.listen.split(':');
    const send = (text: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' };
        const call = request({ agent, hostname, port, method: 'POST', path: `/api/sessions/${recorder.id}/input`, headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        });
        call.once('error', reject).end(JSON.stringify({ text }));
      });
    const statuses = await Promise.all(letters.map(send));
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await recorder.got(letters.length)).toString()).toBe(letters.join(''));
  });

  test('is kept between what is typed, pasted and sent as keys', async () => {
    const recorder = await Recorder.start('mixed');
    const viewer = await view(recorder.id);
    const sent: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const piece = `${n}${'x'.repeat((n % 3) * 2000)},`;
      sent.push(piece);
      viewer.type(piece);
    }
    expect((await recorder.got(sent.join('').length)).toString()).toBe(sent.join(''));
    const answers = ['one ', 'two ', 'three '].map((text, n) =>
      n === 1 ? input(recorder.id, { keys: ['t', 'w', 'o', 'Space'] }) : input(recorder.id, { text }),
    );
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    const tail = (await recorder.got(sent.join('').length + 14)).toString().slice(sent.join('').length);
    expect(new Set(tail.trim().split(' '))).toEqual(new Set(['one', 'two', 'three']));
  });

  test('each of two connections keeps its own', async () => {
    const recorder = await Recorder.start('two');
    const [one, two] = [await view(recorder.id), await view(recorder.id)];
    for (let n = 0; n < 500; n += 1) {
      one.type(String.fromCharCode(65 + (n % 26)));
      two.type(String.fromCharCode(97 + (n % 26)));
    }
    const all = (await recorder.got(1000)).toString();
    const alphabet = (first: number) => Array.from({ length: 500 }, (_, n) => String.fromCharCode(first + (n % 26))).join('');
    expect(all.replace(/[a-z]/g, '')).toBe(alphabet(65));
    expect(all.replace(/[A-Z]/g, '')).toBe(alphabet(97));
  });
});

describe('T4: whom input reaches', () => {
  test('copy mode swallows nothing', async () => {
    const recorder = await Recorder.start('copy');
    const viewer = await view(recorder.id);
    const ways: readonly [string, () => unknown][] = [
      ['typed ', () => viewer.type('typed ')],
      ['text ', () => input(recorder.id, { text: 'text ' })],
      ['k ', () => input(recorder.id, { keys: ['k', 'Space'] })],
    ];
    let sent = '';
    for (const [text, send] of ways) {
      await host.tmux('copy-mode', '-t', `=${recorder.id}:`);
      expect((await host.tmux('display-message', '-p', '-t', `=${recorder.id}:`, '#{pane_in_mode}')).trim()).toBe('1');
      await send();
      sent += text;
      expect((await recorder.got(sent.length)).toString()).toBe(sent);
    }
  });

  test("the agent's own pane gets it when its user has split it and selected the other one", async () => {
    const recorder = await Recorder.start('agent');
    await host.tmux('set-option', '-g', 'base-index', '3');
    await host.tmux('set-option', '-g', 'pane-base-index', '3');
    await host.tmux('split-window', '-d', '-t', `=${recorder.id}:`, 'stty raw -echo; printf OTHER; exec cat');
    const panes = (await host.tmux('list-panes', '-t', `=${recorder.id}:`, '-F', '#{pane_id} #{pane_active}')).trim().split('\n');
    const other = panes.find((line) => line.endsWith(' 0'))?.split(' ')[0] ?? '';
    await host.tmux('select-pane', '-t', other);
    await until('the other pane', async () => (await host.tmux('capture-pane', '-p', '-t', other)).includes('OTHER'));
    await input(recorder.id, { text: 'text ' });
    await input(recorder.id, { keys: ['k', 'Space'] });
    const viewer = await view(recorder.id);
    viewer.type('typed');
    expect((await recorder.got(12)).toString()).toBe('text k typed');
    expect((await host.tmux('capture-pane', '-p', '-t', other)).trim()).toBe('OTHER');
    expect(await host.screen(recorder.id)).toContain('READY');
    expect(viewer.text).toBe('READY');
    expect((await host.session(recorder.id)).status).toBe('running');
    expect((await host.kill(recorder.id)).status).toBe(200);
    expect(await host.panes()).not.toContain(recorder.id);
    for (const option of ['base-index', 'pane-base-index']) await host.tmux('set-option', '-g', '-u', option);
  });

  test('L2: the end of the agent is the end of its session, though its user has split the pane', async () => {
    const { id } = await host.create({ command: 'echo up; read go; exit 6' });
    await host.shows(id, 'up');
    await host.tmux('split-window', '-t', `=${id}:`, 'exec sleep 1000');
    await input(id, { keys: ['Enter'] });
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ code: 6 });
    expect(await host.panes()).not.toContain(id);
  });

  test('a session without a program takes none and says so, by its name', async () => {
    const { id } = await host.create({ command: 'true', metadata: { name: 'over' } });
    await host.reaches(id, 'dead');
    for (const body of [{ text: 'x' }, { text: 'x', submit: true }, { keys: ['Enter'] }]) {
      const answer = await input(id, body);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'not_running', message: expect.stringContaining('"over"') });
    }
    expect((await input('11111111-1111-4111-8111-111111111111', { text: 'x' })).status).toBe(404);
  });

  test('who waits for an answer gets no text, which could be taken for one, but keys (waiting)', async () => {
    const recorder = await Recorder.start('waiting');
    await host.call('POST', `/api/sessions/${recorder.id}/activity`, { state: 'waiting', message: 'May I?' });
    for (const body of [{ text: 'prompt' }, { text: 'prompt', submit: true }]) {
      const answer = await input(recorder.id, body);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'waiting', message: expect.stringContaining('keys') });
    }
    expect((await input(recorder.id, { keys: ['y'] })).status).toBe(200);
    await host.call('POST', `/api/sessions/${recorder.id}/activity`, { state: 'working' });
    expect((await input(recorder.id, { text: 'prompt' })).status).toBe(200);
    expect((await recorder.got(7)).toString()).toBe('yprompt');
  });
});

/**
 * An agent's prompt: takes bracketed pastes, and takes a CR that comes within 120 ms after a paste or a burst for a new line. Each
 * message that was sent is a line of `sent` in its directory.
 */
const PROMPT = `
  let text = '';
  let last = 0;
  let inPaste = false;
  process.stdin.on('data', (bytes) => {
    const now = performance.now();
    let rest = bytes.toString();
    while (rest !== '') {
      if (rest.startsWith('\\x1b[200~')) { inPaste = true; rest = rest.slice(6); continue; }
      if (rest.startsWith('\\x1b[201~')) { inPaste = false; last = now; rest = rest.slice(6); continue; }
      const key = rest[0];
      rest = rest.slice(1);
      if (key === '\\r' && !inPaste && now - last > 120) {
        require('fs').appendFileSync(process.argv[2], JSON.stringify(text) + '\\n');
        text = '';
      } else text += key === '\\r' ? '\\n' : key;
      if (!inPaste && key !== '\\r') last = now;
    }
  });
  process.stdout.write(process.argv[3] === 'brackets' ? '\\x1b[?2004hREADY' : 'READY');
`;

describe('submit', () => {
  async function sent(name: string): Promise<string[]> {
    const text = existsSync(join(host.dir, name)) ? await readFile(join(host.dir, name), 'utf8') : '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string);
  }

  async function prompt(name: string, mode: 'brackets' | 'plain'): Promise<string> {
    await writeFile(join(host.dir, 'prompt.cjs'), PROMPT);
    const { id } = await host.create({ command: `stty raw -echo; exec ${process.execPath} prompt.cjs ${name} ${mode}` });
    await host.shows(id, 'READY');
    return id;
  }

  test('20 prompts of three lines arrive as 20 messages', async () => {
    const id = await prompt('many', 'brackets');
    const prompts = Array.from({ length: 20 }, (_, n) => `first ${n}\nsecond\nthird`);
    for (const text of prompts) expect((await input(id, { text, submit: true })).status).toBe(200);
    await until('all', async () => (await sent('many')).length >= 20);
    expect(await sent('many')).toEqual(prompts);
  });

  test('prompts that are sent at once do not run into each other', async () => {
    const id = await prompt('at-once', 'brackets');
    const prompts = Array.from({ length: 5 }, (_, n) => `first ${n}\nsecond`);
    await Promise.all(prompts.map((text) => input(id, { text, submit: true })));
    await until('all', async () => (await sent('at-once')).length >= 5);
    expect(new Set(await sent('at-once'))).toEqual(new Set(prompts));
  });

  test('a stop of the daemon waits for the Enter of a prompt that is on its way', async () => {
    await using other = await TestHost.started();
    const { id } = await other.create({ command: 'stty raw -echo; printf READY; exec cat > sent' });
    await other.shows(id, 'READY');
    const answer = other.call('POST', `/api/sessions/${id}/input`, { text: 'prompt', submit: true });
    const sent = () => readFile(join(other.dir, 'sent'), 'utf8').catch(() => '');
    await until('the paste', async () => (await sent()).startsWith('prompt'));
    expect(await other.end('SIGTERM')).toBe(0);
    expect((await answer).body).toEqual({ delivered: true });
    await until('the Enter', async () => (await sent()) === 'prompt\r');
  });

  test('an agent that knows no bracketed paste gets one line as one message, and an empty text is an Enter', async () => {
    const id = await prompt('plain', 'plain');
    await input(id, { text: 'one line', submit: true });
    await input(id, { text: '', submit: true });
    await until('both', async () => (await sent('plain')).length >= 2);
    expect(await sent('plain')).toEqual(['one line', '']);
  });
});

describe('T5: the size', () => {
  const wide = { cols: 160, rows: 50 };
  const phone = { cols: 45, rows: 30 };

  /** A session that notes its size, and each change of it that it is told of. */
  async function sized(name: string): Promise<{ id: string; sizes: () => Promise<string[]> }> {
    const command = `note() { stty size >> '${name}'; }; trap note WINCH; note; printf READY; while :; do sleep 0.02; done`;
    const { id } = await host.create({ command });
    await host.shows(id, 'READY');
    return { id, sizes: async () => (await readFile(join(host.dir, name), 'utf8')).trim().split('\n') };
  }

  const last = async (sizes: () => Promise<string[]>, { cols, rows }: { cols: number; rows: number }) =>
    until(`the program to have ${cols}x${rows}`, async () => (await sizes()).at(-1) === `${rows} ${cols}`);

  test('is that of the viewer last in use; hidden ones do not count; it comes back, and all are told', async () => {
    const { id, sizes } = await sized('owners');
    const desk = await view(id);
    const mobile = await view(id);
    desk.tell({ type: 'size', ...wide });
    await last(sizes, wide);
    mobile.tell({ type: 'size', ...phone });
    await last(sizes, phone);
    mobile.tell({ type: 'visibility', visible: false });
    await last(sizes, wide);
    mobile.tell({ type: 'size', cols: 40, rows: 20 });
    mobile.tell({ type: 'visibility', visible: true });
    await last(sizes, { cols: 40, rows: 20 });
    desk.type('.');
    await last(sizes, wide);
    mobile.type('.');
    await last(sizes, { cols: 40, rows: 20 });
    await mobile.close();
    await last(sizes, wide);
    expect(await sizes()).toEqual(['40 120', '50 160', '30 45', '50 160', '20 40', '50 160', '20 40', '50 160']);
    const told = desk.framesOf('size').map(({ size, owner }) => `${size.cols}x${size.rows} ${owner}`);
    expect(told).toEqual(['160x50 true', '45x30 false', '160x50 true', '40x20 false', '160x50 true', '40x20 false', '160x50 true']);
    expect(mobile.framesOf('size').map(({ owner }) => owner)).toEqual([false, true, false, true, false, true]);
    expect((await host.session(id)).size).toEqual(wide);
  });

  test('is clamped to 10..500 x 3..300 for a viewer, and no size at all changes nothing', async () => {
    const { id, sizes } = await sized('clamped');
    const viewer = await view(id);
    const told = () => viewer.framesOf('size').map(({ size }) => `${size.cols}x${size.rows}`);
    for (const [cols, rows] of [
      [0, 0],
      [-5, 10],
      [2, 1],
      [1e9, 1e9],
      [80.5, 24.9],
    ])
      viewer.tell({ type: 'size', cols, rows });
    await until('the last', () => told().at(-1) === '80x24');
    expect(told()).toEqual(['10x3', '500x300', '80x24']);
    await last(sizes, { cols: 80, rows: 24 });
    expect((await host.tmux('display-message', '-p', '-t', `=${id}:`, '#{window_width}x#{window_height}')).trim()).toBe('80x24');
  });

  test('set again as it is tells the program nothing', async () => {
    const { id, sizes } = await sized('same');
    const viewer = await view(id);
    viewer.tell({ type: 'size', ...wide });
    await last(sizes, wide);
    for (let n = 0; n < 5; n += 1) viewer.tell({ type: 'size', ...wide });
    const other = await view(id);
    other.tell({ type: 'size', ...wide });
    await until('the new owner to be told', () => other.framesOf('size').some(({ owner }) => owner));
    await host.call('POST', `/api/sessions/${id}/size`, wide);
    viewer.tell({ type: 'size', ...phone });
    await last(sizes, phone);
    expect(await sizes()).toEqual(['40 120', '50 160', '30 45']);
    expect(viewer.framesOf('size').map(({ owner }) => owner)).toEqual([true, false, false, true]);
  });

  test('is set without a viewer by POST, is kept over a restart and a resume, and a viewer takes it over', async () => {
    const { id, sizes } = await sized('posted');
    const answer = await host.call<Session>('POST', `/api/sessions/${id}/size`, wide);
    expect(answer.body.size).toEqual(wide);
    await last(sizes, wide);
    expect(await host.sidecar(id)).toMatchObject({ size: wide });
    await host.restart('SIGKILL');
    expect((await host.session(id)).size).toEqual(wide);
    expect((await sizes()).at(-1)).toBe('50 160');
    const viewer = await view(id);
    expect((await viewer.frame('attached')).size).toEqual(wide);
    viewer.tell({ type: 'size', ...phone });
    await last(sizes, phone);
    await host.call('POST', `/api/sessions/${id}/stop`);
    await host.resume(id);
    await last(sizes, phone);
    expect((await host.session(id)).size).toEqual(phone);
  });

  test('of a session that rests is kept for its next life', async () => {
    const { id } = await host.create({ command: 'stty size' });
    await host.reaches(id, 'dead');
    expect((await host.call<Session>('POST', `/api/sessions/${id}/size`, wide)).body.size).toEqual(wide);
    await host.resume(id);
    await host.reaches(id, 'dead');
    expect((await host.scrollback(id)).toString()).toBe('40 120\r\n50 160\r\n');
  });
});
