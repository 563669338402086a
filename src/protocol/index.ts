/** The public entry `maestro/protocol`: everything a client needs to know of the wire. */
export * from './auth.js';
export * from './error.js';
export * from './events.js';
export * from './frames.js';
export * from './host.js';
export * from './name.js';
export * from './position.js';
export * from './preset.js';
export * from './requests.js';
export * from './routes.js';
export * from './session.js';
export * from './text.js';
export * from './version.js';
