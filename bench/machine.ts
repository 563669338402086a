import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release } from 'node:os';

/** What numbers depend on. */
export interface Machine {
  readonly date: string;
  readonly cpus: number;
  readonly cpu: string;
  readonly kernel: string;
  readonly node: string;
  readonly tmux: string;
  /** Of the last minute. Above 1 the machine has something else to do, and the numbers are of no use. */
  readonly load: number;
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 19),
    cpus: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    kernel: release(),
    node: process.version.slice(1),
    tmux: execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim(),
    load: load(),
  };
}

export function load(): number {
  return loadavg()[0] ?? 0;
}
