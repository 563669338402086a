import type { Terminal } from '@xterm/xterm';
import { extendedKey, type HeldModifiers, type KeyboardStack, keyboardAfter, NO_KEYBOARD_FLAGS } from '../../protocol/index.js';

type Param = number | number[] | undefined;

const ENTER = 13;
/** xterm's name of the keyboard resource in `CSI > 4 ; value m`. */
const MODIFY_OTHER_KEYS = 4;

/** Follows what a program asks of the keyboard, which xterm.js does not. It comes with a replay as well. */
export class ExtendedKeys {
  readonly #terminal: Pick<Terminal, 'buffer'>;
  #keyboard: Readonly<Record<'normal' | 'alternate', KeyboardStack>> = { normal: NO_KEYBOARD_FLAGS, alternate: NO_KEYBOARD_FLAGS };
  #modifyOtherKeys = 0;

  constructor(terminal: Pick<Terminal, 'parser' | 'buffer'>) {
    const { parser } = terminal;
    this.#terminal = terminal;
    for (const prefix of ['>', '<', '=']) {
      parser.registerCsiHandler({ prefix, final: 'u' }, ([first, second]) => this.#set(prefix, [numberOf(first), numberOf(second)]));
    }
    parser.registerCsiHandler({ prefix: '>', final: 'm' }, ([resource, value]) => this.#modify(resource, value));
    parser.registerCsiHandler({ prefix: '>', final: 'n' }, ([resource]) => this.#modify(resource, 0));
    parser.registerEscHandler({ final: 'c' }, () => this.#reset());
  }

  /** What Enter sends with these modifiers. Undefined where nobody asked for them. */
  enter(held: HeldModifiers): string | undefined {
    const stack = this.#keyboard[this.#terminal.buffer.active.type];
    return extendedKey(ENTER, held, { stack, modifyOtherKeys: this.#modifyOtherKeys });
  }

  #set(prefix: string, params: readonly [number, number]): false {
    const { type } = this.#terminal.buffer.active;
    this.#keyboard = { ...this.#keyboard, [type]: keyboardAfter(this.#keyboard[type], prefix, params) };
    return false;
  }

  #modify(resource: Param, value: Param): false {
    const isAll = numberOf(resource) === 0 && value === undefined; // all resources, back to what they were
    if (isAll || resource === MODIFY_OTHER_KEYS) this.#modifyOtherKeys = numberOf(value);
    return false;
  }

  #reset(): false {
    this.#keyboard = { normal: NO_KEYBOARD_FLAGS, alternate: NO_KEYBOARD_FLAGS };
    this.#modifyOtherKeys = 0;
    return false;
  }
}

function numberOf(param: Param): number {
  return typeof param === 'number' ? param : 0;
}
