import { destination, type Logger, pino } from 'pino';

/** JSON lines: a constant message, data in fields. Terminal bytes, environment values and tokens never go in. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Writes to standard error at once: a daemon that is killed has said all that it knew. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }));
}
