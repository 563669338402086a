/**
 * A place in a session's output: `EPOCH:OFFSET`. The epoch names one arming of the pipe (create, resume, adoption, re-arm); the offset
 * counts the bytes of that epoch's stream, after terminal queries were taken out.
 */
export interface Position {
  readonly epoch: number;
  readonly offset: number;
}

export function formatPosition(position: Position): string {
  return `${position.epoch}:${position.offset}`;
}

/** The position that `text` names, or undefined when it is none. */
export function parsePosition(text: string): Position | undefined {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(text);
  return match ? { epoch: Number(match[1]), offset: Number(match[2]) } : undefined;
}
