import { z } from 'zod';
import {
  AgentInfoSchema,
  BranchListSchema,
  ConversationSchema,
  DiffSchema,
  ERROR_STATUS,
  type ErrorCode,
  ExplanationSchema,
  FileDiffSchema,
  type HostPreset,
  HostPresetSchema,
  HostSchema,
  InputResultSchema,
  InventorySchema,
  KillResultSchema,
  MaestroError,
  PathCompletionsSchema,
  ProjectSchema,
  ProjectSetupSchema,
  RemovedWorktreeSchema,
  RestoredSalvageSchema,
  ResumeProgressSchema,
  SalvageDetailSchema,
  SalvageSchema,
  type ServerFrame,
  ServerFrameSchema,
  type Session,
  type SessionEvent,
  SessionEventSchema,
  SessionSchema,
  TrustedProjectSchema,
  UploadSchema,
  WorktreeEntrySchema,
} from '../protocol/index.js';

/**
 * What a daemon answers, read leniently: fields that this client does not know are kept and limits that only bind requests are not
 * checked, so that a newer daemon can be used.
 */
const SizeAnswer = z.looseObject({ cols: z.int(), rows: z.int() });
export const SessionAnswer = z.looseObject({ ...SessionSchema.shape, size: SizeAnswer }) satisfies z.ZodType<Session>;
export const SessionsAnswer = z.array(SessionAnswer);
export const HostAnswer = z.looseObject(HostSchema.shape);
export const HostPresetsAnswer = z.array(z.looseObject(HostPresetSchema.shape)) satisfies z.ZodType<HostPreset[]>;
export const AgentsAnswer = z.array(z.looseObject(AgentInfoSchema.shape));
export const ExplanationAnswer = z.looseObject(ExplanationSchema.shape);
export const ConversationsAnswer = z.array(z.looseObject(ConversationSchema.shape));
export const ResumeProgressAnswer = z.looseObject(ResumeProgressSchema.shape);
export const UploadAnswer = z.looseObject(UploadSchema.shape);
export const InputAnswer = z.looseObject(InputResultSchema.shape);
export const KillResultAnswer = z.looseObject(KillResultSchema.shape);
export const ProjectsAnswer = z.array(z.looseObject(ProjectSchema.shape));
export const PathCompletionsAnswer = z.looseObject(PathCompletionsSchema.shape);
export const BranchListAnswer = z.looseObject(BranchListSchema.shape);
export const ProjectSetupAnswer = z.looseObject(ProjectSetupSchema.shape);
export const TrustedProjectAnswer = z.looseObject(TrustedProjectSchema.shape);
export const TrustedProjectsAnswer = z.array(TrustedProjectAnswer);
export const RevokedTrustAnswer = z.looseObject({ revoked: z.boolean() });
export const InventoryAnswer = z.looseObject(InventorySchema.shape);
export const WorktreesAnswer = z.array(z.looseObject({ ...WorktreeEntrySchema.shape, inventory: InventoryAnswer.optional() }));
export const RemovedWorktreeAnswer = z.looseObject(RemovedWorktreeSchema.shape);
export const SalvagesAnswer = z.array(z.looseObject(SalvageSchema.shape));
export const SalvageDetailAnswer = z.looseObject(SalvageDetailSchema.shape);
export const RestoredSalvageAnswer = z.looseObject(RestoredSalvageSchema.shape);
export const DiffAnswer = z.looseObject(DiffSchema.shape);
export const FileDiffAnswer = z.looseObject(FileDiffSchema.shape);

/** Reads the JSON of an answer, or throws `internal`: daemon and client do not understand each other. */
export function readAnswer<T>(schema: z.ZodType<T>, bytes: Uint8Array, what: string): T {
  const answer = schema.safeParse(parseJson(bytes));
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new MaestroError('internal', `the daemon's answer to ${what} is not understood${where}: is one of the two much newer?`, {
    cause: answer.error,
  });
}

const ErrorAnswer = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
});

/** The error in an answer that is not 2xx. A code that this client does not know, or no code at all, becomes `internal`. */
export function readError(status: number, bytes: Uint8Array): MaestroError {
  const answer = ErrorAnswer.safeParse(parseJson(bytes));
  if (!answer.success)
    return new MaestroError('internal', `the daemon answered HTTP ${status} without an explanation`, { details: { status } });
  const { code, message, details } = answer.data.error;
  if (isErrorCode(code)) return new MaestroError(code, message, { details });
  return new MaestroError('internal', message, { details: { ...details, status, code } });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

/** One event of `/api/events`, or undefined for a kind that this client does not know. */
export function readEvent(data: string): SessionEvent | undefined {
  return readKnown(SessionEventAnswer, data);
}

/** One text frame of `/pty`, or undefined for a kind that this client does not know. */
export function readFrame(data: string): ServerFrame | undefined {
  return readKnown(ServerFrameSchema, data);
}

const [SnapshotShape, SessionShape, RemovedShape, TransitionShape, ResumesShape] = SessionEventSchema.options;
const SessionEventAnswer = z.discriminatedUnion('type', [
  SnapshotShape.extend({ sessions: SessionsAnswer }),
  SessionShape.extend({ session: SessionAnswer }),
  RemovedShape,
  TransitionShape,
  ResumesShape.extend({ progress: ResumeProgressAnswer }),
]);

function readKnown<T>(schema: z.ZodType<T>, data: string): T | undefined {
  const parsed = schema.safeParse(parseJson(data));
  return parsed.success ? parsed.data : undefined;
}

function parseJson(source: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof source === 'string' ? source : new TextDecoder().decode(source));
  } catch {
    return undefined;
  }
}
