import { ExactReader } from './exact-reader.js';
import type { Host } from './host.js';
import type { Payload } from './payload.js';
import type { Viewer } from './viewer.js';

/** Prints the file each time that a byte is typed. */
export function printsWhenAsked(file: string): string {
  return `stty raw -echo; printf ready; while head -c1 >/dev/null; do cat '${file}'; done`;
}

/** A session that prints a payload whenever it is asked to, and viewers that check each byte. */
export class Flood implements AsyncDisposable {
  readonly host: Host;
  readonly id: string;
  readonly #viewers: readonly Viewer[];
  readonly #readers: readonly ExactReader[];
  readonly #payload: Payload;

  private constructor(host: Host, id: string, { viewers, payload }: { viewers: readonly Viewer[]; payload: Payload }) {
    this.host = host;
    this.id = id;
    this.#viewers = viewers;
    this.#payload = payload;
    this.#readers = viewers.map((viewer) => new ExactReader(viewer, payload));
  }

  static async open(host: Host, payload: Payload, count = 1): Promise<Flood> {
    const { id } = await host.create(printsWhenAsked(payload.file));
    const viewers = Array.from({ length: count }, () => host.connect(id));
    await Promise.all(viewers.map((viewer) => viewer.shown('ready')));
    return new Flood(host, id, { viewers, payload });
  }

  /** Milliseconds until the whole payload has come to every viewer, `times` times over. */
  async run(times = 1): Promise<number> {
    const start = performance.now();
    for (let time = 0; time < times; time += 1) {
      const taken = this.#readers.map((reader) => reader.takes(this.#payload.bytes.length));
      this.#viewers[0]?.type('x');
      await Promise.all(taken);
    }
    return performance.now() - start;
  }

  /** Whether the bytes were those that were printed, for the table. */
  get exactness(): string {
    const differing = this.#readers.reduce((sum, { mismatches }) => sum + mismatches, 0);
    const gaps = this.#viewers.reduce((sum, viewer) => sum + viewer.gaps, 0);
    return differing + gaps === 0 ? 'byte-exact' : `not exact: ${gaps} gaps, ${differing} pieces differ`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const viewer of this.#viewers) viewer[Symbol.dispose]();
    await this.host.call('DELETE', `/api/sessions/${this.id}?force=true`);
  }
}
