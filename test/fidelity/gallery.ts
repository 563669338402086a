import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../src/protocol/index.js';
import { TestHost } from '../support/daemon-process.js';
import { type Screen, screenOfTmux } from '../support/screen-of.js';
import { until } from '../support/until.js';
import { Watcher } from '../support/watcher.js';
import type { Program } from './programs.js';
import { random, type Step } from './recordings.js';
import { differences, Tally } from './tally.js';

/** So many looks in a row, in which nothing changes, mean that the program rests. */
const LOOKS_AT_REST = 3;
const MOST_CHECK_MS = 6_000;
/** Most drawing takes less. */
const LONGEST_DRAWING_MS = 15;

export type Moment = 'fresh' | 'reconnected' | 'resynced' | 'adopted' | 're-armed' | 'resized' | 'resumed' | 'stayed';

export interface Exhibit {
  readonly what: string;
  readonly session: Session;
  readonly keys: readonly string[];
  readonly ready: string;
  /** Attached from the start, over as many connections as it has had. */
  readonly steady: Watcher;
  readonly next: () => number;
  at: number;
}

/** Programs and recordings on one host, whose viewers are compared with tmux. */
export class Gallery implements AsyncDisposable {
  readonly host: TestHost;
  readonly tally = new Tally();
  readonly #panes = new Map<string, string>();

  private constructor(host: TestHost) {
    this.host = host;
  }

  static async open(env: Readonly<Record<string, string>> = {}): Promise<Gallery> {
    const host = await TestHost.started({ env });
    await copyFile(join(import.meta.dirname, 'player.mjs'), join(host.dir, 'player.mjs'));
    const text = Array.from({ length: 400 }, (_, i) => `${i} ${'word '.repeat(i % 23)}\u6f22\u5b57`);
    await writeFile(join(host.dir, 'text'), text.join('\n'));
    return new Gallery(host);
  }

  async play(what: string, steps: readonly Step[], seed = 0): Promise<Exhibit> {
    const file = join(this.host.dir, `${what.replaceAll(' ', '-')}-${seed}.json`);
    await writeFile(file, JSON.stringify(steps));
    const command = `exec ${process.execPath} player.mjs ${file}`;
    return this.#show(what, { command, ready: 'ready', keys: steps.map(() => 'n') }, seed);
  }

  run(what: string, program: Program, seed = 0): Promise<Exhibit> {
    return this.#show(what, program, seed);
  }

