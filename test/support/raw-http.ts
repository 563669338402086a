import { request } from 'node:http';
import { connect } from 'node:net';

/** What came back for bytes that were sent as they are: everything until the connection ended. */
export function exchange(listen: string, bytes: string | Uint8Array): Promise<string> {
  const [host = '', port] = listen.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    // A reset is an answer too: the daemon hung up on what it could not read.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
    );
    socket.once('close', () => resolve(text));
    socket.write(bytes);
  });
}

/** The status of a request with exactly these header lines. */
export async function statusOf(listen: string, path: string, headers: readonly string[]): Promise<number> {
  const answer = await exchange(listen, [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

export interface SocketAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A request over a unix socket; a text is sent as it is. */
export function overSocket(socketPath: string, method: string, path: string, body?: unknown): Promise<SocketAnswer> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const headers = sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => {
        const json = response.headers['content-type']?.includes('json') === true;
        resolve({ status: response.statusCode ?? 0, body: json ? JSON.parse(text) : text });
      });
    });
    call.once('error', reject).end(sent);
  });
}
