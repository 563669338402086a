import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { fetchTransport } from '../../src/client/fetch-transport.js';
import { MaestroClient } from '../../src/client/maestro-client.js';

let server: Server;
let baseUrl: string;
const asked: { url?: string | undefined; authorization?: string | undefined; protocols?: string | undefined }[] = [];
beforeEach(async () => {
  asked.length = 0;
  server = createServer((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    response.end('[]');
  });
  new WebSocketServer({ server, handleProtocols: () => 'maestro.v1' }).on('connection', (socket, request) => {
    asked.push({ url: request.url, protocols: request.headers['sec-websocket-protocol'] });
    socket.close(4404, 'gone');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the token goes in a header, never in the address', async () => {
  const client = new MaestroClient(fetchTransport({ baseUrl, token: 's3cret' }));
  expect(await client.sessions()).toEqual([]);
  expect(asked).toEqual([{ url: '/api/sessions', authorization: 'Bearer s3cret' }]);
});

test('a WebSocket carries it as a subprotocol', async () => {
  const client = new MaestroClient(fetchTransport({ baseUrl, token: 's3cret', WebSocket }));
  const close = await new Promise((resolve) => client.openPty('x', { onClose: resolve }, { output: false }));
  expect(close).toEqual({ code: 4404, reason: 'gone' });
  expect(asked).toEqual([{ url: '/api/sessions/x/pty?stream=0', protocols: 'maestro.v1,maestro.bearer.s3cret' }]);
});

test('a daemon that is not there is unreachable', async () => {
  const client = new MaestroClient(fetchTransport({ baseUrl: 'http://127.0.0.1:1' }));
  await expect(client.sessions()).rejects.toMatchObject({ name: 'UnreachableError', reason: 'refused' });
});

test('a caller that gives up gets its own reason', async () => {
  const client = new MaestroClient(fetchTransport({ baseUrl }));
  await expect(client.sessions({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});

test('without a page it needs to be told where', () => {
  expect(() => fetchTransport()).toThrow('baseUrl');
});
