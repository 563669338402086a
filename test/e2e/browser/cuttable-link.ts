import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the daemon that can be cut like a cable that is pulled: what goes over it ends, and nothing more gets through. */
export class CuttableLink implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #frozen = new Set<Socket>();
  #isCut = false;

  private constructor(target: string) {
    const [host = '', port] = target.split(':');
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(Number(port), host);
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  static async to(target: string): Promise<CuttableLink> {
    const link = new CuttableLink(target);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** Where to connect instead of the target. */
  get listen(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Everything that goes over it vanishes and nobody hears of it, as when a laptop is shut or a router dies. New connections work. */
  freeze(): void {
    for (const socket of this.#sockets) {
      this.#frozen.add(socket);
      socket.unpipe().pause();
    }
  }

  mend(): void {
    this.#isCut = false;
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.once('close', () => {
      this.#sockets.delete(from);
      if (!this.#frozen.has(to)) to.destroy();
    });
    from.on('error', () => from.destroy());
    from.pipe(to);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
