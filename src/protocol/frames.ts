import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './error.js';
import { ExitSchema, SessionStatusSchema, SizeSchema } from './session.js';

const PositionTextSchema = z.string().regex(/^\d{1,15}:\d{1,15}$/, 'must be EPOCH:OFFSET');
const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Text frames that the daemon sends on `/pty`. Terminal output goes in binary frames, counted on from the last `position`. */
export const ServerFrameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attached'),
    position: PositionTextSchema,
    size: SizeSchema,
    status: SessionStatusSchema,
    /** Where the stream ended at this moment: what comes before it was printed in the past. */
    end: PositionTextSchema.optional(),
  }),
  z.object({ type: z.literal('size'), size: SizeSchema, owner: z.boolean() }),
  z.object({ type: z.literal('gap'), position: PositionTextSchema, end: PositionTextSchema.optional() }),
  z.object({ type: z.literal('exit'), exit: ExitSchema.optional() }),
  /** The answer to a `ping`. */
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), code: z.enum(ERROR_CODES), message: z.string() }),
]);
export type ServerFrame = z.infer<typeof ServerFrameSchema>;

const ViewerDimension = z.number().finite();

/** Text frames that a viewer sends on `/pty`. Keystrokes go in binary frames. A viewer's size is clamped, not refused. */
export const ClientFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('size'), cols: ViewerDimension, rows: ViewerDimension }),
  z.strictObject({ type: z.literal('visibility'), visible: z.boolean() }),
  z.strictObject({ type: z.literal('ack'), position: PositionTextSchema }),
  z.strictObject({ type: z.literal('resync') }),
  /** Asks for a `pong`, behind all output that is on its way: a connection that has died tells nobody. */
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrameSchema>;

/** Close codes of `/pty` beside the standard ones. 1001: the daemon is going away and the session lives on. */
export const CLOSE_CODE = { notFound: 4404, notRunning: 4409, unavailable: 4503 } as const;

export const PtyQuerySchema = z.strictObject({
  after: PositionTextSchema.optional(),
  stream: z.enum(['0', '1']).optional(),
});
