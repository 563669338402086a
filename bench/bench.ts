import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Crowd } from './crowd.js';
import type { Measure } from './measure.js';

/** Some lines of the table that are measured together. */
export interface Row {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<readonly Measure[]>;
}

interface BenchOptions {
  readonly rounds: number;
  /** Sizes and counts are divided by this, to try the bench itself. */
  readonly divisor: number;
}

/** What the rows share: how much to measure, a directory for files, and one host that only ever gets more sessions. */
export class Bench implements AsyncDisposable {
  readonly rounds: number;
  readonly dir: string;
  readonly crowd = new Crowd();
  readonly #divisor: number;

  private constructor(dir: string, { rounds, divisor }: BenchOptions) {
    this.dir = dir;
    this.rounds = rounds;
    this.#divisor = divisor;
    process.once('exit', this.#abandon);
  }

  /** The bench is cut off. */
  readonly #abandon = (): void => {
    rmSync(this.dir, { recursive: true, force: true });
  };

  static async open(options: BenchOptions): Promise<Bench> {
    return new Bench(await mkdtemp(join(tmpdir(), 'mb-')), options);
  }

  /** `full`, or less of it when the bench is only tried. */
  scaled(full: number): number {
    return Math.max(1, Math.round(full / this.#divisor));
  }

  /** One value for each round. */
  async each<T>(round: (index: number) => Promise<T>): Promise<T[]> {
    const values: T[] = [];
    for (let index = 0; index < this.rounds; index += 1) values.push(await round(index));
    return values;
  }

  /** Both in every round, turn and turn about, so that what disturbs the machine disturbs both. */
  async beside<T>(ours: () => Promise<T>, floor: () => Promise<T>): Promise<{ ours: T[]; floor: T[] }> {
    const pairs = await this.each(async (index) => {
      if (index % 2 === 0) return { ours: await ours(), floor: await floor() };
      const first = await floor();
      return { ours: await ours(), floor: first };
    });
    return { ours: pairs.map((pair) => pair.ours), floor: pairs.map((pair) => pair.floor) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#abandon);
    await this.crowd[Symbol.asyncDispose]();
    await rm(this.dir, { recursive: true, force: true });
  }
}
