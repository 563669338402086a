import { z } from 'zod';
import { InventoryFileSchema, ObjectIdSchema } from '../../protocol/index.js';
import { formatTime } from '../clock.js';
import type { WorktreeRecord } from '../worktree-record.js';
import { bytesOf, type RawPath, shown } from './raw-path.js';

const TRAILER = 'Maestro-Salvage: ';

const ManifestFileSchema = InventoryFileSchema.extend({
  /** The path in Base64, where it is not UTF-8. */
  raw: z.base64().optional(),
  /** The permissions it had, in octal; absent for a symbolic link, and where nothing was on disk. */
  mode: z
    .string()
    .regex(/^[0-7]{3,4}$/)
    .optional(),
});

/** What the message of a salvage commit says for programs: its last line is JSON. A higher version is left alone. */
export const SalvageManifestSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  branch: z.string().optional(),
  name: z.string().optional(),
  created_at: z.string(),
  /** Where HEAD stood; absent before the first commit. */
  head: ObjectIdSchema.optional(),
  /** The parent whose tree is what was staged; absent where nothing differed from HEAD. */
  index: ObjectIdSchema.optional(),
  /** The parent whose tree has the sides of each conflict, as `1/PATH` to `3/PATH`. */
  stages: ObjectIdSchema.optional(),
  files: z.array(ManifestFileSchema),
});
export type SalvageManifest = z.infer<typeof SalvageManifestSchema>;
export type SalvageManifestFile = z.infer<typeof ManifestFileSchema>;

/** A commit message; people read its first lines with `git show`. */
export function salvageMessage(manifest: SalvageManifest): string {
  const from = manifest.branch === undefined ? 'a detached HEAD' : `branch ${manifest.branch}`;
  const found = `Maestro removed a worktree by ${manifest.files.length > 0 ? 'force' : 'request'} and saved what was only there.`;
  return `Saved worktree of ${from}\n\n${found}\n\n${TRAILER}${JSON.stringify(manifest)}\n`;
}

/** Undefined for a message that is none of Maestro's, or of a later version. */
export function parseSalvageMessage(message: string): SalvageManifest | undefined {
  const at = message.lastIndexOf(`\n${TRAILER}`);
  if (at < 0) return undefined;
  try {
    return SalvageManifestSchema.safeParse(JSON.parse(message.slice(at + 1 + TRAILER.length))).data;
  } catch {
    return undefined;
  }
}

export function manifestPath(file: SalvageManifestFile): RawPath {
  return Buffer.from(file.raw ?? file.path, file.raw === undefined ? 'utf8' : 'base64').toString('latin1');
}

/** The fields of a {@link SalvageManifestFile} that name `path`. */
export function manifestName(path: RawPath): { path: string; raw?: string } {
  const bytes = bytesOf(path);
  const isText = Buffer.from(shown(path), 'utf8').equals(bytes);
  return { path: shown(path), ...(isText ? {} : { raw: bytes.toString('base64') }) };
}

export interface ManifestParts {
  readonly now: number;
  readonly name: string | undefined;
  readonly head: string | undefined;
  readonly branch: string | undefined;
  readonly index: string | undefined;
  readonly stages?: string | undefined;
  readonly files: SalvageManifestFile[];
}

export function manifestOf(
  record: WorktreeRecord,
  { now, name = record.name, head, branch, index, stages, files }: ManifestParts,
): SalvageManifest {
  const where = {
    ...(branch === undefined ? {} : { branch }),
    ...(name === undefined ? {} : { name }),
    ...(head === undefined ? {} : { head }),
  };
  const commits = { ...(index === undefined ? {} : { index }), ...(stages === undefined ? {} : { stages }) };
  return { version: 1, id: record.id, ...where, created_at: formatTime(now), ...commits, files };
}
