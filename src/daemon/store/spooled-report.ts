import { z } from 'zod';
import { REPORT_LIMIT, ReportRequestSchema, SessionIdSchema } from '../../protocol/index.js';

const TOKEN_LIMIT = 200;
/** A report with what is around it. */
const LINE_LIMIT = REPORT_LIMIT + 1024;

const SpooledReportSchema = z.strictObject({
  ...ReportRequestSchema.shape,
  token: z.string().max(TOKEN_LIMIT),
  id: SessionIdSchema,
});

/** A report that waited for the daemon. Nobody has looked at its token yet. */
export type SpooledReport = z.infer<typeof SpooledReportSchema>;

/** Undefined for what no reporter of this session wrote. */
export function parseSpooled(line: string, id: string): SpooledReport | undefined {
  if (line.length > LINE_LIMIT) return undefined;
  try {
    const report = SpooledReportSchema.parse(JSON.parse(line));
    return report.id === id ? report : undefined;
  } catch {
    return undefined;
  }
}
