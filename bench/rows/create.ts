import type { Bench, Row } from '../bench.js';
import { Host } from '../host.js';
import { atMostTimes, type Measure } from '../measure.js';
import { PlainTmux } from '../plain-tmux.js';
import { median } from '../statistics.js';

const PROGRAM = 'printf ready; exec cat';
const ENDING = 'printf ready; read -r _';
const ONE_BY_ONE = 20;
const AT_ONCE = 50;

/** From the request to the first byte of output at a viewer, against `tmux new-session` in a terminal. */
export const create: Row = {
  name: 'create',
  run: async (bench) => {
    await using host = await Host.started();
    await using tmux = await PlainTmux.started(bench.dir);
    return [await oneByOne(bench, host, tmux), await atOnce(bench, host, tmux), await resumed(bench, host, tmux)];
  },
};

async function oneByOne(bench: Bench, host: Host, tmux: PlainTmux): Promise<Measure> {
  const count = bench.scaled(ONE_BY_ONE);
  const compared = await bench.beside(
    () => swept(host, async (made) => median(await inTurn(count, () => timedCreate(host, made)))),
    () => cleared(tmux, async () => median(await inTurn(count, () => tmux.create()))),
  );
  return { what: 'create, to the first byte', unit: 'ms', ...compared, aim: atMostTimes(1.1) };
}

async function atOnce(bench: Bench, host: Host, tmux: PlainTmux): Promise<Measure> {
  const count = bench.scaled(AT_ONCE);
  const together = async (one: () => Promise<number>) => Math.max(...(await Promise.all(Array.from({ length: count }, one))));
  const compared = await bench.beside(
    () => swept(host, (made) => together(() => timedCreate(host, made))),
    () => cleared(tmux, () => together(() => tmux.create())),
  );
  return { what: `${AT_ONCE} creates at once, to the first byte of the last`, unit: 'ms', ...compared, aim: atMostTimes(1.1) };
}

async function resumed(bench: Bench, host: Host, tmux: PlainTmux): Promise<Measure> {
  const { id } = await host.create(ENDING);
  const lives = { count: 1 };
  const count = bench.scaled(ONE_BY_ONE);
  const compared = await bench.beside(
    async () => median(await inTurn(count, () => timedResume(host, id, lives))),
    () => cleared(tmux, async () => median(await inTurn(count, () => tmux.create()))),
  );
  return { what: 'resume, to the first byte', unit: 'ms', ...compared, aim: atMostTimes(1.1) };
}

async function timedCreate(host: Host, made: string[]): Promise<number> {
  const start = performance.now();
  const { id } = await host.create(PROGRAM);
  made.push(id);
  const viewer = host.connect(id);
  const end = await viewer.shown('ready');
  viewer[Symbol.dispose]();
  return end - start;
}

/** What former lives printed comes first. */
async function timedResume(host: Host, id: string, lives: { count: number }): Promise<number> {
  const ending = host.connect(id);
  await ending.shown('ready', lives.count);
  ending.type('\n');
  await host.reaches(id, 'dead');
  lives.count += 1;
  const start = performance.now();
  await host.call('POST', `/api/sessions/${id}/resume`);
  const viewer = host.connect(id);
  const end = await viewer.shown('ready', lives.count);
  viewer[Symbol.dispose]();
  return end - start;
}

async function inTurn(count: number, one: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await one());
  return times;
}

/** Removes, when it is over, all sessions that `use` has made. */
async function swept(host: Host, use: (made: string[]) => Promise<number>): Promise<number> {
  const made: string[] = [];
  const time = await use(made);
  await Promise.all(made.map((id) => host.call('DELETE', `/api/sessions/${id}?force=true`)));
  return time;
}

async function cleared(tmux: PlainTmux, use: () => Promise<number>): Promise<number> {
  const time = await use();
  await tmux.clear();
  return time;
}
