import { parseArgs } from 'node:util';
import { Bench, type Row } from './bench.js';
import { describeMachine, load } from './machine.js';
import { judge } from './measure.js';
import { type Report, table, writeDocument, writeJson } from './report.js';
import { attach } from './rows/attach.js';
import { create } from './rows/create.js';
import { echoAmong20, echoAmong100, echoAmong500, echoBesideFlood, echoIdle } from './rows/echo.js';
import { hook } from './rows/hook.js';
import { idle } from './rows/idle.js';
import { memory } from './rows/memory.js';
import { page } from './rows/page.js';
import { recoveryDormant, recoveryLive } from './rows/recovery.js';
import { stalledViewer } from './rows/stalled-viewer.js';
import { stoppedDaemon } from './rows/stopped-daemon.js';
import { tenSubscribers } from './rows/ten-subscribers.js';
import { throughput } from './rows/throughput.js';

/** Those that share the crowd come in the order in which it grows. */
const ROWS: readonly Row[] = [
  ...[echoIdle, echoBesideFlood, throughput, tenSubscribers, attach, create, stalledViewer, stoppedDaemon, hook, page],
  ...[echoAmong20, echoAmong100, idle, memory, recoveryLive, echoAmong500, recoveryDormant],
];

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    divide: { type: 'string', default: '1' },
    doc: { type: 'boolean', default: false },
  },
});

function chosen(): readonly Row[] {
  const names = flags.only?.split(',');
  const unknown = names?.find((name) => !ROWS.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: there are ${ROWS.map((row) => row.name).join(', ')}`);
  return ROWS.filter((row) => names === undefined || names.includes(row.name));
}

async function measured(): Promise<Report> {
  const machine = describeMachine();
  const start = performance.now();
  await using bench = await Bench.open({ rounds: Number(flags.rounds), divisor: Number(flags.divide) });
  const rows: Report['rows'][number][] = [];
  for (const row of chosen()) {
    const began = performance.now();
    const measures = await row.run(bench);
    rows.push(...measures.map((measure) => ({ row: row.name, load: load(), ...judge(measure) })));
    console.error(`${row.name}: ${Math.round((performance.now() - began) / 1000)} s`);
  }
  return { machine, rounds: bench.rounds, seconds: (performance.now() - start) / 1000, rows };
}

process.setMaxListeners(50); // whatever is open ends with this process
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(status));

const report = await measured();
console.log(table(report));
console.log(`\n${writeJson(report)}`);
if (flags.doc) writeDocument(report);
