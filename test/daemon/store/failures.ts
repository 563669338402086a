import { MaestroError } from '../../../src/protocol/index.js';

/** The MaestroError that `work` rejects with; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<MaestroError> {
  const error: unknown = await work.then(
    () => new Error('it was to fail, and did not'),
    (reason: unknown) => reason,
  );
  if (error instanceof MaestroError) return error;
  throw error;
}
