import { chime } from './chime.js';
import type { OccasionKind } from './occasion.js';

/** After a tone there is none for so long, in milliseconds: many sessions that stop at once are one interruption. */
const REST_MS = 2_000;

/** Tones, not one upon the other. A question is heard even after the tone of an end. */
export class Chimes {
  #last: { readonly kind: OccasionKind; readonly at: number } | undefined;

  sound(kind: OccasionKind): void {
    const at = performance.now();
    const rests = this.#last !== undefined && at - this.#last.at < REST_MS;
    if (rests && (kind !== 'waiting' || this.#last?.kind === 'waiting')) return;
    this.#last = { kind, at };
    void chime(kind);
  }
}
