/**
 * How much the model tests do. The default suite runs a few fixed seeds and a few random sequences; fast-check prints the seed and the
 * path of one that fails.
 *
 * `MAESTRO_MODEL_RUNS=200 npx vitest run test/model` runs that many random ones of each kind. `MAESTRO_MODEL_SEED=<seed>` with
 * `MAESTRO_MODEL_PATH=<path>` plays one that has failed again; what tmux and the disk do in between is not replayed with it.
 */
const { MAESTRO_MODEL_RUNS, MAESTRO_MODEL_SEED, MAESTRO_MODEL_PATH } = process.env;

export interface Start {
  readonly seed: number;
  readonly path?: string;
}

const replayed: readonly Start[] =
  MAESTRO_MODEL_SEED === undefined
    ? []
    : [{ seed: Number(MAESTRO_MODEL_SEED), ...(MAESTRO_MODEL_PATH === undefined ? {} : { path: MAESTRO_MODEL_PATH }) }];

/** Where runs begin that are always made. */
export const STARTS: readonly Start[] = [{ seed: 1 }, { seed: 2 }, ...replayed];

/** How many random runs there are, where `few` are enough for every day. */
export function randomRuns(few: number): number {
  return MAESTRO_MODEL_RUNS === undefined ? few : Number(MAESTRO_MODEL_RUNS);
}

/** A deadline for so many runs, in milliseconds. */
export function perRun(runs: number): number {
  return 60_000 + runs * 60_000;
}
