import { characterEnd, KeyDecoder, type Typed } from './key-decoder.js';

/** What becomes of what the user typed: bytes for the program, or a command to Maestro. `unknown` is a key that is no command. */
export type Wish = Buffer | 'detach' | 'help' | 'unknown';

/**
 * Finds the leader in what is typed. The key behind it is a command: `d` detaches, `?` helps, the leader itself is sent once. Nothing that
 * is pasted in brackets is a key.
 */
export class LeaderFilter {
  readonly #leader: string;
  readonly #decoder = new KeyDecoder();
  #pending = false;

  /** `leader` is a key in tmux's words, such as `C-b`. */
  constructor(leader: string) {
    this.#leader = leader;
  }

  /** The beginning of a key may have been read: call {@link flush} if nothing comes within a moment. */
  get isHolding(): boolean {
    return this.#decoder.isHolding;
  }

  feed(bytes: Buffer): Wish[] {
    const wishes: Wish[] = [];
    for (const typed of this.#decoder.feed(bytes)) wishes.push(...this.#judge(typed));
    return joined(wishes);
  }

  flush(): Wish[] {
    const typed = this.#decoder.flush();
    return typed === undefined ? [] : this.#judge(typed);
  }

  #judge(typed: Typed): Wish[] {
    const { kind, bytes, name } = typed;
    if (kind === 'report') return [bytes];
    if (!this.#pending) {
      this.#pending = kind === 'key' && name === this.#leader;
      return this.#pending ? [] : [bytes];
    }
    this.#pending = false;
    if (kind === 'paste') return [bytes];
    if (kind === 'text') return this.#commandThenText(bytes);
    return [name === this.#leader ? bytes : commandOf(name)];
  }

  #commandThenText(bytes: Buffer): Wish[] {
    const end = characterEnd(bytes, 0) ?? bytes.length;
    const rest = bytes.subarray(end);
    return [commandOf(bytes.toString('utf8', 0, end)), ...(rest.length === 0 ? [] : [rest])];
  }
}

function commandOf(key: string | undefined): Wish {
  if (key === 'd') return 'detach';
  return key === '?' ? 'help' : 'unknown';
}

/** Bytes that follow one another become one piece. */
function joined(wishes: readonly Wish[]): Wish[] {
  const pieces: Wish[] = [];
  let run: Buffer[] = [];
  const close = () => {
    if (run.length > 0) pieces.push(Buffer.concat(run));
    run = [];
  };
  for (const wish of wishes) {
    if (typeof wish !== 'string') run.push(wish);
    else {
      close();
      pieces.push(wish);
    }
  }
  close();
  return pieces;
}