  async #show(what: string, { command, ready, keys }: Program, seed: number): Promise<Exhibit> {
    const session = await this.host.create({ command, size: { cols: 80, rows: 24 } });
    await this.host.shows(session.id, ready);
    const steady = await new Watcher(this.host, session).attach();
    return { what, session, keys, ready, steady, next: random(seed), at: 0 };
  }

  /** Types the next key, lets the program draw for a moment, and attaches while it does. */
  async step(exhibit: Exhibit, moment?: Moment): Promise<void> {
    const { session, steady, keys, next } = exhibit;
    steady.viewer.type(keys[exhibit.at++ % keys.length] ?? '');
    await delay(Math.floor(next() * LONGEST_DRAWING_MS));
    await using fresh = await new Watcher(this.host, session).attach();
    const chance = next();
    if (chance < 0.5) await steady.attach();
    else if (chance < 0.7) steady.viewer.tell({ type: 'resync' });
    const how: Moment = chance < 0.5 ? 'reconnected' : chance < 0.7 ? 'resynced' : 'stayed';
    await this.#compare(
      exhibit,
      new Map([
        [fresh, moment ?? 'fresh'],
        [steady, moment ?? how],
      ]),
    );
  }

  /** A viewer that attaches now, and the one that has been there. */
  async attach(exhibit: Exhibit, moment: Moment): Promise<void> {
    await using fresh = await new Watcher(this.host, exhibit.session).attach();
    await exhibit.steady.attach();
    await this.#compare(
      exhibit,
      new Map([
        [fresh, moment],
        [exhibit.steady, moment],
      ]),
    );
  }

  /** One that attaches after the size was changed. Who saw that happen wraps old lines anew in its own way, until the program redraws. */
  async attachResized(exhibit: Exhibit, cols: number, rows: number): Promise<void> {
    const { steady } = exhibit;
    const before = steady.viewer.framesOf('size').length;
    steady.viewer.tell({ type: 'size', cols, rows });
    await until('the size to have changed', () => steady.viewer.framesOf('size').length > before);
    await using fresh = await new Watcher(this.host, exhibit.session).attach();
    steady.viewer.tell({ type: 'resync' });
    await this.#compare(
      exhibit,
      new Map<Watcher, Moment>([
        [fresh, 'resized'],
        [steady, 'resized'],
      ]),
    );
  }

  /** Waits until the viewers show what tmux shows and all rest, and counts those that never do. */
  async #compare({ what, session }: Exhibit, watchers: ReadonlyMap<Watcher, Moment>): Promise<void> {
    const pane = await this.#pane(session.id);
    const shown = new Map<Watcher, Screen>();
    let expected: Screen | undefined;
    let seen = '';
    let looks = 0;
    const equal = until(
      'the viewers to show what tmux shows',
      async () => {
        for (const watcher of watchers.keys()) shown.set(watcher, await watcher.screen());
        expected = await screenOfTmux((...words) => this.host.tmux(...words), pane);
        const text = JSON.stringify(expected);
        const same = text === seen && [...shown.values()].every((screen) => isDeepStrictEqual(screen, expected));
        looks = same ? looks + 1 : 0;
        seen = text;
        return looks === LOOKS_AT_REST - 1;
      },
      MOST_CHECK_MS,
    );
    await equal.catch(() => undefined);
    for (const [watcher, moment] of watchers) {
      const screen = shown.get(watcher);
      if (screen && expected && isDeepStrictEqual(screen, expected)) this.tally.exact(what, moment);
      else this.tally.missed({ what, moment, differences: screen && expected ? differences(screen, expected) : 'tmux did not answer' });
    }
  }

  /** What viewers showed that tmux does not, since this was asked last; empty if all was exact. */
  get missed(): string {
    const misses = this.tally.misses.splice(0);
    return [...new Set(misses.map(({ what, moment, differences }) => `${what}, ${moment}\n    ${differences}`))].join('\n');
  }

  /** The pane of a session, which is another in each life. */
  async #pane(id: string): Promise<string> {
    const known = this.#panes.get(id);
    if (known !== undefined) return known;
    const pane = (await this.host.tmux('list-panes', '-a', '-f', `#{==:#{@maestro_id},${id}}`, '-F', '#{pane_id}')).trim();
    this.#panes.set(id, pane);
    return pane;
  }

  async restartDaemon(): Promise<void> {
    await this.host.restart();
  }

  /** Stops the program and starts it again; who watched it attaches anew. */
  async resume({ session, ready, steady }: Exhibit): Promise<void> {
    await this.host.call('POST', `/api/sessions/${session.id}/stop`);
    await this.host.reaches(session.id, 'dead');
    this.#panes.delete(session.id);
    const { status } = await this.host.resume(session.id);
    if (status !== 200) throw new Error(`resume answered ${status}`);
    await this.host.shows(session.id, ready);
    await steady.attach();
  }

  /** Ends what carries a session's output to the daemon. */
  async breakPipe({ session }: Exhibit): Promise<void> {
    const { epoch } = await this.host.sidecar(session.id);
    const pane = await this.#pane(session.id);
    await this.host.tmux('pipe-pane', '-t', pane);
    await until('a new epoch', async () => (await this.host.sidecar(session.id)).epoch !== epoch);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (process.env.MAESTRO_FIDELITY !== undefined) console.log(this.tally.toString());
    await this.host[Symbol.asyncDispose]();
  }
}

/** Works on all items, so many at a time. */
export async function inTurns<T>(items: readonly T[], width: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}
