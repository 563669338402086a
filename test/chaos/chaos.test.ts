import { chmod } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestHost } from '../support/daemon-process.js';
import { GitRepo } from '../support/git-repo.js';
import { until } from '../support/until.js';
import { Dice } from './dice.js';
import { FAULTS } from './fault.js';
import { inspect } from './inspection.js';
import { Oracle } from './oracle.js';
import { COMMANDS } from './programs.js';
import { brokenLines } from './replayed-lines.js';
import { Traffic } from './traffic.js';

/** How many crashes there are. The default is for every day; `MAESTRO_CHAOS=50` is for a change that matters. */
const CRASHES = Number(process.env.MAESTRO_CHAOS ?? 6);
const SEED = Number(process.env.MAESTRO_CHAOS_SEED ?? Date.now() % 2 ** 31);
const POPULATION = 25;
/** How long clients are let loose before a crash, at least and at most, in milliseconds. */
const CALM = { least: 300, most: 1_500 };

/** How long a busy machine may take to put everything right, in milliseconds. */
const SETTLE_MS = 60_000;

let host: TestHost;
let repo: GitRepo;
beforeEach(async () => {
  repo = await GitRepo.create();
  await repo.write('kept.txt', 'kept\n');
  await repo.commit('Begin');
  // A checkout that takes a while, so that a crash finds git at work more often.
  const hook = await repo.write('.git/hooks/post-checkout', '#!/bin/sh\nsleep 0.2\n');
  await chmod(hook, 0o755);
  host = await TestHost.started({ env: { GIT_CONFIG_NOSYSTEM: '1' } });
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

/** The same faults over and over, each as often as the others, in an order that the seed gives. */
function* faults(dice: Dice): Generator<string> {
  for (;;) {
    const left = Object.keys(FAULTS);
    while (left.length > 0) yield* left.splice(dice.below(left.length), 1);
  }
}

/** Waits until what is put right in the background is. */
async function expectNothingLeft(at: string): Promise<void> {
  let findings: string[] = [];
  const isRight = async () => {
    findings = await inspect(host, repo);
    return findings.length === 0;
  };
  await until('nothing to be left that no record knows', isRight, SETTLE_MS).catch((error: unknown) => {
    expect(findings, at).toEqual([]);
    throw error;
  });
}

test(`L4: whatever crashes, and whenever, no session is lost and no acknowledged change undone (${CRASHES} crashes, seed ${SEED})`, {
  timeout: 60_000 + CRASHES * 30_000,
}, async () => {
  const [oracle, dice] = [new Oracle(), new Dice(SEED)];
  const plan = faults(dice);
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const begun = performance.now();
    const fault = String(plan.next().value);
    const traffic = Traffic.begin({ host, oracle, dice, repository: repo.path, population: POPULATION });
    await delay(CALM.least + dice.below(CALM.most - CALM.least));
    await FAULTS[fault]?.({ host, oracle, dice, traffic });
    const at = `crash ${crash}: ${fault}`;
    await expectNothingLeft(at);
    const sessions = await host.sessions();
    expect(oracle.compare(sessions), at).toEqual([]);
    const printing = sessions.filter(({ status, command }) => status === 'running' && command.includes(COMMANDS.printing));
    for (const { id } of printing.slice(0, 3)) expect(await brokenLines(host, id), at).toEqual([]);
    if (CRASHES > 6) console.log(at, Math.round(performance.now() - begun), 'ms');
  }
});
