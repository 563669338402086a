import { Store } from '../parts/store.js';
import { type Modifiers, withModifiers } from './key-sequence.js';

/** Off, for the next key only, or until it is pressed again. */
export type LatchState = 'off' | 'once' | 'locked';

export interface LatchStates {
  readonly ctrl: LatchState;
  readonly alt: LatchState;
}

/** Ctrl and Alt of the key bar: a tap holds for one key, a long press until the next tap. */
export class ModifierLatch extends Store<LatchStates> {
  constructor() {
    super({ ctrl: 'off', alt: 'off' });
  }

  tap(key: keyof LatchStates): void {
    this.set({ ...this.value, [key]: this.value[key] === 'off' ? 'once' : 'off' });
  }

  hold(key: keyof LatchStates): void {
    this.set({ ...this.value, [key]: 'locked' });
  }

  /** What is held now; a modifier for one key is used up by this. */
  take(): Modifiers {
    const { ctrl, alt } = this.value;
    if (ctrl === 'once' || alt === 'once') this.set({ ctrl: released(ctrl), alt: released(alt) });
    return { ctrl: ctrl !== 'off', alt: alt !== 'off' };
  }

  /** What typing `text` sends. */
  apply(text: string): string {
    return text.startsWith('\u001b') ? text : withModifiers(text, this.take());
  }
}

function released(state: LatchState): LatchState {
  return state === 'once' ? 'off' : state;
}
