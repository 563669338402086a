import { z } from 'zod';
import { SalvageSchema } from '../protocol/index.js';

/** The major version of the format of salvage records. */
export const SALVAGE_RECORD_VERSION = 1;

/** Where a salvage is. The ref in the repository is the truth of what it holds; this is how it is found again. */
export const SalvageRecordSchema = z.looseObject({
  ...SalvageSchema.omit({ missing: true, expires_at: true }).shape,
  version: z.int(),
  /** The repository's common git directory, absolute. */
  git_dir: z.string(),
});
export type SalvageRecord = z.infer<typeof SalvageRecordSchema>;
