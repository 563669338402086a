import type { ChildProcess } from 'node:child_process';
import type { CommandContext } from './command-context.js';
import { connectTo } from './connect.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Only for the count in the farewell: a daemon that hangs is stopped without it. */
const COUNT_WITHIN_MS = 500;
/** Ending takes a moment, as everything is written down first. */
const SLOW_AFTER_MS = 10_000;

/** Passes the first Ctrl-C, hang-up or TERM on to the daemon, as one SIGTERM; later ones change nothing. */
export class DaemonStopper {
  readonly #daemon: ChildProcess;
  readonly #context: CommandContext;
  readonly #onSignal = () => this.#stop();
  #asked: boolean = false;
  #running: number | undefined;
  #slow: NodeJS.Timeout | undefined;

  constructor(daemon: ChildProcess, context: CommandContext) {
    this.#daemon = daemon;
    this.#context = context;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** True once the daemon was told to stop. */
  get asked(): boolean {
    return this.#asked;
  }

  /** How many sessions ran when it was told to stop, where it could say. */
  get running(): number | undefined {
    return this.#running;
  }

  /** One that was asked keeps on passing over signals: the process is about to end, and a Ctrl-C too many is not its reason. */
  dispose(): void {
    clearTimeout(this.#slow);
    if (this.#asked) return;
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  #stop(): void {
    if (this.#asked) return;
    this.#asked = true;
    void this.#countThenStop();
  }

  async #countThenStop(): Promise<void> {
    const host = await connectTo(this.#context.stateDir, COUNT_WITHIN_MS)
      .host()
      .catch(() => undefined);
    this.#running = host?.sessions.running;
    this.#daemon.kill('SIGTERM');
    const { pid } = this.#daemon;
    const text = `the daemon (pid ${pid}) is slow to stop; \`kill -9 ${pid}\` would be safe too: sessions live in tmux`;
    this.#slow = setTimeout(() => this.#context.output.note(text), SLOW_AFTER_MS);
  }
}
