/** The public entry `maestro/client`: the API of a daemon, typed, for Node and for browsers. */
export * from './fetch-transport.js';
export * from './maestro-client.js';
export { PtyStream, type PtyStreamEvents, type PtyStreamOptions } from './pty-stream.js';
export * from './transport.js';
export * from './web-socket.js';
