import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { TcpTransport } from '../../../src/cli/attach/tcp-transport.js';
import type { Socket, SocketClose } from '../../../src/client/transport.js';
import { until } from '../../support/until.js';

let server: Server;
let viewers: { socket: WebSocket; authorization: string | undefined; url: string | undefined }[];
let refuseWith: number | undefined;
let transports: Socket[];
let origin: string;

beforeEach(async () => {
  viewers = [];
  transports = [];
  refuseWith = undefined;
  server = createServer((request, response) => {
    if (request.url === '/slow') response.write('{');
    else response.end(JSON.stringify({ authorization: request.headers.authorization }));
  });
  const sockets = new WebSocketServer({ noServer: true, autoPong: false });
  server.on('upgrade', (request, socket, head) => {
    if (refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${refuseWith} No\r\nconnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (viewer) => {
      viewers.push({ socket: viewer, authorization: request.headers.authorization, url: request.url });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const socket of transports) socket.close();
  for (const { socket } of viewers) socket.terminate();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open(transport: TcpTransport) {
  const seen: { bytes: number; close: SocketClose | undefined } = { bytes: 0, close: undefined };
  const socket = transport.openSocket(
    '/pty',
    {
      onOpen: () => {},
      onMessage: (data) => {
        seen.bytes += data.length;
      },
      onClose: (close) => {
        seen.close = close;
      },
    },
    { after: '1:2' },
  );
  transports.push(socket);
  return seen;
}

describe('a WebSocket over TCP', () => {
  test('bears the token in a header, never in the URL', async () => {
    open(new TcpTransport({ origin, token: 'T' }));
    const viewer = await until('the viewer', () => viewers[0]);
    expect(viewer).toMatchObject({ authorization: 'Bearer T', url: '/pty?after=1%3A2' });
    expect(viewer.socket.protocol).toBe('maestro.v1');
  });

  test.each([401, 403])('that is refused with %i is not worth another try', async (status) => {
    refuseWith = status;
    const seen = open(new TcpTransport({ origin, token: 'T' }));
    expect(await until('the close', () => seen.close)).toMatchObject({ code: 1008, reason: expect.stringContaining('the daemon') });
  });

  test('that is refused for another reason is a broken connection, as is one to nobody', async () => {
    refuseWith = 502;
    const refused = open(new TcpTransport({ origin, token: 'T' }));
    const nobody = open(new TcpTransport({ origin: 'http://127.0.0.1:1', token: 'T' }));
    expect(await until('the close', () => refused.close)).toMatchObject({ code: 1006 });
    expect(await until('the close', () => nobody.close)).toMatchObject({ code: 1006 });
  });

  test('that is held back makes the daemon wait, and goes on with nothing lost', async () => {
    const transport = new TcpTransport({ origin, token: 'T' });
    transport.pause(); // also before it is open
    const seen = open(transport);
    const { socket } = await until('the viewer', () => viewers[0]);
    const total = 32 * 1024 * 1024;
    for (let sent = 0; sent < total; sent += 64 * 1024) socket.send(Buffer.alloc(64 * 1024));
    await until('the network to be full', async () => {
      const before = socket.bufferedAmount;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return socket.bufferedAmount === before;
    });
    expect(socket.bufferedAmount).toBeGreaterThan(total / 2);
    expect(seen.bytes).toBeLessThan(1024 * 1024);
    transport.resume();
    await until('all of it', () => seen.bytes === total);
  });

  test('whose other end answers no more is ended', async () => {
    const seen = open(new TcpTransport({ origin, token: 'T', pingEveryMs: 20 }));
    expect(await until('the close', () => seen.close)).toMatchObject({ code: 1006 });
  });
});

describe('a request over TCP', () => {
  test('bears the token', async () => {
    const { status, body } = await new TcpTransport({ origin, token: 'T' }).request('GET', '/x');
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    expect({ status, text }).toEqual({ status: 200, text: '{"authorization":"Bearer T"}' });
  });

  test('that nobody answers says where nobody does', async () => {
    const asked = new TcpTransport({ origin: 'http://127.0.0.1:1', token: 'T' }).request('GET', '/x');
    await expect(asked).rejects.toMatchObject({ name: 'UnreachableError', message: expect.stringContaining('http://127.0.0.1:1') });
    const elsewhere = new TcpTransport({ origin: 'http://nowhere.invalid', token: 'T' }).request('GET', '/x');
    await expect(elsewhere).rejects.toMatchObject({
      name: 'UnreachableError',
      message: expect.stringMatching(/nowhere\.invalid cannot be reached: /),
    });
  });

  test('whose answer breaks off is told as such', async () => {
    const asked = new TcpTransport({ origin, token: 'T' }).request('GET', '/slow');
    setTimeout(() => server.closeAllConnections(), 50);
    await expect(asked).rejects.toMatchObject({ name: 'UnreachableError', reason: 'broken' });
  });
});
