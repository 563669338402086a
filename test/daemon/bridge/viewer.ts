import { ModeTracker } from '../../../src/daemon/bridge/mode-tracker.js';
import type { EndReason, Sink } from '../../../src/daemon/bridge/subscriber.js';
import { preamble } from '../../../src/daemon/bridge/terminal-modes.js';
import type { Position } from '../../../src/protocol/index.js';

export interface Segment {
  readonly kind: 'attached' | 'gap';
  readonly start: Position;
  bytes: Buffer;
}

/** What a client sees and counts: each time it is told a position, a new segment begins. */
export class Viewer implements Sink {
  readonly segments: Segment[] = [];
  readonly ends: EndReason[] = [];
  /** How many more writes it takes before it is full. */
  room = Number.POSITIVE_INFINITY;
  overruns = 0;
  largestWrite = 0;

  attached(start: Position): void {
    this.segments.push({ kind: 'attached', start, bytes: Buffer.alloc(0) });
  }

  gap(start: Position): void {
    this.segments.push({ kind: 'gap', start, bytes: Buffer.alloc(0) });
  }

  write(chunk: Buffer): boolean {
    if (this.room <= 0) this.overruns += 1;
    this.room -= 1;
    this.largestWrite = Math.max(this.largestWrite, chunk.length);
    const segment = this.segments.at(-1);
    if (segment !== undefined) segment.bytes = Buffer.concat([segment.bytes, chunk]);
    return this.room > 0;
  }

  end(reason: EndReason): void {
    this.ends.push(reason);
  }

  get position(): Position {
    const { start, bytes } = this.segments.at(-1) ?? { start: { epoch: 0, offset: 0 }, bytes: Buffer.alloc(0) };
    return { epoch: start.epoch, offset: start.offset + bytes.length };
  }

  get text(): string {
    return this.segments.map(({ bytes }) => bytes.toString()).join('');
  }

  get kinds(): string[] {
    return this.segments.map(({ kind }) => kind);
  }
}

/**
 * The offset of the first byte of `stream` in `segment`, which is either continued or a replay behind the preamble that belongs there;
 * undefined if it is neither.
 */
export function streamStart({ start, bytes }: Segment, stream: Buffer, isContinued: boolean): number | undefined {
  const end = start.offset + bytes.length;
  for (let offset = start.offset; offset <= end; offset++) {
    const lead = bytes.subarray(0, offset - start.offset);
    if (bytes.subarray(lead.length).equals(stream.subarray(offset, end)) && (isContinued || isPreamble(lead, stream.subarray(0, offset))))
      return offset;
    if (isContinued) return undefined;
  }
  return undefined;
}

function isPreamble(lead: Buffer, before: Buffer): boolean {
  const tracker = new ModeTracker();
  tracker.feed(before);
  return tracker.isGround && preamble(tracker.modes).equals(lead);
}
