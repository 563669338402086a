import type { Bench, Row } from '../bench.js';
import type { Child } from '../child.js';
import { ECHO, type Echo, echo } from '../echo.js';
import { drain, Floor } from '../floors.js';
import { Host } from '../host.js';
import { type Aim, atMost, atMostTimes, type Measure } from '../measure.js';
import { MB, makePayload } from '../payload.js';

const KEYSTROKES = 300;

type Compared = { readonly ours: readonly Echo[]; readonly floor: readonly Echo[] };

function measures(what: string, compared: Compared, aims: Partial<Record<keyof Echo, Aim>>): Measure[] {
  return (['p50', 'p95', 'p99'] as const).map((key) => ({
    what: `${what}, ${key}`,
    unit: 'ms',
    ours: compared.ours.map((one) => one[key]),
    floor: compared.floor.map((one) => one[key]),
    ...(aims[key] === undefined ? {} : { aim: aims[key] }),
  }));
}

/** One session of an otherwise empty host, and one pty of the bare server; `between` runs with both open. */
async function withBoth<T>(use: (host: Host, floor: Floor) => Promise<T>): Promise<T> {
  const host = await Host.started();
  const floor = await Floor.start('bare-server');
  try {
    return await use(host, floor);
  } finally {
    await floor[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  }
}

export const echoIdle: Row = {
  name: 'echo',
  run: (bench) =>
    withBoth(async (host, floor) => {
      const ours = host.connect((await host.create(ECHO)).id);
      const bare = floor.connect({ command: ECHO });
      await Promise.all([ours.shown('ready'), bare.shown('ready')]);
      const count = bench.scaled(KEYSTROKES);
      const compared = await bench.beside(
        () => echo(ours, count),
        () => echo(bare, count),
      );
      return measures('keystroke echo, idle', compared, { p50: atMostTimes(1.2) });
    }),
};

export const echoBesideFlood: Row = {
  name: 'echo-flood',
  run: (bench) =>
    withBoth(async (host, floor) => {
      const { file } = makePayload(bench.dir, 'ascii', 10 * MB);
      const printing = `while :; do cat '${file}'; done`;
      const viewer = host.connect((await host.create(ECHO)).id);
      const bare = floor.connect({ command: ECHO });
      await Promise.all([viewer.shown('ready'), bare.shown('ready')]);
      const flooding = (await host.create(`head -c1 >/dev/null; ${printing}`)).id;
      const idle = await bench.each(() => echo(viewer, bench.scaled(KEYSTROKES)));
      (await host.open(flooding)).type('\n');
      const ours = await flooded(bench, viewer, drain(host.ptyUrl(flooding), host.token));
      await host.call('DELETE', `/api/sessions/${flooding}?force=true`);
      const ofBare = await flooded(bench, bare, drain(floor.url({ command: printing })));
      return [
        ...measures('echo beside a flood, against idle', { ours, floor: idle }, { p95: atMostTimes(2) }),
        ...measures('echo beside a flood, against the bare server beside one', { ours, floor: ofBare }, {}),
      ];
    }),
};

async function flooded(bench: Bench, viewer: Parameters<typeof echo>[0], draining: Promise<Child<object>>): Promise<Echo[]> {
  await using _ = await draining;
  return await bench.each(() => echo(viewer, bench.scaled(KEYSTROKES)));
}

/** The idle session is on another host, so that both can be asked in turn. */
function echoAmong(sessions: number, aims: Partial<Record<keyof Echo, Aim>>): Row {
  return {
    name: `echo-${sessions}`,
    run: async (bench) => {
      const crowded = await bench.crowd.of(bench.scaled(sessions));
      const alone = await Host.started();
      try {
        const { id } = await alone.create(ECHO);
        const single = alone.connect(id);
        const among = crowded.connect(bench.crowd.ids[0] ?? '');
        await Promise.all([among.shown('ready'), single.shown('ready')]);
        const compared = await bench.beside(
          () => echo(among, bench.scaled(KEYSTROKES)),
          () => echo(single, bench.scaled(KEYSTROKES)),
        );
        among[Symbol.dispose]();
        return measures(`echo with ${sessions} idle sessions, against idle`, compared, aims);
      } finally {
        await alone[Symbol.asyncDispose]();
      }
    },
  };
}

export const echoAmong20 = echoAmong(20, { p95: atMostTimes(2) });
export const echoAmong100 = echoAmong(100, {});
export const echoAmong500 = echoAmong(500, { p50: atMost(5, 'ms') });
