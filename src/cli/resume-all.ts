import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { MaestroClient } from '../client/maestro-client.js';
import { UnreachableError } from '../client/transport.js';
import type { ResumeProgress, SessionEvent } from '../protocol/index.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import { connectTo } from './connect.js';
import { EXIT } from './exit-code.js';
import { printableLines } from './printable.js';
import { displayName } from './session-text.js';
import { countText } from './size-text.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const RECONNECT_AFTER_MS = 250;
const GO_ON = 'to go on: maestro resume --all';

/**
 * Has the daemon resume every dormant session, and tells of each how it went as soon as that is known. The daemon goes on by itself when
 * nobody listens any more.
 */
export class ResumeAll {
  readonly #context: CommandContext;
  readonly #client: MaestroClient;
  readonly #interrupted = new AbortController();
  readonly #names = new Map<string, string>();
  /** Those that the daemon was asked for; undefined until it has begun. */
  #asked: Set<string> | undefined;
  /** Those of which the result was told. */
  readonly #told = new Set<string>();
  #failures = 0;
  #progress: ResumeProgress = { total: 0, waiting: [], resuming: [], resumed: [], failed: [] };

  /** Answers an exit code. */
  static run(context: CommandContext): Promise<number> {
    return new ResumeAll(context).#run();
  }

  private constructor(context: CommandContext) {
    this.#context = context;
    this.#client = connectTo(context.stateDir);
  }

  async #run(): Promise<number> {
    let received: (typeof SIGNALS)[number] | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      received ??= SIGNALS.find((name) => name === signal);
      this.#interrupted.abort();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    try {
      while (!(await this.#listen())) await delay(RECONNECT_AFTER_MS, undefined, this.#interrupted);
      return this.#summary();
    } catch (error) {
      if (received === undefined) throw this.#explained(error);
      this.#tellInterruption();
      return 128 + constants.signals[received];
    } finally {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    }
  }

  /** Listens over one connection. True when all are through; false when the connection breaks before. */
  async #listen(): Promise<boolean> {
    try {
      for await (const event of this.#client.events(this.#interrupted)) {
        if (await this.#receive(event)) return true;
      }
    } catch (error) {
      const isCut = this.#asked !== undefined && error instanceof UnreachableError && error.reason === 'broken';
      if (!isCut) throw error;
    }
    return false;
  }

  /** True when all are through. */
  async #receive(event: SessionEvent): Promise<boolean> {
    if (event.type === 'session') this.#names.set(event.session.id, displayName(event.session));
    if (event.type === 'resumes' && this.#asked !== undefined) {
      this.#take(event.progress);
      return isIdle(event.progress) && this.#look(); // it may tell of those before
    }
    if (event.type !== 'snapshot') return false;
    for (const session of event.sessions) this.#names.set(session.id, displayName(session));
    if (this.#asked !== undefined) return this.#look();
    const dormant = event.sessions.filter(({ status }) => status === 'dormant').map(({ id }) => id);
    return dormant.length === 0 || this.#begin(dormant);
  }

  async #begin(dormant: readonly string[]): Promise<boolean> {
    const progress = await this.#client.resumeMany();
    const { waiting, resuming } = progress;
    const isNew = (id: string) => dormant.includes(id);
    this.#asked = new Set([...waiting, ...resuming, ...endedOf(progress).filter(isNew)]);
    const { output } = this.#context;
    if (output.isTerminal) output.note(`resuming ${countText(this.#asked.size, 'session')}; Ctrl-C leaves the daemon going on`);
    this.#take(progress);
    return isIdle(progress);
  }

  async #look(): Promise<boolean> {
    const progress = await this.#client.resumes();
    this.#take(progress);
    return isIdle(progress);
  }

  #take(progress: ResumeProgress): void {
    this.#progress = progress;
    const { output } = this.#context;
    const failed = new Map(progress.failed.map(({ id, message }) => [id, message]));
    for (const id of endedOf(progress)) {
      if (this.#told.has(id) || !this.#asked?.has(id)) continue;
      this.#told.add(id);
      const name = this.#names.get(id) ?? id.slice(0, 8);
      const message = failed.get(id);
      const count = `(${this.#told.size} of ${this.#asked.size})`;
      if (message === undefined) output.line(`resumed ${name} ${count}`);
      else output.note(`maestro: ${name} was not resumed ${count}: ${printableLines(message)}`);
      if (message !== undefined) this.#failures += 1;
    }
  }

  #summary(): number {
    const { output } = this.#context;
    const asked = this.#asked?.size ?? 0;
    const lost = asked - this.#told.size;
    if (lost > 0) throw new CliError('failed', `the daemon was restarted and has given up the other ${lost} of ${asked}; ${GO_ON}`);
    const failures = this.#failures === 0 ? '' : `; ${this.#failures} of ${asked} failed`;
    if (asked === 0) output.line('no session is dormant');
    else output.line(`resumed ${countText(asked - this.#failures, 'session')}${failures}`);
    output.document(this.#progress);
    return this.#failures === 0 ? EXIT.done : EXIT.failed;
  }

  #explained(error: unknown): unknown {
    if (this.#asked === undefined || !(error instanceof UnreachableError)) return error;
    const text = `the daemon went away after ${this.#told.size} of ${this.#asked.size}; once it runs again (maestro up --detach), ${GO_ON}`;
    return new CliError('failed', text, { cause: error });
  }

  #tellInterruption(): void {
    const { output } = this.#context;
    const left = (this.#asked?.size ?? 0) - this.#told.size;
    if (left > 0) output.note(`the daemon goes on with the other ${left}; maestro ls shows how far it is`);
    output.document(this.#progress);
  }
}

function isIdle({ waiting, resuming }: ResumeProgress): boolean {
  return waiting.length === 0 && resuming.length === 0;
}

/** One that failed may have been asked for again since. */
function endedOf({ waiting, resuming, resumed, failed }: ResumeProgress): string[] {
  const underWay = new Set([...waiting, ...resuming]);
  return [...resumed, ...failed.map(({ id }) => id)].filter((id) => !underWay.has(id));
}
