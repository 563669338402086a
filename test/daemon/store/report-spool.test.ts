import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { spool } from '../../../src/cli/hook/spool.js';
import { ReportSpool } from '../../../src/daemon/store/report-spool.js';
import type { SpooledReport } from '../../../src/daemon/store/spooled-report.js';
import type { StateDir } from '../../../src/daemon/store/state-dir.js';
import { until } from '../../support/until.js';
import { temporaryStateDir } from './state-dirs.js';

const A = '3f0c1a52-8a7e-4d0b-9c55-0123456789ab';
const B = '3f0c1a52-8a7e-4d0b-9c55-0123456789ac';

function line(id: string, at: number, payload: unknown = {}): string {
  return JSON.stringify({ token: 't', id, agent: 'claude', run: 1, at, payload, pid: 5, ancestors: [{ pid: 1, name: 'init' }] });
}

async function drained(spool: ReportSpool) {
  const reports: SpooledReport[] = [];
  const counts = await spool.drain(async (report) => void reports.push(report));
  return { counts, reports, told: reports.map(({ id, at }) => [id, at]) };
}

const put = (dir: StateDir, name: string, ...lines: string[]) =>
  writeFile(join(dir.spool, name), lines.map((text) => `${text}\n`).join(''));

describe('a drain', () => {
  test('hands over what a reporter left, and leaves nothing', async () => {
    const dir = await temporaryStateDir();
    const session = { id: A, run: 1, socket: dir.socket, token: 'ab'.repeat(32) };
    spool(session, JSON.stringify({ agent: 'claude', run: 1, at: 7, payload: { x: 1 }, pid: 5, ancestors: [] }));
    const { counts, reports } = await drained(ReportSpool.open(dir));
    expect(counts).toEqual({ taken: 1, skipped: 0 });
    expect(reports).toEqual([{ token: session.token, id: A, agent: 'claude', run: 1, at: 7, payload: { x: 1 }, pid: 5, ancestors: [] }]);
    expect(await readdir(dir.spool)).toEqual([]);
  });

  test('orders the reports of a session by their times, over both of its files', async () => {
    const dir = await temporaryStateDir();
    await put(dir, `${A}.jsonl`, line(A, 5), line(A, 3));
    await put(dir, `${A}.1.jsonl`, line(A, 1), line(A, 4));
    await put(dir, `${B}.jsonl`, line(B, 2));
    const { told } = await drained(ReportSpool.open(dir));
    expect(told.filter(([id]) => id === A)).toEqual([1, 3, 4, 5].map((at) => [A, at]));
    expect(told.filter(([id]) => id === B)).toEqual([[B, 2]]);
  });

  test('finds nothing where there is nothing, not even a directory', async () => {
    const dir = await temporaryStateDir();
    await rm(dir.spool, { recursive: true });
    expect((await drained(ReportSpool.open(dir))).counts).toEqual({ taken: 0, skipped: 0 });
  });

  test('skips and counts what no reporter of the session wrote', async () => {
    const dir = await temporaryStateDir();
    const bad = ['nonsense', '{}', line(B, 1), line(A, -1), line(A, 1, 'x'.repeat(70_000)), '['.repeat(50_000), line(A, 2).slice(0, -9)];
    await put(dir, `${A}.jsonl`, '', ...bad, line(A, 2));
    appendFileSync(join(dir.spool, `${A}.jsonl`), '{"torn":');
    const { counts, told } = await drained(ReportSpool.open(dir));
    expect([counts, told]).toEqual([{ taken: 1, skipped: bad.length + 1 }, [[A, 2]]]);
    expect(await readdir(dir.spool)).toEqual([]);
  });

  test('reads no more of a file than its bound', async () => {
    const dir = await temporaryStateDir();
    const filler = Array.from({ length: 40 }, (_, index) => line(A, index + 1, 'x'.repeat(60_000)));
    await put(dir, `${A}.jsonl`, ...filler);
    const { counts } = await drained(ReportSpool.open(dir));
    expect(counts).toEqual({ taken: 17, skipped: 1 });
    expect(await readdir(dir.spool)).toEqual([]);
  });

  test('never follows a link, waits for no fifo, and leaves alone what is not of the spool', async () => {
    const dir = await temporaryStateDir();
    const target = join(dir.root, 'target');
    await writeFile(target, `${line(A, 1)}\n`);
    await symlink(target, join(dir.spool, `${A}.jsonl`));
    execFileSync('mkfifo', [join(dir.spool, `${B}.jsonl`)]);
    await mkdir(join(dir.spool, `${A}.1.jsonl`));
    await writeFile(join(dir.spool, 'notes.txt'), 'mine');
    const { counts, told } = await drained(ReportSpool.open(dir));
    expect([counts, told]).toEqual([{ taken: 0, skipped: 2 }, []]);
    expect((await readdir(dir.spool)).sort()).toEqual([`${A}.1.jsonl`, 'notes.txt']);
    expect(await readFile(target, 'utf8')).toContain(A);
  });

  test('keeps what could not be taken for the next one', async () => {
    const dir = await temporaryStateDir();
    await put(dir, `${A}.jsonl`, line(A, 1), line(A, 2));
    const reports = ReportSpool.open(dir);
    const refusing = reports.drain(({ at }) => (at === 2 ? Promise.reject(new Error('full')) : Promise.resolve()));
    await expect(refusing).rejects.toThrow('full');
    await put(dir, `${A}.jsonl`, line(A, 3));
    expect((await drained(ReportSpool.open(dir))).told).toEqual([1, 2, 3].map((at) => [A, at]));
    expect(await readdir(dir.spool)).toEqual([]);
  });

  test('takes what is written while it runs, by who has opened the file before', async () => {
    const dir = await temporaryStateDir();
    await put(dir, `${A}.jsonl`, line(A, 1));
    const writer = openSync(join(dir.spool, `${A}.jsonl`), 'a');
    onTestFinished(() => closeSync(writer));
    const half = line(A, 2);
    writeSync(writer, half.slice(0, 20));
    const times: number[] = [];
    const counts = await ReportSpool.open(dir).drain(async ({ at }) => {
      times.push(at);
      if (at === 1) writeSync(writer, `${half.slice(20)}\n${line(A, 3)}\n`);
    });
    expect([times, counts]).toEqual([[1, 2, 3], { taken: 3, skipped: 0 }]);
  });

  test('does not run beside another', async () => {
    const dir = await temporaryStateDir();
    await put(dir, `${A}.jsonl`, line(A, 1));
    const reports = ReportSpool.open(dir);
    const both = await Promise.all([drained(reports), drained(reports)]);
    expect(both.map(({ told }) => told.length)).toEqual([1, 0]);
  });

  test('loses none of those that reporters leave meanwhile', async () => {
    const dir = await temporaryStateDir();
    const reports = ReportSpool.open(dir);
    const session = { id: A, run: 1, socket: dir.socket, token: 'ab'.repeat(32) };
    const times = new Set<number>();
    const take = async ({ at }: SpooledReport) => void times.add(at);
    for (let at = 1; at <= 300; at += 1) {
      spool(session, JSON.stringify({ agent: 'claude', run: 1, at, payload: {}, pid: 5, ancestors: [] }));
      if (at % 3 === 0) void reports.drain(take);
      if (at % 7 === 0) await new Promise(setImmediate);
    }
    await reports.drain(take);
    expect(times.size).toBe(300);
  });
});

