import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface ProxyOptions {
  /** For https. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** What stands before the daemon for other names and for https; it can be a bad one. It passes on the name that it was asked for. */
export class ReverseProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  /** Streams are cut this long after their first bytes, in milliseconds. */
  cutsAfterMs: number | undefined;
  /** Nobody is let in any more. */
  refuses = false;
  /** How often each kind of stream was begun. */
  readonly begun = { terminals: 0, events: 0 };

  private constructor(target: string, { tls }: ProxyOptions) {
    this.#target = new URL(`http://${target}`);
    this.#server = tls ? createHttpsServer(tls) : createHttpServer();
    this.#server.on('request', (asked, answer) => {
      if (this.refuses) {
        answer.writeHead(401, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      if (asked.url?.startsWith('/api/events')) this.begun.events += 1;
      const { method, url: path, headers } = asked;
      const passed = request(this.#target, { method, path, headers }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
        if (asked.url?.startsWith('/api/events')) from.once('data', () => this.#cut(asked.socket));
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      asked.pipe(passed);
    });
    this.#server.on('upgrade', (asked: IncomingMessage, near: Socket, head: Buffer) => this.#upgrade(asked, near, head));
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
  }

  static async to(target: string, options: ProxyOptions = {}): Promise<ReverseProxy> {
    const proxy = new ReverseProxy(target, options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #upgrade(asked: IncomingMessage, near: Socket, head: Buffer): void {
    this.begun.terminals += 1;
    near.on('error', () => near.destroy());
    if (this.refuses) {
      near.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const far = connect(Number(this.#target.port), this.#target.hostname);
    this.#keep(far);
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    const lines = asked.rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${asked.rawHeaders[at + 1]}`] : []));
    far.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    far.write(head);
    far.once('data', () => this.#cut(near));
    near.pipe(far).pipe(near);
  }

  #cut(socket: Socket): void {
    if (this.cutsAfterMs !== undefined) setTimeout(() => socket.destroy(), this.cutsAfterMs);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => this.#sockets.delete(socket));
  }

  /** All connections there are end. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }
}
