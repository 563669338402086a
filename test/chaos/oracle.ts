import type { Exit, Session } from '../../src/protocol/index.js';

/** A change that was asked for. Exactly one of these tells what became of it. */
export interface Change {
  acknowledged(): void;
  refused(): void;
  /** The daemon went away before it answered: it may have been made, or not. */
  unanswered(): void;
}

/** What one thing may be, going by what was asked for and what was answered. */
export class Field<T> {
  #settled: readonly T[];
  readonly #asked = new Set<{ readonly value: T }>();

  constructor(...values: T[]) {
    this.#settled = values;
  }

  get possible(): readonly T[] {
    return [...this.#settled, ...[...this.#asked].map(({ value }) => value)];
  }

  ask(value: T): Change {
    const asked = { value };
    this.#asked.add(asked);
    const settle = (values: () => readonly T[]) => () => {
      this.#asked.delete(asked);
      this.#settled = values();
    };
    return {
      acknowledged: settle(() => [value]),
      refused: settle(() => this.#settled),
      unanswered: settle(() => [...this.#settled, value]),
    };
  }

  /** It may also have become `value` meanwhile. */
  allow(value: T): void {
    if (!this.#settled.includes(value)) this.#settled = [...this.#settled, value];
  }

  /** It has been seen to be this, with nothing under way. */
  see(value: T): void {
    this.#settled = [value];
  }
}

/** `up`: its program runs. `down`: dead or dormant. `gone`: killed. */
export type Life = 'up' | 'down' | 'gone';

export type Kind = 'quiet' | 'printing' | 'ending' | 'family';

/** One session as those know it who asked for it. */
export class KnownSession {
  readonly id: string;
  readonly kind: Kind;
  readonly name: Field<string>;
  readonly agent = new Field<string | undefined>(undefined);
  readonly activity = new Field<string | undefined>(undefined);
  readonly life: Field<Life>;
  /** How it ended, from the answer to a stop that nothing has followed yet. */
  stopped: Exit | undefined;
  /** The highest run that was seen of it. */
  run = 0;
  /** What is under way: one change of its life, one of its name, one report at a time, as their order would not be known. */
  readonly busy = new Set<'life' | 'name' | 'report'>();

  /** A kill was asked for; one that is refused may have ended the program all the same. */
  isKillAsked = false;
  #isKilled = false;

  constructor(id: string, kind: Kind, name: string) {
    this.id = id;
    this.kind = kind;
    this.name = new Field(name);
    this.life = kind === 'ending' ? new Field<Life>('up', 'down') : new Field<Life>('up');
  }

  /** A change of its life is asked for. A kill is final, whatever else is answered later. */
  changeLife(life: Life): Change {
    this.stopped = undefined;
    this.activity.allow(undefined);
    this.isKillAsked ||= life === 'gone';
    const change = this.life.ask(life);
    const then = (settle: () => void, isKilled: boolean) => () => {
      settle();
      this.activity.allow(undefined);
      this.#isKilled ||= isKilled;
      if (this.#isKilled) this.life.see('gone');
    };
    return {
      acknowledged: then(change.acknowledged, life === 'gone'),
      refused: then(change.refused, false),
      unanswered: then(change.unanswered, false),
    };
  }

  get mayBeGone(): boolean {
    return this.life.possible.includes('gone');
  }

  get isGone(): boolean {
    return this.life.possible.every((life) => life === 'gone');
  }
}

/** All that was asked of the daemons and what they answered: what has to be true after any crash. */
export class Oracle {
  /** How often the tmux server was killed. */
  tmuxDeaths = 0;
  /** tmux was killed since the last comparison: the daemon may have yet to see it. */
  isLossFresh = false;
  readonly #known = new Map<string, KnownSession>();
  /** Creates that nobody answered, by the name they were asked for under. */
  readonly #unanswered = new Map<string, Kind>();

  get sessions(): readonly KnownSession[] {
    return [...this.#known.values()];
  }

  get living(): readonly KnownSession[] {
    return this.sessions.filter((session) => !session.mayBeGone);
  }

  /** `deaths` of tmux there had been when it was asked for. */
  created(session: KnownSession, deaths: number): void {
    if (this.tmuxDeaths > deaths) session.life.allow('down');
    this.#known.set(session.id, session);
  }

  createUnanswered(name: string, kind: Kind): void {
    this.#unanswered.set(name, kind);
  }

  /** The tmux server was killed: who had a program has none now, unless a resume is under way. */
  tmuxKilled(): void {
    this.tmuxDeaths += 1;
    this.isLossFresh = true;
    for (const session of this.sessions.filter(({ isGone }) => !isGone)) {
      if (session.busy.has('life') || session.mayBeGone) session.life.allow('down');
      else session.life.see('down');
      session.activity.allow(undefined);
    }
  }

  /** What is not as it has to be. Nothing may be under way. */
  compare(listed: readonly Session[]): string[] {
    this.isLossFresh = false;
    const found = new Map(listed.map((session) => [session.id, session]));
    const wrong: string[] = [];
    for (const session of listed) if (!this.#known.has(session.id)) wrong.push(...this.#adopt(session));
    for (const known of this.#known.values()) wrong.push(...compareOne(known, found.get(known.id)).map((text) => `${known.id}: ${text}`));
    return wrong;
  }

  #adopt(session: Session): string[] {
    const name = String(session.metadata.name);
    const kind = this.#unanswered.get(name);
    if (kind === undefined) return [`${session.id}: ${name} is a session that nobody asked for`];
    this.#unanswered.delete(name);
    const known = new KnownSession(session.id, kind, name);
    known.life.see(lifeOf(session));
    this.#known.set(session.id, known);
    return [];
  }
}

function compareOne(known: KnownSession, session: Session | undefined): string[] {
  if (session === undefined) {
    if (!known.mayBeGone) return ['was lost'];
    known.life.see('gone');
    return [];
  }
  if (known.isGone) return [`was killed and is ${session.status} again`];
  const fields: [string, Field<unknown>, unknown][] = [
    ['life', known.life, lifeOf(session)],
    ['name', known.name, session.metadata.name],
    ['agent_session', known.agent, session.agent_session],
    ['activity', known.activity, session.activity?.message],
  ];
  const wrong = fields
    .filter(([, field, value]) => !field.possible.includes(value))
    .map(([what, field, value]) => `${what} is ${String(value)}, and may be ${field.possible.map(String).join(' or ')}`);
  for (const [, field, value] of fields) field.see(value);
  const { stopped } = known;
  if (stopped !== undefined && JSON.stringify(session.exit) !== JSON.stringify(stopped))
    wrong.push(`its end was told as ${JSON.stringify(stopped)} and is ${JSON.stringify(session.exit)}`);
  if (known.kind === 'ending') {
    known.life.allow('down');
    known.activity.allow(undefined);
  }
  return wrong;
}

function lifeOf({ status }: Session): Life {
  return status === 'running' ? 'up' : 'down';
}
