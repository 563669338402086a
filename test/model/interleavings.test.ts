import fc from 'fast-check';
import { describe, test } from 'vitest';
import { until } from '../support/until.js';
import { BenchDriver } from './bench-driver.js';
import { anyOperation, make, WorldModel } from './commands.js';
import { agrees, differences } from './difference.js';
import { operate } from './driver.js';
import { type Asked, type Incident, outcomes } from './explanation.js';
import { Gate } from './gate.js';
import type { Answer, Operation } from './operation.js';
import { perRun, randomRuns, STARTS, type Start } from './runs.js';
import { type SessionModel, step } from './session-model.js';

/** What the session has been through before. */
const BEFORE: readonly (readonly Operation[])[] = [
  [],
  [{ kind: 'exit', code: 0 }],
  [{ kind: 'stop' }],
  [
    { kind: 'report', speaker: 'current', state: 'idle', conversation: 'first' },
    { kind: 'exit', code: 3 },
  ],
  [
    { kind: 'report', speaker: 'current', state: 'idle', conversation: 'first' },
    { kind: 'restart', fate: 'stay' },
  ],
  [{ kind: 'restart', fate: 'fail' }],
];

interface Scene {
  readonly before: readonly Operation[];
  readonly worktree: boolean;
  readonly together: readonly Operation[];
  /** What happens after so many turns. */
  readonly incident: { readonly kind: 'none' | 'crash' | Incident; readonly at: number };
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  before: fc.constantFrom(...BEFORE),
  worktree: fc.nat(5).map((chance) => chance === 0),
  together: fc.array(anyOperation, { minLength: 2, maxLength: 3 }).filter((all) => fates(all) < 2 && all.every(isForDaemon)),
  incident: fc.record({ kind: fc.constantFrom('none', 'crash', 'crash', 'tmux dies'), at: fc.nat(40) }),
});

/** Two that decide on the fate of the next program would decide it for each other. */
function fates(operations: readonly Operation[]): number {
  return new Set(operations.flatMap((operation) => ('fate' in operation ? [operation.fate] : []))).size;
}

function isForDaemon({ kind }: Operation): boolean {
  return kind !== 'dirty';
}

interface Story {
  readonly id: string;
  readonly start: SessionModel;
  readonly asked: readonly (Asked | Incident)[];
}

async function play(scene: Scene, scheduler: fc.Scheduler): Promise<void> {
  const gate = new Gate();
  await using driver = await BenchDriver.create(gate.options);
  const model = new WorldModel();
  const [id, start] = await prepared(scene, { driver, model });
  gate.heldBy(scheduler);
  const answers = new Map<Operation, Answer>();
  const { calls } = driver;
  const together = scene.together.map((operation) => model.concrete(operation, start));
  const all = Promise.all(together.map(async (operation) => answers.set(operation, await operate(calls, id, operation))));
  all.catch(() => undefined);
  const { kind, at } = scene.incident;
  if (kind !== 'none') {
    await Promise.race([all, scheduler.waitNext(at)]);
    // The scheduler goes on waiting for turns that operations which are over do not take any more, and would never be idle.
    for (let turn = 0; turn < at; turn += 1) void scheduler.schedule(Promise.resolve(), 'a turn that nobody takes');
  }
  if (kind === 'tmux dies') await driver.happen(kind);
  if (kind === 'crash') {
    gate.shut();
    await driver.crash();
  } else {
    await scheduler.waitFor(all);
    gate.open();
    await scheduler.waitIdle();
  }
  const asked = together.map((operation) => ({ operation, answer: answers.get(operation) }));
  const story = { id, start, asked: kind === 'tmux dies' ? [...asked, kind] : asked };
  await explained(driver, story);
  gate.shut();
  await driver.crash();
  await explained(driver, story);
}

/** The session after what it has been through before. */
async function prepared(
  scene: Scene,
  { driver, model }: { driver: BenchDriver; model: WorldModel },
): Promise<readonly [string, SessionModel]> {
  const id = await make(model, driver, scene);
  await agrees(driver, model);
  let session = model.living.get(id);
  for (const next of scene.before) {
    if (session === undefined) break;
    const operation = model.concrete(next, session);
    await operate(driver.calls, id, operation);
    session = step(session, operation, Date.now()).session;
    model.put(id, session);
    await agrees(driver, model);
  }
  if (session === undefined) throw new Error('the session is gone before the scene begins');
  return [id, session];
}

/** Waits until the session is in a state that some order of the operations explains. */
async function explained(driver: BenchDriver, { id, start, asked }: Story): Promise<void> {
  const possible = outcomes(start, asked, Date.now());
  const told = asked.map(toldOf).join('\n');
  if (possible.length === 0) throw new Error(`no order explains these answers:\n${told}`);
  let nearest: readonly string[] = [];
  try {
    await until('an explained state', async () => {
      const all = await Promise.all(possible.map((session) => differences(driver, worldOf(id, session))));
      nearest = all.reduce((least, wrong) => (wrong.length < least.length ? wrong : least));
      return nearest.length === 0;
    });
  } catch (cause) {
    throw new Error(`no order explains what became of the session:\n${told}\nnearest:\n${nearest.join('\n')}`, { cause });
  }
}

function toldOf(one: Asked | Incident): string {
  return typeof one === 'string' ? one : `${JSON.stringify(one.operation)}: ${one.answer ?? 'no answer'}`;
}

function worldOf(id: string, session: SessionModel | undefined): Parameters<typeof differences>[1] {
  return session === undefined ? { living: new Map(), killed: new Set([id]) } : { living: new Map([[id, session]]), killed: new Set() };
}

async function holds({ numRuns, ...start }: { numRuns: number } & Partial<Start>): Promise<void> {
  await fc.assert(fc.asyncProperty(scenes, fc.scheduler(), play), { endOnFailure: true, numRuns, ...start });
}

describe('operations at the same time end as if one had come after the other, also when the daemon crashes meanwhile', () => {
  for (const start of STARTS) test(`R6, R7, R8, L4: seed ${start.seed}`, { timeout: perRun(2) }, () => holds({ ...start, numRuns: 2 }));

  const runs = randomRuns(2);
  test(`R6, R7, R8, L4: random scenes: ${runs}`, { timeout: perRun(runs) }, () => holds({ numRuns: runs }));
});
