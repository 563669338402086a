import { type Position, parsePosition } from '../../protocol/index.js';

/** The place in a stream up to which it was printed before this viewer came. */
export class PastMark {
  #end: Position | undefined;

  /** Takes the frame ahead of output; true where some of that was printed in the past. */
  begin(frame: { readonly position: string; readonly end?: string | undefined }): boolean {
    const from = parsePosition(frame.position);
    const end = frame.end === undefined ? undefined : parsePosition(frame.end);
    this.#end = from !== undefined && end !== undefined && isBefore(from, end) ? end : undefined;
    return this.#end !== undefined;
  }

  /** True when `position` is the first one that the past does not reach. */
  passes(position: Position): boolean {
    if (this.#end === undefined || isBefore(position, this.#end)) return false;
    this.#end = undefined;
    return true;
  }

  /** The connection broke: what was not received will be announced anew. True when there was some. */
  giveUp(): boolean {
    const was = this.#end !== undefined;
    this.#end = undefined;
    return was;
  }
}

/** A place in another stream is waited for no longer. */
function isBefore(position: Position, other: Position): boolean {
  return position.epoch === other.epoch && position.offset < other.offset;
}
