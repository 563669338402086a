import fc from 'fast-check';

/** How many times as many runs as usual: for long searches. */
const FACTOR = Number(process.env.MAESTRO_FUZZ_RUNS ?? 1);

/** What a long search may take, in milliseconds. */
export const FUZZ_TIMEOUT = 60_000 * Math.max(1, FACTOR);

/** Set to the seed that a failure told, to see it again. */
const SEED = process.env.MAESTRO_FUZZ_SEED;

/** Checks the property with that many samples, times `MAESTRO_FUZZ_RUNS`. A failure tells its seed and the smallest sample found. */
export async function fuzz<T>(property: fc.IAsyncPropertyWithHooks<T> | fc.IPropertyWithHooks<T>, runs: number): Promise<void> {
  await fc.assert(property as fc.IAsyncPropertyWithHooks<T>, {
    numRuns: times(runs),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  });
}

export function times(runs: number): number {
  return Math.max(1, Math.ceil(runs * FACTOR));
}

/** Half of a surrogate pair, which UTF-8 cannot carry. */
export const HALF_CHARACTER = /\p{Surrogate}/u;

/** `bytes` cut at these places. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

export const cuts = fc.array(fc.nat(), { maxLength: 8 });
