import type { Ancestor } from './ancestors.js';
import { type Json, jsonBytes, prune } from './prune.js';

/** What the daemon takes at most, in bytes of JSON: the protocol's `REPORT_LIMIT`, without the libraries that come with it. */
const REPORT_LIMIT = 64 * 1024;

export interface ReportParts {
  readonly agent: string;
  readonly run: number;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
  readonly pid: number;
  readonly ancestors: readonly Ancestor[];
}

/** The JSON of a report, its payload made as small as it has to be. Undefined when that cannot be done. */
export function composeReport({ agent, run, at, pid, ancestors }: ReportParts, payload: Json): string | undefined {
  const around = { agent, run, at, pid, ancestors: ancestors.map(({ pid, name }) => ({ pid, name })) };
  const kept = prune(payload, REPORT_LIMIT - jsonBytes({ ...around, payload: '' }));
  return kept === undefined ? undefined : JSON.stringify({ ...around, payload: kept });
}
