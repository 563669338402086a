import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row } from '../bench.js';
import { Floor } from '../floors.js';
import { Host } from '../host.js';
import { atMost, type Measure } from '../measure.js';
import { residentMib } from '../process-facts.js';

const SETTLE_MS = 1500;
const SESSIONS = 100;
const FULL_RINGS = 20;

async function settled(pid: number): Promise<number> {
  await delay(SETTLE_MS);
  return residentMib(pid);
}

/** Memory of the daemon above that of Node with an idle fastify. */
export const memory: Row = {
  name: 'memory',
  run: async (bench) => {
    const rounds = await bench.each(async () => ({ fastify: await ofFastify(), ...(await ofEmptyAndFull(bench)) }));
    const crowd = await ofCrowd(bench);
    const floor = rounds.map(({ fastify }) => fastify);
    const above = (ours: readonly number[]) => ours.map((value, round) => value - (floor[round] ?? 0));
    const perRing = rounds.map(({ empty, full }) => (full - empty) / FULL_RINGS);
    const measures: Measure[] = [
      { what: 'memory of fastify, idle', unit: 'MiB', ours: floor },
      { what: 'memory above it, no session', unit: 'MiB', ours: above(rounds.map(({ empty }) => empty)), aim: atMost(60, 'MiB') },
      { what: `memory above it, ${SESSIONS} idle sessions`, unit: 'MiB', ours: above(crowd), aim: atMost(60, 'MiB') },
      { what: `memory for each full ring of 1 MiB, of ${FULL_RINGS}`, unit: 'MiB', ours: perRing },
    ];
    return measures;
  },
};

async function ofFastify(): Promise<number> {
  await using fastify = await Floor.start('idle-fastify');
  return await settled(fastify.pid);
}

async function ofEmptyAndFull(bench: Bench): Promise<{ empty: number; full: number }> {
  await using host = await Host.started();
  const { pid } = host.daemon;
  const empty = await settled(pid);
  const count = bench.scaled(FULL_RINGS);
  const printing = "head -c 2000000 /dev/zero | tr '\\000' x | fold; printf end; exec sleep 100000";
  const made = await Promise.all(Array.from({ length: count }, () => host.create(printing)));
  await Promise.all(
    made.map(async ({ id }) => {
      using viewer = host.connect(id);
      await viewer.shown('end');
    }),
  );
  return { empty, full: await settled(pid) };
}

/** A daemon that has just taken its sessions back, in each round. */
async function ofCrowd(bench: Bench): Promise<number[]> {
  const host = await bench.crowd.of(bench.scaled(SESSIONS));
  return bench.each(async () => {
    await host.crash();
    await host.start();
    return settled(host.daemon.pid);
  });
}
