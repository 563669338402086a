// The least that a terminal over a WebSocket can be: one pty for each connection, no persistence, no replay, no filter.
import { createRequire } from 'node:module';
import { WebSocketServer } from 'ws';

const { spawn } = createRequire(new URL('../pty/package.json', import.meta.url))('node-pty');
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket, request) => {
  const command = new URL(request.url, 'ws://localhost').searchParams.get('command');
  const pty = spawn('/bin/sh', ['-c', command], { cols: 120, rows: 40, encoding: null });
  pty.onData((bytes) => socket.send(bytes));
  pty.onExit(() => socket.close());
  socket.on('message', (bytes) => pty.write(bytes));
  socket.on('close', () => pty.kill('SIGKILL'));
});
server.on('listening', () => console.log(JSON.stringify({ listen: `127.0.0.1:${server.address().port}` })));