describe('a watch', () => {
  function watching(reports: ReportSpool) {
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    let calls = 0;
    reports.watch(() => {
      calls += 1;
    }, abort.signal);
    return { calls: () => calls, stop: () => abort.abort() };
  }

  test('tells of reports that were left', async () => {
    const dir = await temporaryStateDir();
    const { calls } = watching(ReportSpool.open(dir));
    await put(dir, `${A}.jsonl`, line(A, 1));
    await until('a call', () => calls() > 0);
  });

  test('tells once of many at a time, and not of what the daemon does', async () => {
    const dir = await temporaryStateDir();
    const { calls } = watching(ReportSpool.open(dir));
    await writeFile(join(dir.spool, `${A}.0123456789abcdef.taken`), '');
    await writeFile(join(dir.spool, 'other'), '');
    for (let at = 0; at < 20; at += 1) appendFileSync(join(dir.spool, `${A}.jsonl`), `${line(A, at)}\n`);
    await until('a call', () => calls() > 0);
    expect(calls()).toBe(1);
  });

  test('hears of the directory that took the place of a deleted one after the next drain', async () => {
    const dir = await temporaryStateDir();
    const reports = ReportSpool.open(dir);
    const { calls } = watching(reports);
    await rm(dir.spool, { recursive: true });
    await until('a call', () => calls() > 0);
    await mkdir(dir.spool, { mode: 0o700 });
    await drained(reports);
    const before = calls();
    await put(dir, `${A}.jsonl`, line(A, 1));
    await until('another call', () => calls() > before);
  });

  test('is over when it is aborted', async () => {
    const dir = await temporaryStateDir();
    const first = watching(ReportSpool.open(dir));
    const second = watching(ReportSpool.open(dir));
    first.stop();
    await put(dir, `${A}.jsonl`, line(A, 1));
    await until('a call of the other', () => second.calls() > 0);
    expect(first.calls()).toBe(0);
  });
});
