import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { REPORT_LIMIT, ReportRequestSchema } from '../../../src/protocol/index.js';
import { runMaestro } from '../../support/run-maestro.js';
import { until } from '../../support/until.js';
import { answering, bundleReporter, ended, HookBench, type HookInput, ID, type Request, TOKEN } from './hook-bench.js';

const SILENT = { code: 0, output: '' };
const STOP = '{"hook_event_name":"Stop","session_id":"s-1"}';

beforeAll(bundleReporter);

async function first(requests: readonly Request[]): Promise<Request> {
  return until('a request', () => requests[0]);
}

describe('a report', () => {
  test('is posted to the session with its token, and says who reports, and when that began', async () => {
    const bench = new HookBench();
    const requests = await bench.listen(answering('200 OK'));
    const before = Date.now();
    expect(await bench.hook(['claude'], { input: STOP })).toEqual(SILENT);
    const { head, body } = await first(requests);
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([`POST /api/sessions/${ID}/report HTTP/1.1`, `authorization: Bearer ${TOKEN}`, 'connection: close']),
    );
    const report = ReportRequestSchema.parse(JSON.parse(body));
    expect(report).toMatchObject({ agent: 'claude', run: 3, payload: JSON.parse(STOP) });
    expect(report.at).toBeGreaterThanOrEqual(before - 50);
    expect(report.at).toBeLessThanOrEqual(Date.now());
    expect(report.ancestors[0]?.pid).toBe(process.pid);
  });

  test.each(['', '   '])('may be the last argument instead (%j in front)', async (space) => {
    const bench = new HookBench();
    const requests = await bench.listen(answering('200 OK'));
    const child = bench.start(['codex', `${space}{"type":"agent-turn-complete"}`]);
    expect(await ended(child)).toEqual(SILENT);
    expect(JSON.parse((await first(requests)).body)).toMatchObject({ agent: 'codex', payload: { type: 'agent-turn-complete' } });
  });

  test('may come from a file', async () => {
    const bench = new HookBench();
    const path = join(bench.dir, 'payload');
    writeFileSync(path, STOP);
    const file = openSync(path, 'r');
    const requests = await bench.listen(answering('200 OK'));
    expect(await ended(bench.start(['claude'], { stdin: file }))).toEqual(SILENT);
    closeSync(file);
    expect(JSON.parse((await first(requests)).body)).toMatchObject({ payload: JSON.parse(STOP) });
  });

  test('may come in pieces, and from an agent that never ends its input', async () => {
    const bench = new HookBench();
    const requests = await bench.listen(answering('200 OK'));
    const child = bench.start(['claude']);
    const end = ended(child);
    for (const piece of STOP.match(/.{1,9}/g) ?? []) child.stdin?.write(piece);
    expect(await end).toEqual(SILENT);
    expect(JSON.parse((await first(requests)).body)).toMatchObject({ payload: JSON.parse(STOP) });
  });

  test('of many megabytes is cut to what the daemon takes', async () => {
    const bench = new HookBench();
    const requests = await bench.listen(answering('200 OK'));
    const big = { session_id: 's-1', text: '\u{1F600}x'.repeat(1_000_000), output: Array.from({ length: 400 }, () => 'y'.repeat(5000)) };
    // An agent does not wait for its hook: where the machine is too slow for so much, this one is kept or lost.
    const { body } = await until('one to be told in time', async () => {
      expect(await bench.hook(['claude'], { input: JSON.stringify(big) })).toEqual(SILENT);
      return requests[0];
    });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(REPORT_LIMIT);
    const { payload } = ReportRequestSchema.parse(JSON.parse(body));
    expect(Object.keys(payload as object)).toEqual(Object.keys(big));
    expect(payload).toMatchObject({ session_id: 's-1' });
  });

  test('with half characters and control characters is whole JSON', async () => {
    const bench = new HookBench();
    const requests = await bench.listen(answering('200 OK'));
    expect(await bench.hook(['claude'], { input: String.raw`{"a":"\ud800","b":"\u0000\u001b","\udfff":1}` })).toEqual(SILENT);
    expect(JSON.parse((await first(requests)).body)).toMatchObject({ payload: { a: '\ud800', b: '\0\x1b', '\udfff': 1 } });
  });
});

describe('is kept in the spool', () => {
  const kept = async (bench: HookBench) => {
    expect(await bench.hook(['claude'], { input: STOP })).toEqual(SILENT);
    expect(bench.reports()).toMatchObject([{ id: ID, token: TOKEN, agent: 'claude', run: 3, payload: JSON.parse(STOP) }]);
    expect(Object.keys(bench.spooled())).toEqual([`${ID}.jsonl`]);
  };

  test('when there is no socket, in a file for us alone', async () => {
    const bench = new HookBench();
    await kept(bench);
    expect(statSync(join(bench.spool, `${ID}.jsonl`)).mode & 0o777).toBe(0o600);
  });

  test('when nobody listens on the socket', async () => {
    const bench = new HookBench();
    writeFileSync(bench.socket, '');
    await kept(bench);
  });

  test('when the daemon hangs', async () => {
    const bench = new HookBench();
    await bench.listen(() => undefined);
    await kept(bench);
  });

  test('when the daemon fails', async () => {
    const bench = new HookBench();
    await bench.listen(answering('503 Service Unavailable'));
    await kept(bench);
  });
});

