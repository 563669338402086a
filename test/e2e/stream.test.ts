import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ACK_WINDOW } from '../../src/daemon/api/ack-window.js';
import { formatPosition, type Position } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { PtyViewer, PtyViewers, upgradeStatus } from '../support/pty-viewer.js';
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

/** A session whose program is a script of Node's, on a raw terminal, so that its bytes reach the stream as they are. */
async function script(name: string, source: string): Promise<string> {
  await writeFile(join(host.dir, name), source);
  return (await host.create({ command: `stty raw -echo; exec ${process.execPath} ${name}` })).id;
}

/** The last bytes alone, as a search through all of a flood for each of its chunks takes long. */
const tail = (viewer: PtyViewer) =>
  Buffer.concat(viewer.received.slice(-4).flatMap((one) => ('bytes' in one ? [one.bytes] : []))).toString('latin1');

const flood = (bytes: number, mark: string) => `yes 0123456789012345678901234567890123456789 | head -c ${bytes}; echo; echo ${mark}`;

describe('T1: terminal queries', () => {
  const QUERIES: Record<string, { readonly query: string; readonly answer?: RegExp }> = {
    DA1: { query: '\x1b[c', answer: /\x1b\[\?[\d;]+c/g },
    DA2: { query: '\x1b[>c', answer: /\x1b\[>[\d;]+c/g },
    DSR: { query: '\x1b[5n', answer: /\x1b\[0n/g },
    CPR: { query: '\x1b[6n', answer: /\x1b\[\d+;\d+R/g },
    XTVERSION: { query: '\x1b[>q', answer: /\x1bP>\|tmux[^\x1b]*\x1b\\/g },
    'OSC 11': { query: '\x1b]11;?\x07' },
    'OSC 10 with ST': { query: '\x1b]10;?\x1b\\' },
    DECRQM: { query: '\x1b[?2026$p' },
    XTGETTCAP: { query: '\x1bP+q544e\x1b\\' },
    'kitty keyboard': { query: '\x1b[?u' },
    'OSC 52 read': { query: '\x1b]52;c;?\x07' },
  };
  const ask = `
    let heard = '';
    let told = () => undefined;
    process.stdin.on('data', (bytes) => { heard += bytes; told(); });
    const queries = ${JSON.stringify(Object.entries(QUERIES).map(([name, { query }]) => [name, query]))};
    const results = {};
    (async () => {
      for (const [name, query] of queries) {
        heard = '';
        // The terminal answers in order, so with the report of the cursor all earlier answers are in.
        const fence = name === 'CPR' ? '\\x1b[5n' : '\\x1b[6n';
        const end = name === 'CPR' ? /\\x1b\\[0n/ : /\\x1b\\[\\d+;\\d+R/;
        const fenced = new Promise((resolve) => { told = () => { if (end.test(heard)) resolve(); }; });
        process.stdout.write('<' + name + query + '>' + fence);
        await fenced;
        results[name] = heard.replace(end, '');
      }
      require('fs').writeFileSync('answers.json', JSON.stringify(results));
      process.stdout.write('DONE');
    })();
  `;
  const expected = `GO${Object.keys(QUERIES)
    .map((name) => `<${name}>`)
    .join('')}DONE`;

  test('are removed live and in every replay, and the program gets one answer, from tmux, where tmux has one', async () => {
    await writeFile(join(host.dir, 'ask.cjs'), ask);
    const { id } = await host.create({ command: `stty raw -echo; printf GO; read go; exec ${process.execPath} ask.cjs` });
    const live = [await view(id), await view(id)];
    await live[0]?.sees('GO');
    live[0]?.type('\n');
    for (const viewer of live) await viewer.sees('DONE');
    const replayed = await view(id);
    await replayed.sees('DONE');
    for (const viewer of [...live, replayed]) expect(viewer.text).toBe(expected);
    expect((await host.scrollback(id)).toString()).toBe(expected);
    const answers = JSON.parse(readFileSync(join(host.dir, 'answers.json'), 'utf8')) as Record<string, string>;
    for (const [name, { answer }] of Object.entries(QUERIES)) {
      const heard = answers[name] ?? '';
      if (answer) expect(`${name} ${heard.match(answer)?.length}`).toBe(`${name} 1`);
      expect(`${name} ${answer ? heard.replace(answer, '') : heard}`).toBe(`${name} `);
    }
  });
});

describe('T1: bytes', () => {
  test('a character that is written byte by byte, and bytes that are no characters, arrive as they are', async () => {
    const pieces = ['e2', '9480', 'f0', '9f', '9a', '80', 'fffe0080', 'c2', 'c3', '28'];
    const id = await script(
      'pieces.cjs',
      `const pieces = ${JSON.stringify(pieces)};
       process.stdin.on('data', (keys) => { for (const _ of keys) { const next = pieces.shift(); process.stdout.write(Buffer.from(next ?? '', 'hex')); } });
       process.stdout.write('GO');`,
    );
    const viewer = await view(id);
    await viewer.sees('GO');
    let written = Buffer.from('GO');
    for (const piece of pieces) {
      viewer.type('.');
      written = Buffer.concat([written, Buffer.from(piece, 'hex')]);
      // What may become a query is held back until it is none.
      const due = piece === 'c2' ? written.length - 1 : written.length;
      await until(`${piece} to arrive`, () => viewer.output.length === due);
    }
    expect(viewer.output).toEqual(written);
    const replayed = await view(id);
    await until('the replay', () => replayed.output.length === written.length);
    expect(replayed.output).toEqual(written);
    expect(await host.scrollback(id)).toEqual(written);
    expect(viewer.closeCode).toBeUndefined();
  });

  test('every byte value that is no control of a terminal arrives, and what is stored is the same', async () => {
    const id = await script(
      'values.cjs',
      `const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n).filter((n) => n !== 0x05 && n !== 0x1b));
       process.stdout.write(Buffer.concat([all, Buffer.from('END')]));
       setInterval(() => undefined, 1e6);`,
    );
    const all = Buffer.from([...Array.from({ length: 256 }, (_, n) => n).filter((n) => n !== 0x05 && n !== 0x1b), ...Buffer.from('END')]);
    const viewer = await view(id);
    await viewer.sees('END');
    expect(viewer.output).toEqual(all);
    await host.kill(id);
  });

  test('200 kB of noise disconnect nobody, and all viewers get the same', async () => {
    await writeFile(join(host.dir, 'noise'), randomBytes(200_000));
    const { id } = await host.create({
      command: 'stty raw -echo; printf GO; read go; cat noise; printf "\\030\\033\\\\OK"; exec cat >/dev/null',
    });
    const [one, two] = [await view(id), await view(id)];
    await one.sees('GO');
    one.type('\n');
    for (const viewer of [one, two]) await until('what follows the noise', () => viewer.output.subarray(-2).toString() === 'OK');
    expect(one.output.equals(two.output)).toBe(true);
    const late = await view(id);
    await until('the replay', () => late.output.subarray(-2).toString() === 'OK');
    expect(late.output.equals(one.output)).toBe(true);
    expect((await host.call('GET', `/api/sessions/${id}/screen`)).status).toBe(200);
    expect([one, two, late].map((viewer) => viewer.closeCode)).toEqual([undefined, undefined, undefined]);
  });
});

describe('T2: positions', () => {
  test('the first thing a viewer hears is attached, with the position, the size and the status', async () => {
    const { id } = await host.create({ command: 'echo words; exec cat', size: { cols: 90, rows: 20 } });
    await (await view(id)).sees('words');
    for (const stream of [true, false]) {
      const viewer = await view(id, { stream });
      const { position, end, ...frame } = await viewer.frame('attached');
      expect(end).toBe('1:7');
      expect(viewer.received[0]).toEqual({ frame: { position, end, ...frame } });
      expect(frame).toEqual({ type: 'attached', size: { cols: 90, rows: 20 }, status: 'running' });
      expect(position).toMatch(stream ? /^1:0$/ : /^1:7$/);
    }
  });

  test('a viewer that comes back with its position gets exactly the rest, wherever it left off', async () => {
    const id = await script(
      'count.cjs',
      `let n = 0;
       const tick = () => { for (let k = 0; k < 20; k += 1) process.stdout.write(++n + '\\r\\n'); if (n < 20000) setImmediate(tick); else process.stdout.write('END'); };
       process.stdin.once('data', tick);
       process.stdout.write('GO');`,
    );
    const whole = await view(id);
    await whole.sees('GO');
    whole.type('.');
    let after: Position | undefined;
    const parts: Buffer[] = [];
    for (let round = 0; !Buffer.concat(parts).includes('END'); round += 1) {
      const viewer = await view(id, { after });
      await until('a piece', () => viewer.output.length > 0 || viewer.framesOf('gap').length > 0);
      await viewer.close();
      expect(viewer.framesOf('gap')).toEqual([]);
      parts.push(viewer.output);
      after = viewer.position;
      expect(round).toBeLessThan(10_000);
    }
    const numbers = Array.from({ length: 20_000 }, (_, n) => `${n + 1}\r\n`).join('');
    expect(Buffer.concat(parts).toString() === `GO${numbers}END`).toBe(true);
    await whole.sees('END');
    expect(whole.text === `GO${numbers}END`).toBe(true);
    const upToDate = await view(id, { after });
    whole.type('.');
    await upToDate.frame('attached');
    expect(upToDate.received).toEqual([{ frame: { ...upToDate.framesOf('attached')[0] } }]);
    expect(upToDate.position).toEqual(after);
  });

  test.each(['1:999999', '7:0', '0:0'])('a position that is none of this stream, %s, is a gap and a fresh replay', async (after) => {
    const { id } = await host.create({ command: 'echo words; exec cat' });
    await host.shows(id, 'words');
    const viewer = await view(id, { after });
    await viewer.sees('words');
    expect(viewer.frames.map((frame) => frame.type)).toEqual(['attached', 'gap']);
    expect(viewer.position).toEqual({ epoch: 1, offset: 7 });
  });

  test('the end of the stream is told with its start, so that a viewer knows what was printed before it came', async () => {
    const { id } = await host.create({ command: 'echo before; exec cat' });
    await host.shows(id, 'before');
    const viewer = await view(id);
    await viewer.sees('before');
    const { end } = await viewer.frame('attached');
    expect(end).toBe(formatPosition(viewer.position));
    viewer.type('later\r');
    await viewer.sees('later');
    viewer.tell({ type: 'resync' });
    const gap = await viewer.frame('gap');
    await until('the replay', () => formatPosition(viewer.position) === gap.end);
    expect(viewer.shown.toString()).toContain('later');
  });

  test('a ping is answered behind all output that is on its way', async () => {
    const { id } = await host.create({ command: flood(200_000, 'flooded') });
    const viewer = await view(id);
    viewer.tell({ type: 'ping' });
    await viewer.frame('pong');
    expect(viewer.framesOf('error')).toEqual([]);
  });

  test('what asks for a fresh replay gets one behind a gap', async () => {
    const { id } = await host.create({ command: 'echo words; exec cat' });
    const viewer = await view(id);
    await viewer.sees('words');
    viewer.tell({ type: 'resync' });
    await viewer.frame('gap');
    await viewer.sees('words');
    expect(viewer.text).toBe('words\r\nwords\r\n');
    expect(viewer.position).toEqual({ epoch: 1, offset: 7 });
  });

  test('once the ring has moved on, an old position is a gap and a replay that ends at the same byte', async () => {
    await using small = await TestHost.started({ env: { MAESTRO_PTY_REPLAY_BYTES: '4096' } });
    const { id } = await small.create({ command: 'stty -echo; echo GO; read go; seq 1 5000; echo END; exec cat' });
    await using early = await PtyViewer.open(small, id);
    await early.sees('GO');
    const after = early.position;
    await early.close();
    await using whole = await PtyViewer.open(small, id);
    whole.type('\n');
    await whole.sees('END');
    await using late = await PtyViewer.open(small, id, { after });
    await late.sees('END');
    expect(late.framesOf('gap')).toHaveLength(1);
    expect(late.position).toEqual(whole.position);
    const lines = late.shown.toString().split('\r\n');
    expect(lines.slice(-4)).toEqual(['4999', '5000', 'END', '']);
    expect(late.shown.length).toBeLessThanOrEqual(4096 + 256);
  });

  test('a restart of the daemon and a resume begin a new epoch: an old position is a gap, never other bytes', async () => {
    const { id } = await host.create({ command: 'echo "life-$MAESTRO_RUN"; exec cat' });
    const before = await view(id);
    await before.sees('life-1');
    const after = before.position;
    await host.restart('SIGKILL');
    const adopted = await view(id, { after });
    await adopted.sees('life-1');
    expect(adopted.frames.map((frame) => frame.type)).toEqual(['attached', 'gap']);
    expect(adopted.position.epoch).toBeGreaterThan(after.epoch);
    await host.call('POST', `/api/sessions/${id}/stop`);
    expect((await adopted.closed).code).toBe(1000);
    await host.resume(id);
    const resumed = await view(id, { after: adopted.position });
    await resumed.sees('life-2');
    expect(resumed.frames.map((frame) => frame.type)).toEqual(['attached', 'gap']);
    expect(resumed.position.epoch).toBeGreaterThan(adopted.position.epoch);
    expect(resumed.shown.toString().split('life-1')).toHaveLength(2);
  });
});

describe('T3: a slow viewer', () => {
  const FLOOD = 60_000_000;

  /** The most memory the daemon has had so far, in bytes. */
  const peak = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${host.ready.pid}/status`, 'latin1'))?.[1]) * 1024;

  test('costs a bound of memory and slows nobody; it gets a gap and a replay when it reads again, and all that follows', async () => {
    const { id } = await host.create({
      command: `stty -echo; echo GO; read go; ${flood(FLOOD / 2, 'WARM')}; read go; ${flood(FLOOD, 'LAST')}; exec cat`,
    });
    const quick = await view(id);
    await quick.sees('GO');
    quick.type('\n');
    await until('the first flood', () => tail(quick).includes('WARM'), 60_000);
    const slow = await view(id);
    await slow.frame('attached');
    slow.pause();
    const before = peak();
    quick.type('\n');
    await until('the second flood', () => tail(quick).includes('LAST'), 60_000);
    expect(peak() - before).toBeLessThan(FLOOD / 2);
    slow.resume();
    await until('the slow viewer to be up to date', () => tail(slow).includes('LAST'), 60_000);
    expect(slow.framesOf('gap').length).toBeGreaterThan(0);
    expect(slow.output.length).toBeLessThan(FLOOD / 2);
    expect(slow.position).toEqual(quick.position);
    quick.type('onwards\n');
    for (const viewer of [quick, slow]) await until('what follows', () => tail(viewer).includes('onwards'));
    expect(slow.position).toEqual(quick.position);
  }, 180_000);

  test('that reads all and shows nothing is sent a window ahead of what it acknowledges, then a gap when it goes on', async () => {
    const { id } = await host.create({ command: `stty -echo; echo GO; read go; ${flood(FLOOD / 10, 'LAST')}; exec cat` });
    const quick = await view(id);
    const lagging = await view(id);
    await lagging.sees('GO');
    const start = lagging.output.length;
    lagging.tell({ type: 'ack', position: formatPosition(lagging.position) });
    quick.type('\n');
    await until('the flood', () => tail(quick).includes('LAST'), 60_000);
    expect(lagging.output.length - start).toBeLessThan(ACK_WINDOW + 256 * 1024);
    lagging.tell({ type: 'ack', position: formatPosition(lagging.position) });
    await until('the rest', () => {
      lagging.tell({ type: 'ack', position: formatPosition(lagging.position) });
      return tail(lagging).includes('LAST');
    });
    expect(lagging.framesOf('gap').length).toBeGreaterThan(0);
    expect(lagging.position).toEqual(quick.position);
  }, 120_000);

  test('gets the last words and the exit of a program that ended meanwhile', async () => {
    const { id } = await host.create({ command: `stty -echo; echo GO; read go; ${flood(FLOOD / 3, 'LAST')}; exit 5` });
    const slow = await view(id);
    await slow.sees('GO');
    slow.pause();
    await host.call('POST', `/api/sessions/${id}/input`, { keys: ['Enter'] });
    expect((await host.reaches(id, 'dead')).exit).toMatchObject({ code: 5 });
    slow.resume();
    expect((await slow.closed).code).toBe(1000);
    expect(tail(slow)).toMatch(/LAST\r\n$/);
    expect(slow.received.at(-1)).toEqual({ frame: { type: 'exit', exit: expect.objectContaining({ code: 5, reason: 'exited' }) } });
  }, 120_000);
});

describe('the end of a stream', () => {
  test('R5: a session that rests has none: an error frame, then 4409; an id that names nothing, 4404', async () => {
    const { id } = await host.create({ command: 'true' });
    await host.reaches(id, 'dead');
    for (const [wanted, code, close] of [
      [id, 'not_running', 4409],
      ['11111111-1111-4111-8111-111111111111', 'not_found', 4404],
      ['nope', 'not_found', 4404],
      [id.toUpperCase(), 'not_found', 4404],
      ['..%2f..%2fetc%2fpasswd', 'not_found', 4404],
    ] as const) {
      const viewer = await view(wanted);
      expect((await viewer.closed).code).toBe(close);
      expect(viewer.frames).toEqual([{ type: 'error', code, message: expect.any(String) }]);
    }
  });

  test('a query that cannot be read is an error frame, then 1008', async () => {
    const { id } = await host.create({ command: 'exec cat' });
    const viewer = await view(id, { after: 'nonsense' });
    expect((await viewer.closed).code).toBe(1008);
    expect(viewer.frames).toEqual([{ type: 'error', code: 'invalid_request', message: expect.stringContaining('after') }]);
  });

  test('a frame that is none of the protocol is an error frame, and the stream goes on', async () => {
    const { id } = await host.create({ command: 'echo up; exec cat' });
    const viewer = await view(id);
    await viewer.sees('up');
    const wrong = [
      '',
      '{',
      'null',
      '[]',
      '{"type":"nope"}',
      '{"type":"size"}',
      '{"type":"size","cols":"a","rows":24}',
      '{"type":"resync","x":1}',
    ];
    for (const frame of wrong) viewer.tell(frame);
    await until('all to be refused', () => viewer.framesOf('error').length === wrong.length);
    for (const frame of viewer.framesOf('error')) expect(frame.code).toBe('invalid_request');
    viewer.type('still-here\r');
    await viewer.sees('still-here');
    expect((await host.session(id)).size).toEqual({ cols: 120, rows: 40 });
  });

  test('the program ends: all of its output, then an exit frame that says how, then 1000', async () => {
    const { id } = await host.create({ command: 'stty -echo; echo GO; read go; seq 1 20000; exit 7' });
    const streaming = await view(id);
    const typing = await view(id, { stream: false });
    await streaming.sees('GO');
    streaming.type('\n');
    for (const viewer of [streaming, typing]) {
      expect((await viewer.closed).code).toBe(1000);
      expect(viewer.received.at(-1)).toEqual({ frame: { type: 'exit', exit: expect.objectContaining({ code: 7, reason: 'exited' }) } });
    }
    expect(streaming.text).toBe(`GO\r\n${Array.from({ length: 20_000 }, (_, n) => `${n + 1}\r\n`).join('')}`);
    expect((await host.session(id)).status).toBe('dead');
  });

  test('K1: a kill is an end as well: an exit frame, then 1000, so that nobody waits for the session to come back', async () => {
    const { id } = await host.create({ command: 'echo words; exec cat' });
    const attached = [await view(id), await view(id, { stream: false })];
    await attached[0]?.sees('words');
    await host.kill(id);
    for (const viewer of attached) {
      expect((await viewer.closed).code).toBe(1000);
      expect(viewer.received.at(-1)).toEqual({ frame: { type: 'exit' } });
    }
  });

  test('L3: tmux dies: an exit frame that says the session is lost, then 1000', async () => {
    const { id } = await host.create({ command: 'echo words; exec cat' });
    const viewer = await view(id);
    await viewer.sees('words');
    await host.killTmux();
    expect((await viewer.closed).code).toBe(1000);
    expect(viewer.received.at(-1)).toEqual({ frame: { type: 'exit', exit: expect.objectContaining({ reason: 'lost' }) } });
    expect((await host.session(id)).status).toBe('dormant');
  });

  test('the daemon stops: 1001 and the session lives; a viewer that reads nothing does not hold up the stop', async () => {
    const other = await TestHost.started();
    await using _ = other;
    const { id } = await other.create({ command: `stty -echo; echo GO; read go; ${flood(20_000_000, 'LAST')}; exec cat` });
    await using stuck = await PtyViewer.open(other, id);
    await stuck.sees('GO');
    stuck.pause();
    await using streaming = await PtyViewer.open(other, id);
    await using typing = await PtyViewer.open(other, id, { stream: false });
    typing.type('\n');
    await other.shows(id, 'LAST');
    const order: string[] = [];
    const ended = other.end('SIGTERM').then((status) => {
      order.push('daemon');
      return status;
    });
    void stuck.closed.then(() => order.push('stuck'));
    expect((await streaming.closed).code).toBe(1001);
    expect((await typing.closed).code).toBe(1001);
    expect(await ended).toBe(0);
    // It was not waited for: it has not even read that it was cut off.
    expect(order).toEqual(['daemon']);
    expect(other.processes(id).length).toBeGreaterThan(0);
    await other.start();
    expect((await other.session(id)).status).toBe('running');
  });
});

describe('who may follow', () => {
  test('an upgrade without the token is 401, one of a foreign page or for a foreign host 403, and nothing is told', async () => {
    const { id } = await host.create({ command: 'exec cat' });
    const path = `/api/sessions/${id}/pty`;
    const authorization = `Bearer ${host.token}`;
    const port = host.ready.listen.split(':')[1];
    expect(await upgradeStatus(host, path, {})).toBe(401);
    expect(await upgradeStatus(host, path, { authorization: 'Bearer wrong' })).toBe(401);
    expect(await upgradeStatus(host, `${path}?token=${host.token}`, {})).toBe(401);
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1.evil.com:${port}`, `http://evil.example:${port}`])
      expect(await upgradeStatus(host, path, { authorization, origin })).toBe(403);
    for (const name of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.com', '127.0.0.1'])
      expect(await upgradeStatus(host, path, { authorization, host: name })).toBe(403);
    // Also where the session does not exist, so that nobody can ask which do.
    expect(await upgradeStatus(host, '/api/sessions/11111111-1111-4111-8111-111111111111/pty', {})).toBe(401);
    expect(await upgradeStatus(host, path, { authorization, origin: `http://${host.ready.listen}` })).toBe(101);
    expect(await upgradeStatus(host, path, { authorization })).toBe(101);
  });
});
