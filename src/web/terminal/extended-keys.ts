import type { Terminal } from '@xterm/xterm';

type Params = readonly (number | number[])[];
type Flags = readonly [base: number, ...pushed: number[]];

const NO_FLAGS: Flags = [0];
/** Terminals keep at least this many. */
const MOST_FLAGS = 16;
/** The flag of the kitty keyboard protocol by which keys are told apart that old terminals send the same bytes for. */
const DISAMBIGUATE = 1;
/** xterm's name of the keyboard resource in `CSI > 4 ; value m`. */
const MODIFY_OTHER_KEYS = 4;

/**
 * Follows what a program asks of the keyboard, which xterm.js does not: kitty's protocol and xterm's modifyOtherKeys. It comes with a
 * replay as well.
 *
 * Sources: the kitty keyboard protocol, "Progressive enhancement"; XTerm Control Sequences, XTMODKEYS.
 */
export class ExtendedKeys {
  readonly #terminal: Pick<Terminal, 'buffer'>;
  #flags: Readonly<Record<'normal' | 'alternate', Flags>> = { normal: NO_FLAGS, alternate: NO_FLAGS };
  #modifiesOtherKeys = false;

  constructor(terminal: Pick<Terminal, 'parser' | 'buffer'>) {
    const { parser } = terminal;
    this.#terminal = terminal;
    parser.registerCsiHandler({ prefix: '>', final: 'u' }, ([flags]) => this.#set((stack) => [...stack, numberOf(flags)]));
    parser.registerCsiHandler({ prefix: '<', final: 'u' }, ([times]) =>
      this.#set((stack) => stack.slice(0, -Math.max(1, numberOf(times)))),
    );
    parser.registerCsiHandler({ prefix: '=', final: 'u' }, (given) => this.#set((stack) => [...stack.slice(0, -1), changed(stack, given)]));
    parser.registerCsiHandler({ prefix: '>', final: 'm' }, (given) => this.#modify(given));
    parser.registerCsiHandler({ prefix: '>', final: 'n' }, ([resource = 0]) => this.#modify([resource, 0]));
    parser.registerEscHandler({ final: 'c' }, () => this.#reset());
  }

  /** What Enter sends with these modifiers, counted as terminals do: 1, and 1 for Shift, 2 for Alt, 4 for Ctrl. Undefined where nobody asked. */
  enter(modifiers: number): string | undefined {
    const flags = this.#flags[this.#terminal.buffer.active.type].at(-1) ?? 0;
    if ((flags & DISAMBIGUATE) !== 0) return `\u001b[13;${modifiers}u`;
    return this.#modifiesOtherKeys ? `\u001b[27;${modifiers};13~` : undefined;
  }

  #set(change: (stack: Flags) => readonly number[]): false {
    const { type } = this.#terminal.buffer.active;
    const [base = 0, ...pushed] = change(this.#flags[type]).slice(-MOST_FLAGS);
    this.#flags = { ...this.#flags, [type]: [base, ...pushed] };
    return false;
  }

  #modify([resource, value]: Params): false {
    const isAll = numberOf(resource) === 0 && value === undefined; // all resources, back to what they were
    if (isAll || resource === MODIFY_OTHER_KEYS) this.#modifiesOtherKeys = numberOf(value) > 0;
    return false;
  }

  #reset(): false {
    this.#flags = { normal: NO_FLAGS, alternate: NO_FLAGS };
    this.#modifiesOtherKeys = false;
    return false;
  }
}

/** How: 1 (or nothing) sets all flags, 2 adds, 3 takes away. */
function changed(stack: Flags, [given, how]: Params): number {
  const [flags, change] = [stack.at(-1) ?? 0, numberOf(given)];
  if (how === 2) return flags | change;
  return how === 3 ? flags & ~change : change;
}

function numberOf(param: number | number[] | undefined): number {
  return typeof param === 'number' ? param : 0;
}
