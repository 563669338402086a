import { setMaxListeners } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Host, SessionView } from './host.js';
import type { Viewer } from './viewer.js';

const SESSIONS = 60;
const CHURNERS = 3;
const VIEWERS = 24;
const LISTENERS = 6;
const TYPISTS = 2;

/** Fills its replay ring and tmux's history at once, so that what grows later is a leak, and goes on with 60 lines a second. */
const PRINTING = `line=$(printf '%0100d' 0); yes "$line" | head -n 6000
while :; do for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "$line"; done; sleep 0.2; done`;
const QUIET = 'exec cat';

/** What a day of people and scripts does, in minutes: sessions come, go and come back, and are looked at, heard and typed into. */
export class SoakLoad {
  readonly #host: Host;
  readonly #stop = new AbortController();
  #ids: string[] = [];
  #clients: Promise<void>[] = [];
  readonly done = { created: 0, killed: 0, resumed: 0, viewed: 0, stalled: 0, listened: 0, typed: 0, refused: 0 };

  private constructor(host: Host) {
    this.#host = host;
    setMaxListeners(0, this.#stop.signal); // each client waits with it
  }

  static async begin(host: Host): Promise<SoakLoad> {
    const load = new SoakLoad(host);
    while (load.#ids.length < SESSIONS) await load.#create();
    const repeat = (count: number, step: () => Promise<void>) => Array.from({ length: count }, () => load.#repeat(step));
    load.#clients = [
      ...repeat(CHURNERS, () => load.#churn()),
      ...repeat(VIEWERS, () => load.#view()),
      ...repeat(LISTENERS, () => load.#listen()),
      ...repeat(TYPISTS, () => load.#type()),
    ];
    return load;
  }

  /** Resolves once nobody wants anything any more. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#clients);
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) await step();
  }

  async #create(): Promise<void> {
    const { id } = await this.#host.create(this.done.created % 2 === 0 ? PRINTING : QUIET);
    this.done.created += 1;
    this.#ids.push(id);
  }

  /** One session is stopped and comes back, or goes for good and another comes. It is nobody else's meanwhile. */
  async #churn(): Promise<void> {
    const [id] = this.#ids.splice(Math.floor(Math.random() * this.#ids.length), 1);
    if (id === undefined) return;
    if (Math.random() < 0.5) {
      await this.#host.call<SessionView>('POST', `/api/sessions/${id}/stop`);
      await this.#host.call<SessionView>('POST', `/api/sessions/${id}/resume`);
      this.done.resumed += 1;
      this.#ids.push(id);
    } else {
      await this.#host.call('DELETE', `/api/sessions/${id}`);
      this.done.killed += 1;
      await this.#create();
    }
    await this.#pause(500);
  }

  /** One in four stops reading and is left so. */
  async #view(): Promise<void> {
    const id = this.#any();
    if (id === undefined) return;
    let viewer: Viewer;
    try {
      viewer = await this.#host.open(id);
    } catch {
      return; // It went in this moment.
    }
    using open = viewer;
    this.done.viewed += 1;
    await this.#pause(500);
    if (Math.random() < 0.25) {
      open.stall();
      this.done.stalled += 1;
    } else open.type('hello\r');
    await this.#pause(6000);
  }

  async #listen(): Promise<void> {
    const [hostname, port] = this.#host.daemon.ready.listen.split(':');
    const headers = { authorization: `Bearer ${this.#host.token}` };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ hostname, port, path: '/api/events', headers, agent: false }, resolve).once('error', reject);
    });
    this.done.listened += 1;
    response.on('error', () => undefined);
    if (Math.random() < 0.75) response.resume();
    await this.#pause(10_000);
    response.destroy();
  }

  async #type(): Promise<void> {
    const id = this.#any();
    if (id === undefined) return;
    try {
      await this.#host.call('POST', `/api/sessions/${id}/input`, { text: 'x'.repeat(2000), submit: true });
      this.done.typed += 1;
    } catch {
      this.done.refused += 1; // It went in this moment.
    }
    await this.#pause(300);
  }

  #any(): string | undefined {
    return this.#ids[Math.floor(Math.random() * this.#ids.length)];
  }

  /** Up to `ms`, or until the end. */
  async #pause(ms: number): Promise<void> {
    await delay(Math.random() * ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
