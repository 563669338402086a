import { readdirSync, readFileSync } from 'node:fs';
import type { Host } from './host.js';
import { residentMib } from './process-facts.js';
import type { ProbeLine } from './soak-probe.js';

const MIB = 1024 * 1024;

/** What has to stay flat, with its unit. */
export const GAUGES = {
  rss: 'MiB',
  heap: 'MiB',
  buffers: 'MiB',
  descriptors: '',
  threads: '',
  processes: '',
  delay: 'ms',
  latency: 'ms',
  'tmux rss': 'MiB',
  'tmux descriptors': '',
} as const;
export type Gauge = keyof typeof GAUGES;
export type Sample = Readonly<Record<Gauge, number>>;

interface GaugeParts {
  readonly host: Host;
  readonly tmux: number;
  /** What the probe inside the daemon writes. */
  readonly probe: string;
}

/** One look at the daemon, at tmux, and at all that they started. */
export async function sample({ host, tmux, probe }: GaugeParts): Promise<Sample> {
  const { pid } = host.daemon;
  const asked = performance.now();
  await host.call('GET', '/api/sessions');
  const latency = performance.now() - asked;
  const { heap, external, delayP99 } = lastLine(probe);
  return {
    rss: residentMib(pid),
    heap: heap / MIB,
    buffers: external / MIB,
    descriptors: entries(`/proc/${pid}/fd`),
    threads: entries(`/proc/${pid}/task`),
    processes: processesOf(host.dir),
    delay: delayP99,
    latency,
    'tmux rss': residentMib(tmux),
    'tmux descriptors': entries(`/proc/${tmux}/fd`),
  };
}

function entries(directory: string): number {
  return readdirSync(directory).length;
}

function lastLine(path: string): ProbeLine {
  return JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '') as ProbeLine;
}

/** All processes whose environment or command line names the host's directory: programs, wrappers, pipes, helpers, zombies left out. */
function processesOf(directory: string): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && names(name, directory)).length;
}

function names(pid: string, directory: string): boolean {
  try {
    return ['environ', 'cmdline'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(directory));
  } catch {
    return false;
  }
}
