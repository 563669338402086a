import { connect } from 'node:net';
import type { SessionEnv } from './session-env.js';
import { timeOut } from './time-out.js';

/** `refused` is the daemon's last word; after `failed` the report may be tried again, and may have arrived all the same. */
export type Delivery = 'delivered' | 'refused' | 'failed';

const STATUS_LINE = /^HTTP\/1\.[01] ([2-5])\d\d/;
const STATUS_LINE_BYTES = 12;

/** Sends a report to the daemon and waits at most `withinMs` for what it says. Never rejects. */
export function deliver(session: SessionEnv, report: string, withinMs: number): Promise<Delivery> {
  return new Promise((resolve) => {
    const callOff = timeOut(withinMs, () => resolve('failed'));
    exchange(session.socket, request(session, report), (delivery) => {
      callOff();
      resolve(delivery);
    });
  });
}

/** `settle` may be called more than once; the first call counts. */
function exchange(path: string, text: string, settle: (delivery: Delivery) => void): void {
  try {
    const socket = connect({ path });
    let answer = '';
    socket.on('error', () => settle('failed'));
    socket.on('close', () => settle('failed'));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
      if (answer.length < STATUS_LINE_BYTES) return;
      settle(judged(answer));
      socket.destroy();
    });
    socket.write(text); // not `end`: in Bun that closes the other direction too
  } catch {
    settle('failed');
  }
}

function request({ id, token }: SessionEnv, body: string): string {
  const head = [
    `POST /api/sessions/${id}/report HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function judged(answer: string): Delivery {
  const kind = STATUS_LINE.exec(answer)?.[1];
  if (kind === '2') return 'delivered';
  return kind === '4' ? 'refused' : 'failed';
}
