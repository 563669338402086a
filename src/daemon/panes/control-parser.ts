/** What tmux printed for one command. */
export interface ReplyBlock {
  /** False when tmux reported an error; `body` is then its text. */
  readonly ok: boolean;
  /** True for a command of a line that the client wrote; false for the attach itself and for what hooks run. */
  readonly own: boolean;
  /** The lines printed, without the newline of the last. */
  readonly body: Buffer;
}

export interface ControlEvents {
  block(block: ReplyBlock): void;
  /** A line outside of blocks, such as `%exit`. */
  notification(line: string): void;
}

interface OpenBlock {
  readonly own: boolean;
  readonly end: Buffer;
  readonly error: Buffer;
  readonly lines: Buffer[];
}

const NEWLINE = 0x0a;
const BEGIN = Buffer.from('%begin ');

/**
 * Cuts the output of `tmux -C` into reply blocks and notifications, byte for byte and however it arrives in chunks.
 *
 * A block ends only at the `%end` or `%error` with the time and number of its `%begin`; tmux counts that number over the life of its server, so
 * anything else that looks like a guard, such as a control-mode transcript on a captured screen, is body.
 */
export class ControlParser {
  readonly #events: ControlEvents;
  #unfinished: Buffer[] = [];
  #open: OpenBlock | undefined;

  constructor(events: ControlEvents) {
    this.#events = events;
  }

  /** Keeps `chunk`: the caller must not change it afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#line(this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.#unfinished.push(chunk.subarray(start));
  }

  #finish(tail: Buffer): Buffer {
    if (this.#unfinished.length === 0) return tail;
    const line = Buffer.concat([...this.#unfinished, tail]);
    this.#unfinished = [];
    return line;
  }

  #line(line: Buffer): void {
    const open = this.#open;
    if (open === undefined) this.#outside(line);
    else if (line.equals(open.end)) this.#close(open, true);
    else if (line.equals(open.error)) this.#close(open, false);
    else open.lines.push(line);
  }

  #outside(line: Buffer): void {
    const guard = line.subarray(0, BEGIN.length).equals(BEGIN) ? line.toString('latin1', BEGIN.length) : '';
    const match = /^\d+ \d+ (\d+)$/.exec(guard);
    if (match === null) this.#events.notification(line.toString());
    else this.#open = { own: match[1] === '1', end: Buffer.from(`%end ${guard}`), error: Buffer.from(`%error ${guard}`), lines: [] };
  }

  #close(open: OpenBlock, ok: boolean): void {
    this.#open = undefined;
    this.#events.block({ ok, own: open.own, body: joinLines(open.lines) });
  }
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const [only] = lines;
  if (only === undefined || lines.length === 1) return only ?? Buffer.alloc(0);
  const newline = Buffer.of(NEWLINE);
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [newline, line])));
}
