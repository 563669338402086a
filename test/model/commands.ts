import fc from 'fast-check';
import { DEFAULT_SIZE } from '../../src/protocol/index.js';
import { agrees, type World } from './difference.js';
import { type Driver, operate } from './driver.js';
import type { HostEvent, Operation } from './operation.js';
import { programOf } from './program.js';
import { lifeWord, type SessionModel, step, suffer } from './session-model.js';

/** The whole model: it is also told which ids the daemon gave. */
export class WorldModel implements World {
  readonly living = new Map<string, SessionModel>();
  readonly killed = new Set<string>();
  made = 0;
  #said = 0;

  /** The session that a number means, if there are any. */
  pick(number: number): [string, SessionModel] | undefined {
    const all = [...this.living];
    return all[number % all.length];
  }

  put(id: string, session: SessionModel | undefined): void {
    if (session !== undefined) this.living.set(id, session);
    else {
      this.living.delete(id);
      this.killed.add(id);
    }
  }

  /** The operation as it is carried out now: no word is said twice, and a report knows its run. */
  concrete(operation: Operation, { run }: SessionModel): Operation {
    if (operation.kind === 'say') return { kind: 'say', word: `word-${++this.#said}` };
    if (operation.kind !== 'report' || operation.speaker === 'untold') return operation;
    return { ...operation, run: operation.speaker === 'current' ? run : Math.max(1, run - 1) };
  }

  suffer(event: HostEvent, remembers: boolean): void {
    const now = Date.now();
    for (const [id, session] of this.living) this.living.set(id, suffer(session, event, { now, remembers }));
  }
}

export type ModelCommand = fc.AsyncCommand<WorldModel, Driver>;

/** Makes a session and puts it into the model. */
export async function make(model: WorldModel, driver: Driver, { worktree = false }: { worktree?: boolean } = {}): Promise<string> {
  const name = `s${++model.made}`;
  const greeting = `hello '${name}'`;
  const place = worktree ? { worktree: { base_repo: await driver.repository(), branch: `b-${name}` } } : { cwd: driver.place };
  const session = await driver.calls.create({ ...programOf({ place: driver.place, name, greeting }), ...place });
  model.put(session.id, {
    ...{ name, greeting, cwd: session.worktree?.path ?? driver.place, size: DEFAULT_SIZE, status: 'running', run: 1 },
    ...{ printed: [lifeWord(1)], stored: 0, unsure: [], worktree: worktree ? 'clean' : 'none' },
  });
  return session.id;
}

class Create implements ModelCommand {
  readonly worktree: boolean;
  readonly crash: boolean;

  constructor({ worktree, crash }: { worktree: boolean; crash: boolean }) {
    this.worktree = worktree;
    this.crash = crash;
  }

  check({ living }: Readonly<WorldModel>): boolean {
    return living.size < 4;
  }

  async run(model: WorldModel, driver: Driver): Promise<void> {
    await make(model, driver, { worktree: this.worktree });
    if (this.crash) await driver.crash();
    await agrees(driver, model);
  }

  toString(): string {
    return `create${this.worktree ? ' with a worktree' : ''}${this.crash ? ', then a crash' : ''}`;
  }
}

class Operate implements ModelCommand {
  readonly number: number;
  readonly operation: Operation;
  /** The daemon dies in the instant in which it has answered. */
  readonly crash: boolean;

  constructor(number: number, operation: Operation, crash: boolean) {
    this.number = number;
    this.operation = operation;
    this.crash = crash;
  }

  check(model: Readonly<WorldModel>): boolean {
    return model.pick(this.number) !== undefined;
  }

  async run(model: WorldModel, driver: Driver): Promise<void> {
    const [id, session] = model.pick(this.number) ?? [];
    if (id === undefined || session === undefined) return;
    const operation = model.concrete(this.operation, session);
    const answer = await operate(driver.calls, id, operation);
    const next = step(session, operation, Date.now());
    if (answer !== next.answer) throw new Error(`${this.toString()}: answered ${answer}, must answer ${next.answer}`);
    model.put(id, next.session);
    if (this.crash) await driver.crash();
    await agrees(driver, model);
  }

  toString(): string {
    return `#${this.number} ${JSON.stringify(this.operation)}${this.crash ? ', then a crash' : ''}`;
  }
}

/** An end that long before tmux's could count as part of it or not, in milliseconds. */
const UNDECIDED_MS = 8_000;

class Happen implements ModelCommand {
  readonly event: HostEvent;

  constructor(event: HostEvent) {
    this.event = event;
  }

  check({ living }: Readonly<WorldModel>): boolean {
    if (this.event !== 'tmux dies' && this.event !== 'both die') return true;
    const now = Date.now();
    return [...living.values()].every(
      ({ exit }) => exit === undefined || exit.reason === 'stopped' || exit.reason === 'lost' || now - exit.at < UNDECIDED_MS,
    );
  }

  async run(model: WorldModel, driver: Driver): Promise<void> {
    await driver.happen(this.event);
    model.suffer(this.event, driver.remembers);
    await agrees(driver, model);
  }

  toString(): string {
    return this.event;
  }
}

const size = fc.record({ cols: fc.integer({ min: 60, max: 200 }), rows: fc.integer({ min: 10, max: 60 }) });
const conversation = fc.option(fc.stringMatching(/^[a-z0-9]{3,6}$/), { nil: undefined });
const fate = fc.constantFrom('stay', 'stay', 'fail', 'finish');

/** Any operation on one session. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('say'), word: fc.constant('') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('exit'), code: fc.constantFrom(0, 3, 42) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('signal'), signal: fc.constantFrom(1, 9, 15) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('stop') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill'), force: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('resume'), fate }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart'), fate }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize'), size }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename'), name: fc.stringMatching(/^[a-z]{1,8}$/) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dirty') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('report'),
      speaker: fc.constantFrom('current', 'former', 'untold'),
      state: fc.constantFrom('working', 'waiting', 'idle'),
      conversation,
    }),
  },
) as fc.Arbitrary<Operation>;

/** Sequences of all that can be done and can happen. */
export function sequences(maxCommands: number): fc.Arbitrary<Iterable<ModelCommand>> {
  const create = fc
    .tuple(fc.nat(9), fc.nat(7))
    .map(([chance, other]): ModelCommand => new Create({ worktree: chance === 0, crash: other === 0 }));
  const operation = fc
    .tuple(fc.nat(3), anyOperation, fc.nat(7))
    .map(([number, wanted, chance]): ModelCommand => new Operate(number, wanted, chance === 0));
  const event = fc
    .constantFrom<HostEvent[]>('daemon crashes', 'daemon crashes', 'daemon stops', 'tmux dies', 'both die', 'flush')
    .map((what): ModelCommand => new Happen(what));
  return fc.commands([create, operation, operation, operation, operation, operation, event], { maxCommands, size: 'max' });
}
