import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Row } from '../bench.js';
import { atMostTimes } from '../measure.js';
import { median } from '../statistics.js';

const REPORTER = join(import.meta.dirname, '../../cli/hook.cjs');
const RUNS = 15;
const ID = '3f0c1a52-8a7e-4d0b-9c55-0123456789ab';

/** An agent's hook from its start to its end, with a daemon that answers at once, against a Node program that does nothing. */
export const hook: Row = {
  name: 'hook',
  run: async (bench) => {
    const socket = join(bench.dir, 'hook.sock');
    const payload = join(bench.dir, 'hook.json');
    writeFileSync(payload, JSON.stringify({ hook_event_name: 'Stop', session_id: ID, last_assistant_message: 'done '.repeat(400) }));
    await using daemon = await Daemon.start(socket);
    const env = { MAESTRO_SESSION_ID: ID, MAESTRO_RUN: '1', MAESTRO_SOCKET: socket, MAESTRO_REPORT_TOKEN: 'a'.repeat(64) };
    const count = bench.scaled(RUNS);
    const rounds = await bench.each(() =>
      inTurn(
        count,
        () => timed([REPORTER, 'claude'], payload, env),
        () => timed(['-e', '0'], payload, env),
      ),
    );
    const compared = { ours: rounds.map(({ ours }) => ours), floor: rounds.map(({ floor }) => floor) };
    if (daemon.reports !== count * bench.rounds) throw new Error(`${daemon.reports} reports came of ${count * bench.rounds}`);
    return [{ what: 'hook of an agent, its whole process', unit: 'ms', ...compared, aim: atMostTimes(1.5), note: 'floor: `node -e 0`' }];
  },
};

/** Medians; one by one and not in batches, as these times are short beside what disturbs a machine. */
async function inTurn(count: number, ours: () => Promise<number>, floor: () => Promise<number>): Promise<{ ours: number; floor: number }> {
  const times: { readonly ours: number; readonly floor: number }[] = [];
  for (let run = 0; run < count; run += 1) times.push({ ours: await ours(), floor: await floor() });
  return { ours: median(times.map((each) => each.ours)), floor: median(times.map((each) => each.floor)) };
}

async function timed(args: readonly string[], input: string, env: Readonly<Record<string, string>>): Promise<number> {
  const file = openSync(input, 'r');
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: [file, 'pipe', 'pipe'], env: { PATH: process.env.PATH, ...env } });
  closeSync(file);
  const [code] = (await once(child, 'close')) as [number | null];
  const end = performance.now();
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return end - start;
}

/** Takes every report. */
class Daemon implements AsyncDisposable {
  reports = 0;
  readonly #server = createServer((request, response) => {
    request.resume().once('end', () => {
      this.reports += 1;
      response.end('{}');
    });
  });

  static async start(path: string): Promise<Daemon> {
    const daemon = new Daemon();
    await once(daemon.#server.listen(path), 'listening');
    return daemon;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
