import { constants } from 'node:os';

/** Such as `SIGKILL (9)`. */
export function signalName(signal: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return name === undefined ? `signal ${signal}` : `${name} (${signal})`;
}
