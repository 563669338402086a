/** The public entry `maestro/client`: the API of a daemon, typed, for Node and for browsers. */
export type { CallOptions } from './api-calls.js';
export { Backoff, type BackoffOptions } from './backoff.js';
export * from './fetch-transport.js';
export * from './maestro-client.js';
export { PtyStream, type PtyStreamEvents, type PtyStreamOptions } from './pty-stream.js';
export {
  mayReconnect,
  type PtyState,
  ReconnectingPty,
  type ReconnectingPtyEvents,
  type ReconnectingPtyOptions,
} from './reconnecting-pty.js';
export * from './repository-client.js';
export { type FeedSnapshot, type FeedState, SessionFeed, type SessionFeedOptions } from './session-feed.js';
export * from './transport.js';
export * from './web-socket.js';
