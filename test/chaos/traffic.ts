import { setTimeout as delay } from 'node:timers/promises';
import type { CreateSessionRequest, KillResult, Session } from '../../src/protocol/index.js';
import type { Answer, TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import type { Dice } from './dice.js';
import { type Change, KnownSession, type Oracle } from './oracle.js';
import { COMMANDS, KINDS } from './programs.js';

interface TrafficParts {
  readonly host: TestHost;
  readonly oracle: Oracle;
  readonly dice: Dice;
  /** The top of a repository for sessions in worktrees. */
  readonly repository: string;
  /** How many sessions there are to be, about. */
  readonly population: number;
}

const WORKERS = 8;
const VIEWERS = 4;

/** Clients that all want something at once, until they are stopped; each answer goes to the oracle. */
export class Traffic {
  readonly #parts: TrafficParts;
  readonly #stop = new AbortController();
  readonly #clients: Promise<void>[];
  static #names = 0;

  private constructor(parts: TrafficParts) {
    this.#parts = parts;
    const worker = () => this.#repeat(() => this.#act());
    const viewer = () => this.#repeat(() => this.#view());
    this.#clients = [...Array.from({ length: WORKERS }, worker), ...Array.from({ length: VIEWERS }, viewer)];
  }

  static begin(parts: TrafficParts): Traffic {
    return new Traffic(parts);
  }

  /** No more requests are made from this moment on. Resolves when all that were under way are answered, or never will be. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#clients);
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await step();
      await delay(this.#parts.dice.below(30));
    }
  }

  async #act(): Promise<void> {
    const { oracle, dice, population } = this.#parts;
    const session = dice.oneOf(oracle.living);
    if (session === undefined || oracle.living.length < population - 2) return this.#create();
    const roll = dice.below(100);
    if (roll < 25) return this.#rename(session);
    if (roll < 50) return this.#report(session);
    if (roll < 75) return this.#resume(session);
    if (roll < 84) return this.#stopProgram(session);
    if (roll < 90) return this.#kill(session);
    if (roll < 94) return void (await Promise.all([this.#resume(session), this.#kill(session)]));
    return oracle.living.length < population + 3 ? this.#create() : this.#kill(session);
  }

  async #create(): Promise<void> {
    const { host, oracle, dice, repository } = this.#parts;
    Traffic.#names += 1;
    const name = `session ${Traffic.#names}`;
    const kind = dice.oneOf(KINDS) ?? 'quiet';
    const isWorktree = dice.below(4) === 0;
    const worktree = { base_repo: repository, branch: `b-${Traffic.#names}` };
    const leaves = isWorktree && dice.below(2) === 0 ? 'echo work > left.txt; ' : '';
    const request: CreateSessionRequest = {
      command: leaves + COMMANDS[kind],
      metadata: { name },
      ...(isWorktree ? { worktree } : { cwd: host.dir }),
    };
    const deaths = oracle.tmuxDeaths;
    const answer = await this.#call<Session>('POST', '/api/sessions', request);
    if (answer === undefined) return oracle.createUnanswered(name, kind);
    expected(answer, [201, 503]);
    if (answer.status === 201) oracle.created(new KnownSession(answer.body.id, kind, name), deaths);
  }

  async #rename(session: KnownSession): Promise<void> {
    Traffic.#names += 1;
    const name = `renamed ${Traffic.#names}`;
    await this.#alone(session, 'name', async () => {
      await this.#change(session.name.ask(name), 'PATCH', session, '', { metadata: { name } });
    });
  }

  async #report(session: KnownSession): Promise<void> {
    Traffic.#names += 1;
    const [message, agent] = [`working on ${Traffic.#names}`, `agent-${Traffic.#names}`];
    await this.#alone(session, 'report', async () => {
      const [activity, conversation] = [session.activity.ask(message), session.agent.ask(agent)];
      const { oracle } = this.#parts;
      const isRaced = session.busy.has('life');
      const both = (settle: keyof Change) => () => {
        activity[settle]();
        conversation[settle]();
        if (isRaced || session.busy.has('life') || session.isKillAsked || oracle.isLossFresh || session.kind === 'ending')
          session.activity.allow(undefined);
      };
      const change = { acknowledged: both('acknowledged'), refused: both('refused'), unanswered: both('unanswered') };
      await this.#change(change, 'POST', session, '/activity', { state: 'working', message, agent_session: agent });
    });
  }

  async #resume(session: KnownSession): Promise<void> {
    await this.#alone(session, 'life', async () => {
      const { oracle } = this.#parts;
      const deaths = oracle.tmuxDeaths;
      await this.#change(session.changeLife('up'), 'POST', session, '/resume');
      if (session.kind === 'ending' || oracle.tmuxDeaths > deaths) session.life.allow('down');
    });
  }

  async #stopProgram(session: KnownSession): Promise<void> {
    await this.#alone(session, 'life', async () => {
      const answer = await this.#change(session.changeLife('down'), 'POST', session, '/stop');
      if (answer?.status === 200) session.stopped = answer.body.exit;
    });
  }

  /** Waits for nobody: it may come in the middle of anything. */
  async #kill(session: KnownSession): Promise<void> {
    const query = this.#parts.dice.oneOf(['', '?force=true', '?force=true', '?keep_worktree=true']) ?? '';
    const change = session.changeLife('gone');
    const answer = await this.#call<KillResult>('DELETE', `/api/sessions/${session.id}${query}`);
    if (answer?.status === 409) session.life.allow('down');
    this.#settle(change, answer, [404, 409, 503]);
  }

  async #alone(session: KnownSession, what: 'life' | 'name' | 'report', step: () => Promise<void>): Promise<void> {
    if (session.busy.has(what)) return;
    session.busy.add(what);
    try {
      await step();
    } finally {
      session.busy.delete(what);
    }
  }

  async #change(
    change: Change,
    ...[method, session, action, body]: [string, KnownSession, string, unknown?]
  ): Promise<Answer<Session> | undefined> {
    const answer = await this.#call<Session>(method, `/api/sessions/${session.id}${action}`, body);
    this.#settle(change, answer, [404, 409, 503]);
    return answer;
  }

  #settle(change: Change, answer: Answer<unknown> | undefined, refusals: readonly number[]): void {
    if (answer === undefined) change.unanswered();
    else if (answer.status === 200) change.acknowledged();
    else {
      change.refused();
      expected(answer, refusals);
    }
  }

  /** Undefined when the daemon went away meanwhile. */
  async #call<T>(method: string, path: string, body?: unknown): Promise<Answer<T> | undefined> {
    try {
      return await this.#parts.host.call<T>(method, path, body);
    } catch {
      return undefined;
    }
  }

  /** Looks at a session for a while, types a little, and now and then reads nothing. */
  async #view(): Promise<void> {
    const { host, oracle, dice } = this.#parts;
    const session = dice.oneOf(oracle.living);
    if (session === undefined) return;
    try {
      await using viewer = await PtyViewer.open(host, session.id);
      if (dice.below(3) === 0) viewer.pause();
      viewer.type('x\r');
      await delay(dice.below(300));
    } catch {
      // The daemon is gone, and the viewer with it.
    }
  }
}

function expected({ status, body }: Answer<unknown>, refusals: readonly number[]): void {
  if (!refusals.includes(status)) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}
