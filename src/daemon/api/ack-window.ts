import type { Position } from '../../protocol/index.js';

/** Output that a viewer which acknowledges may have received and not shown yet, in bytes. Far above how seldom one acknowledges. */
export const ACK_WINDOW = 1024 * 1024;

/**
 * How far a viewer lags behind what was sent to it. A socket tells only what has left this host, while a terminal in a browser can hold
 * any amount that it has not drawn. A viewer that never acknowledges is not held back.
 */
export class AckWindow {
  #sent: Position | undefined;
  #shown: number | undefined;
  #isUsed = false;

  /** Output goes on from here. What was under way before does not count any more. */
  begin(position: Position): void {
    this.#sent = position;
    this.#shown = position.offset;
  }

  sent(bytes: number): void {
    if (this.#sent) this.#sent = { epoch: this.#sent.epoch, offset: this.#sent.offset + bytes };
  }

  /** A position that was never sent, or belongs to what was sent before, says nothing. */
  shown({ epoch, offset }: Position): void {
    this.#isUsed = true;
    if (this.#sent?.epoch === epoch && offset <= this.#sent.offset) this.#shown = Math.max(this.#shown ?? 0, offset);
  }

  get isFull(): boolean {
    return this.#isUsed && this.#sent !== undefined && this.#sent.offset - (this.#shown ?? 0) > ACK_WINDOW;
  }
}
