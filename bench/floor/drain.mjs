// A viewer in a process of its own, which takes all it is sent and does nothing with it.
import { WebSocket } from 'ws';

const [url, token] = process.argv.slice(2);
const socket = new WebSocket(url, { headers: token ? { authorization: `Bearer ${token}` } : {}, perMessageDeflate: false });
socket.once('message', () => console.log('{}'));
socket.on('message', () => undefined);
socket.on('close', () => process.exit());
