import { ECHO } from './echo.js';
import { Host } from './host.js';

/** So many creates are under way at once. */
const ABREAST = 8;

/** One host with many idle sessions, each of which echoes what is typed. */
export class Crowd implements AsyncDisposable {
  readonly ids: string[] = [];
  #host: Host | undefined;

  /** The host, once it has at least `count` sessions. */
  async of(count: number): Promise<Host> {
    this.#host ??= await Host.started();
    const host = this.#host;
    const add = async () => {
      while (this.ids.length < count) {
        const slot = this.ids.push('') - 1;
        this.ids[slot] = (await host.create(ECHO)).id;
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, add));
    return host;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host?.[Symbol.asyncDispose]();
  }
}
