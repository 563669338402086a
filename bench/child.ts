import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A Node program that says on its first line, in JSON, that it is ready. Ended at disposal. */
export class Child<Ready> implements AsyncDisposable {
  readonly ready: Ready;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Ready) {
    this.#child = child;
    process.once('exit', this.#abandon);
    this.ready = ready;
  }

  static async start<Ready>(args: readonly string[], options: { env?: NodeJS.ProcessEnv; cwd?: string } = {}): Promise<Child<Ready>> {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'close').then(() => ['{}'])])) as [string];
    lines.close();
    child.stdout.resume();
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended at once: ${line}`);
    return new Child(child, JSON.parse(line) as Ready);
  }

  /** The bench is cut off. */
  readonly #abandon = (): void => {
    this.#child.kill('SIGKILL');
  };

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it and waits for that. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    process.off('exit', this.#abandon);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGCONT');
    this.#child.kill(signal);
    await gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}