// The answer has to come within the time of the reporter, which a crowded machine may not allow.
test.each(['200 OK', '403 Forbidden'])('is kept nowhere when the daemon has answered with %s', { retry: 5 }, async (status) => {
  const bench = new HookBench();
  await bench.listen(answering(status));
  expect(await bench.hook(['claude'], { input: STOP })).toEqual(SILENT);
  expect(bench.spooled()).toEqual({});
});

describe('ends with 0 and says nothing', () => {
  const cases: readonly (readonly [string, readonly string[], HookInput])[] = [
    ['for JSON that is broken', ['claude'], { input: '{"a":' }],
    ['for no input', ['claude'], { input: '' }],
    ['for bytes that are no text', ['claude'], { input: Buffer.from([0xff, 0xfe, 0, 0x80]) }],
    ['for JSON nested without end', ['claude'], { input: '['.repeat(200_000) }],
    ['for an agent that says nothing and never ends its input', ['claude'], { input: '', isOpen: true }],
    ['without an agent', [], {}],
    ['with options that it does not know', ['--help', '--version'], { input: '' }],
    ['under a debugging environment', ['claude'], { input: '', env: { NODE_DEBUG: 'net,fs,stream', NODE_OPTIONS: '--trace-warnings' } }],
  ];

  test.each(cases)('%s', async (_, words, options) => {
    const bench = new HookBench();
    expect(await bench.hook(words, options)).toEqual(SILENT);
    expect(bench.reports().length).toBeLessThanOrEqual(words.length === 0 ? 1 : 0);
  });

  test('when nobody reads its output', async () => {
    const bench = new HookBench();
    const child = bench.start(['claude']);
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.stdin?.end(STOP);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(bench.reports()).toHaveLength(1);
  });

  test.each(['MAESTRO_SESSION_ID', 'MAESTRO_RUN', 'MAESTRO_SOCKET', 'MAESTRO_REPORT_TOKEN'])(
    'outside of Maestro: without %s',
    async (name) => {
      const bench = new HookBench();
      const requests = await bench.listen(answering('200 OK'));
      expect(await bench.hook(['claude'], { input: STOP, env: { [name]: undefined } })).toEqual(SILENT);
      expect([requests, bench.spooled()]).toEqual([[], {}]);
    },
  );

  test.each([
    ['MAESTRO_SESSION_ID', '../../../etc/cron.d/x'],
    ['MAESTRO_RUN', '0'],
    ['MAESTRO_RUN', '1e3'],
    ['MAESTRO_SOCKET', 'relative.sock'],
    ['MAESTRO_REPORT_TOKEN', 'x\r\nx-more: 1'],
  ])('with %s=%j, which Maestro never sets', async (name, value) => {
    const bench = new HookBench();
    const requests = await bench.listen(answering('200 OK'));
    expect(await bench.hook(['claude'], { input: STOP, env: { [name]: value } })).toEqual(SILENT);
    expect([requests, bench.spooled()]).toEqual([[], {}]);
  });

  test.each<readonly [string, (bench: HookBench) => unknown]>([
    ['is missing', ({ spool }) => rmSync(spool, { recursive: true })],
    ['is a link to nowhere', ({ spool, dir }) => [rmSync(spool, { recursive: true }), symlinkSync(join(dir, 'none'), spool)]],
    ['cannot be written', ({ spool }) => chmodSync(spool, 0o500)],
    ['holds a directory of the name', ({ spool }) => mkdirSync(join(spool, `${ID}.jsonl`))],
  ])('when the spool %s', async (_, spoil) => {
    const bench = new HookBench();
    spoil(bench);
    expect(await bench.hook(['claude'], { input: STOP })).toEqual(SILENT);
  });
});

test('`maestro hook` does the same', async () => {
  const bench = new HookBench();
  const requests = await bench.listen(answering('200 OK'));
  expect(await runMaestro(['hook', 'claude'], { env: bench.env, input: STOP })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await runMaestro(['hook', 'codex', '{"type":"agent-turn-complete"}'], { env: bench.env })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  await until('both reports', () => requests.length === 2);
  expect(requests.map(({ body }) => JSON.parse(body))).toMatchObject([{ agent: 'claude' }, { agent: 'codex' }]);
});

test('never writes through a link in the spool', async () => {
  const bench = new HookBench();
  const target = join(bench.dir, 'target');
  writeFileSync(target, 'precious');
  symlinkSync(target, join(bench.spool, `${ID}.jsonl`));
  expect(await bench.hook(['claude'], { input: STOP })).toEqual(SILENT);
  expect(statSync(target).size).toBe('precious'.length);
});
