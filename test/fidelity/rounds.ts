/** How often the long form goes through all of it, each time with other moments. Once by default. */
export const ROUNDS = Number(process.env.MAESTRO_FIDELITY ?? 1);

/** All of a list in the long form, else its first few. */
export function some<T>(list: readonly T[], count: number): readonly T[] {
  return ROUNDS > 1 ? list : list.slice(0, count);
}
