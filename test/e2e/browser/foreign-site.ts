import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site of somebody else on this machine. It answers everything with an empty page, and notes the cookies it is sent. */
export class ForeignSite implements AsyncDisposable {
  readonly #server: Server;
  /** The cookies of each request, by path. */
  readonly cookies = new Map<string, string>();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.cookies.set(request.url ?? '', request.headers.cookie ?? '');
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
      response.setHeader('access-control-allow-credentials', 'true');
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>foreign</title><body></body>');
    });
  }

  static async start(): Promise<ForeignSite> {
    const site = new ForeignSite();
    site.#server.listen(0, '127.0.0.1');
    await once(site.#server, 'listening');
    return site;
  }

  /** Its origin under a name that resolves to this machine. */
  origin(name: string): string {
    return `http://${name}:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
