// Sends `?bytes=` to whoever connects, in frames of 64 KiB: what a replay of as many bytes costs at least.
import { WebSocketServer } from 'ws';

const FRAME = Buffer.alloc(64 * 1024, 'x');
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket, request) => {
  let left = Number(new URL(request.url, 'ws://localhost').searchParams.get('bytes'));
  for (; left > 0; left -= FRAME.length) socket.send(FRAME.subarray(0, left));
});
server.on('listening', () => console.log(JSON.stringify({ listen: `127.0.0.1:${server.address().port}` })));
