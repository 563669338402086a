import { createServer } from 'node:net';
import { MaestroError } from '../../../protocol/index.js';
import { invariant } from '../../invariant.js';

/** `count` ports from `start` on. */
export interface PortBlock {
  readonly start: number;
  readonly count: number;
}

export interface PortChoice {
  /** The first and the last port that may be chosen. */
  readonly range: readonly [number, number];
  /** At least 1. */
  readonly count: number;
  readonly taken: readonly PortBlock[];
}

const ADDRESSES = ['127.0.0.1', '::1'] as const;

/** What says that the machine lacks the address, and not that its port is in use. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EINVAL']);

/** The first port of the lowest block that no other has a part of and on which nothing listens. Rejects when there is none. */
export async function choosePorts(choice: PortChoice, probe: (port: number) => Promise<boolean> = isFree): Promise<number> {
  const { range, count } = choice;
  for (const start of blockStarts(choice)) {
    const ports = Array.from({ length: count }, (_, index) => start + index);
    if ((await Promise.all(ports.map(probe))).every(Boolean)) return start;
  }
  const text = `all blocks of ${count} ports between ${range[0]} and ${range[1]} are taken or in use; remove worktrees that are not needed, or configure a wider range`;
  throw new MaestroError('invalid_request', `worktree: ${text}`, { details: { field: 'worktree', count, range: [...range] } });
}

/** Blocks lie side by side from the beginning of the range, so that one that was freed is given as a whole again. */
export function* blockStarts({ range: [first, last], count, taken }: PortChoice): Generator<number> {
  invariant(count > 0, 'a block has ports');
  for (let start = first; start + count - 1 <= last; start += count) {
    const isTaken = taken.some((other) => start < other.start + other.count && other.start < start + count);
    if (!isTaken) yield start;
  }
}

/** Nothing on this machine listens on the port, as far as a server of this user could tell. */
export async function isFree(port: number): Promise<boolean> {
  for (const address of ADDRESSES) if (!(await canListen(port, address))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(NO_SUCH_ADDRESS.has(error.code ?? '')));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
