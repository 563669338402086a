import type { AddressInfo } from 'node:net';
import { MaestroError } from '../../protocol/index.js';
import type { ApiServer } from './server.js';

/** Ports tried after the default one is found taken. */
const MORE_PORTS = 100;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Asked for by the user: then a taken port is refused. A default moves on to the next free one. */
  readonly explicit: boolean;
}

/**
 * Listens on TCP and answers the port. A default that is taken moves to the next free port; `remembered`, where the daemon listened the
 * last time, is tried first, so that an address once printed stays good.
 */
export async function listenOnTcp(server: ApiServer, address: ListenAddress, remembered?: number): Promise<number> {
  const { host, port, explicit } = address;
  const candidates = explicit
    ? [port]
    : [...(remembered === undefined ? [] : [remembered]), ...Array.from({ length: MORE_PORTS }, (_, n) => port + n)];
  for (const candidate of candidates) {
    if (await tryListen(server, { host, port: candidate, explicit })) return (server.server.address() as AddressInfo).port;
  }
  const hint = explicit
    ? 'choose another with --listen, or end the program that uses it'
    : `ports ${port} to ${port + MORE_PORTS - 1} are all taken; choose one with --listen`;
  throw new MaestroError('invalid_request', `cannot listen on ${host}:${port}: the address is in use; ${hint}`, {
    details: { listen: `${host}:${port}` },
  });
}

async function tryListen(server: ApiServer, { host, port, explicit }: ListenAddress): Promise<boolean> {
  try {
    await server.listen({ host: host.replace(/^\[|\]$/g, ''), port });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || (code === 'EACCES' && !explicit)) return false;
    const why = code === 'EACCES' ? 'this user may not; choose a port above 1023' : (code ?? message);
    throw new MaestroError('invalid_request', `cannot listen on ${host}:${port}: ${why}`, { cause: error });
  }
}
