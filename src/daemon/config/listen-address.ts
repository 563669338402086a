import { BlockList, isIP } from 'node:net';

/** Where the API listens besides its unix socket. */
export interface ListenAddress {
  /** A name or an address; an IPv6 one without brackets. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** `host:port`, with an IPv6 address in brackets. */
export function readListenAddress(value: unknown): ListenAddress | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9.-]+)):(?<port>\d{1,5})$/i.exec(value.trim());
  const { v6, name, port } = match?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  if (v6 !== undefined) return isIP(v6) === 6 ? { host: v6.toLowerCase(), port: Number(port) } : undefined;
  return name === undefined || isBrokenAddress(name) ? undefined : { host: name.toLowerCase(), port: Number(port) };
}

/** `127.0.1` and the like: resolvers read them as addresses that are not the ones they look like. */
function isBrokenAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) && isIP(name) !== 4;
}

/** True when nobody but this machine can reach the address. */
export function isLoopback({ host }: ListenAddress): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
