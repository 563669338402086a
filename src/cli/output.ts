const SGR = { green: 32, yellow: 33, red: 31, cyan: 36, grey: 90, bold: 1 } as const;

export type Style = keyof typeof SGR;

export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array): unknown;
  on?(event: 'error', listener: () => void): unknown;
}

export interface OutputOptions {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** One JSON document on standard output instead of text. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where a command writes. It is handed text that is {@link printable} already. */
export class Output {
  readonly json: boolean;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #env: OutputOptions['env'];
  #isRead = true;

  constructor({ stdout, stderr, json, env }: OutputOptions) {
    this.json = json;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#env = env;
    stdout.on?.('error', () => {
      this.#isRead = false;
    });
  }

  get isTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** False once whoever reads the result has seen enough, such as `head`. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The terminal's width, or undefined where output goes elsewhere and nothing has to fit. */
  get width(): number | undefined {
    return this.isTerminal ? this.#stdout.columns : undefined;
  }

  style(style: Style, text: string): string {
    return this.#styled(this.#stdout) ? `\x1b[${SGR[style]}m${text}\x1b[0m` : text;
  }

  /** As {@link style}, for a remark. */
  noteStyle(style: Style, text: string): string {
    return this.#styled(this.#stderr) ? `\x1b[${SGR[style]}m${text}\x1b[0m` : text;
  }

  /** A line of the result, for people. With `--json` it is left out. */
  line(text: string): void {
    if (!this.json) this.#stdout.write(`${text}\n`);
  }

  /** The result for programs. Without `--json` it is left out. Call it once. */
  document(value: unknown): void {
    if (this.json) this.#stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
  }

  /** Bytes or text exactly as they are. */
  raw(data: string | Uint8Array): void {
    this.#stdout.write(data);
  }

  /** A remark beside the result, on standard error. */
  note(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  #styled(stream: Stream): boolean {
    return stream.isTTY === true && !this.#env.NO_COLOR && this.#env.TERM !== 'dumb';
  }
}
