import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiParts } from '../../../src/daemon/api/api-parts.js';
import { PtyConnection } from '../../../src/daemon/api/pty-connection.js';
import { SessionBench } from '../../support/session-bench.js';
import { until } from '../../support/until.js';

let bench: SessionBench;
beforeEach(async () => {
  bench = await SessionBench.create();
});
afterEach(() => bench[Symbol.asyncDispose]());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A viewer's end of nothing: takes all that is sent. */
class Socket extends EventEmitter {
  readonly readyState = WebSocket.OPEN;
  readonly bufferedAmount = 0;
  send(): void {}
  close(): void {}
}

/** A viewer that has come and gone; nothing of the test holds it. */
function viewed(id: string): WeakRef<Socket> {
  const socket = new Socket();
  const parts = { manager: bench.manager } as unknown as ApiParts;
  PtyConnection.open(socket as unknown as WebSocket, parts, { id, after: undefined, stream: true });
  socket.emit('close');
  return new WeakRef(socket);
}

test('T3: a program that runs for weeks keeps nothing of the viewers that have come and gone', async () => {
  const { id } = await bench.manager.create({ cwd: bench.dir, command: 'exec sleep 1000' });
  const gone = Array.from({ length: 20 }, () => viewed(id));
  await until('the viewers to be collected', async () => {
    await turn(); // a weak reference that was made or read is kept until the turn is over
    collect();
    return gone.every((socket) => socket.deref() === undefined);
  });
  expect(bench.manager.get(id).status).toBe('running');
});
