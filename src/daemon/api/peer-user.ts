import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

export type Peer = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/**
 * The id of the user whose process is at the other end of a connection over loopback. Undefined where it comes from elsewhere or through
 * another network namespace, and where the system does not tell, as macOS.
 *
 * Source: proc(5), `/proc/net/tcp`. A line there is `sl local_address rem_address st tx:rx tr:tm retrnsmt uid …`, as the peer sees it.
 */
export async function peerUser({ localAddress, localPort, remoteAddress, remotePort }: Peer): Promise<number | undefined> {
  const [theirs, ours] = [endOf(remoteAddress, remotePort), endOf(localAddress, localPort)];
  if (theirs === undefined || ours === undefined) return undefined;
  const table = await readFile(theirs.length > V4_LENGTH ? '/proc/net/tcp6' : '/proc/net/tcp', 'latin1').catch(() => '');
  const line = table.split('\n').find((text) => text.includes(` ${theirs} ${ours} `));
  const user = line?.trim().split(/\s+/)[7];
  return user === undefined ? undefined : Number(user);
}

const V4_LENGTH = '0100007F:1D09'.length;

/** One end of a connection over loopback as the table writes it: words of four bytes, the last byte first. */
function endOf(address = '', port = 0): string | undefined {
  const end = (words: string) => `${words}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  if (address === '::1') return end('00000000000000000000000001000000');
  const v4 = /^(?:::ffff:)?(127\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return v4 && end(Buffer.from(v4.split('.').reverse().map(Number)).toString('hex').toUpperCase());
}
