import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Host } from './host.js';
import { type Sample, sample } from './soak-gauge.js';
import { SoakLoad } from './soak-load.js';
import { judge, verdictTable } from './soak-verdict.js';
import { until } from './until.js';

const SAMPLE_MS = 5_000;
/** Small enough to be full within a session's short life. */
const REPLAY_BYTES = 64 * 1024;

const { values: flags } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, samples: { type: 'string' } } });

/** The daemon under load for so many minutes, looked at every few seconds. */
async function soak(minutes: number, probe: string): Promise<readonly Sample[]> {
  const probeUrl = `${pathToFileURL(join(import.meta.dirname, 'soak-probe.js')).href}?${new URLSearchParams({ out: probe, every: String(SAMPLE_MS) })}`;
  await using host = await Host.started({
    nodeArgs: ['--expose-gc', '--import', probeUrl],
    env: { MAESTRO_PTY_REPLAY_BYTES: String(REPLAY_BYTES) },
  });
  const tmux = await host.tmuxPid();
  const load = await SoakLoad.begin(host);
  await until('the probe to tell something', () => existsSync(probe));
  const samples: Sample[] = [];
  for (const end = performance.now() + minutes * 60_000; performance.now() < end; await delay(SAMPLE_MS))
    samples.push(await sample({ host, tmux, probe }));
  await load.end();
  console.log(JSON.stringify(load.done));
  return samples;
}

const scratch = mkdtempSync(join(tmpdir(), 'ms-'));
try {
  const samples = await soak(Number(flags.minutes), join(scratch, 'probe.jsonl'));
  if (flags.samples !== undefined) writeFileSync(flags.samples, samples.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const judged = judge(samples);
  console.log(verdictTable(judged));
  if (judged.some(({ isFlat }) => !isFlat)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
