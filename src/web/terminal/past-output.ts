import type { Terminal } from '@xterm/xterm';

/** The mode of synchronized output, in which a terminal draws nothing until its end. */
const SYNCHRONIZED = 2026;

/**
 * Output that was printed in the past is drawn all at once, when the last of it has come: what it would show on the way there nobody wants
 * to see again. Until then the terminal shows what it showed before.
 */
export class PastOutput {
  readonly #terminal: Terminal;
  #isWriting = false;
  #isParsing = false;
  readonly #gone: AbortSignal;

  constructor(terminal: Terminal, gone: AbortSignal) {
    this.#terminal = terminal;
    this.#gone = gone;
    for (const final of ['h', 'l']) {
      // Programs begin and end parts of their own in this mode, which would show what they drew.
      terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => this.#isParsing && isOnly(modes, SYNCHRONIZED));
    }
  }

  /** What is parsed right now was printed in the past. */
  get isParsed(): boolean {
    return this.#isParsing;
  }

  /** What is written from now on. */
  begin(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#terminal.write('', () => this.#become(true));
  }

  /** What was written until now. `settle` is called when it has been parsed, before it is drawn. */
  end(settle: () => void): void {
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.#terminal.write('', () => {
      if (this.#gone.aborted) return;
      this.#become(false);
      settle();
      this.#terminal.refresh(0, this.#terminal.rows - 1);
    });
  }

  #become(past: boolean): void {
    this.#isParsing = past;
    const modes = privateModes(this.#terminal);
    if (typeof modes?.synchronizedOutput === 'boolean') modes.synchronizedOutput = past;
  }
}

/**
 * The mode itself, which xterm.js lets nobody set but a sequence: that could come into the middle of one of the program's. Where another
 * version has it elsewhere, the past is drawn as it comes.
 */
function privateModes(terminal: Terminal): { synchronizedOutput?: boolean } | undefined {
  const { _core: core } = terminal as unknown as { _core?: { coreService?: { decPrivateModes?: { synchronizedOutput?: boolean } } } };
  return core?.coreService?.decPrivateModes;
}

function isOnly(modes: readonly (number | number[])[], mode: number): boolean {
  return modes.length === 1 && modes[0] === mode;
}
