import type { TestHost } from '../support/daemon-process.js';
import { PtyViewer } from '../support/pty-viewer.js';
import { until } from '../support/until.js';

/** What a printing session prints, in each of its lives from 1 on. */
const LINE = /run (\d+) line (\d+)\./g;

/** The steps from one line to the next that are wrong in what a new viewer of a printing session is shown: one twice, one left out. */
export async function brokenLines(host: TestHost, id: string): Promise<string[]> {
  await using viewer = await PtyViewer.open(host, id);
  const shown = () => [...viewer.shown.toString().matchAll(LINE)].map(([, run, line]) => ({ run: Number(run), line: Number(line) }));
  const screen = [...(await host.screen(id)).matchAll(LINE)].at(-1);
  const [run, line] = [Number(screen?.[1] ?? 0), Number(screen?.[2] ?? 0)];
  await until('the program to print on', () => shown().some((one) => one.run > run || (one.run === run && one.line > line)));
  const lines = shown();
  return lines.slice(1).flatMap((next, index) => {
    const last = lines[index];
    const isNext = last !== undefined && (next.run > last.run || (next.run === last.run && next.line === last.line + 1));
    return isNext ? [] : [`${id} shows run ${last?.run} line ${last?.line}, then run ${next.run} line ${next.line}`];
  });
}
