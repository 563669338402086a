import { DEFAULT_SIZE, TimeSchema } from '../../protocol/index.js';
import { SIDECAR_VERSION, type Sidecar, SidecarSchema } from './sidecar.js';

export type DecodedSidecar =
  /** `omitted` names the fields that held nothing usable and were left out or got their default. */
  | { readonly kind: 'good'; readonly sidecar: Sidecar; readonly omitted: readonly string[] }
  /** Written by a newer Maestro: what can be understood of it, to be shown and never written. */
  | { readonly kind: 'newer'; readonly sidecar: Sidecar }
  | { readonly kind: 'bad'; readonly reason: string };

export interface SidecarOrigin {
  /** The id in the file's name. */
  readonly id: string;
  /** When the file was last written, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

type Fields = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly version?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
};

/** A session without one of these is still worth having; without any other field it could be resumed or cleaned up wrongly. */
const DISPENSABLE = new Set(['size', 'preset', 'agent_session', 'activity', 'exit']);

/** What a file of a newer version shows where this version does not understand it. */
const UNKNOWN = { status: 'dormant', cwd: '/', command: '' } as const;

/**
 * Reads the bytes of a sidecar file. An older file gets the defaults of what it lacks and becomes one of this version; null counts as
 * absent; fields that this version does not know are kept.
 */
export function decodeSidecar(bytes: Uint8Array, origin: SidecarOrigin): DecodedSidecar {
  const read = readFields(bytes);
  if (typeof read === 'string') return { kind: 'bad', reason: read };
  if (read.id !== origin.id) return { kind: 'bad', reason: 'the id in it is not the one in its name' };
  const version = majorVersion(read.version);
  if (version === undefined) return { kind: 'bad', reason: 'its version is not a number' };
  if (version > SIDECAR_VERSION) return { kind: 'newer', sidecar: shown(read, origin, version) };
  return current(withDefaults(read, origin), origin);
}

function current(fields: Fields, origin: SidecarOrigin): DecodedSidecar {
  const parsed = parse(fields);
  if ('sidecar' in parsed) return { kind: 'good', sidecar: parsed.sidecar, omitted: [] };
  const { wrong, reason } = parsed;
  if (!wrong.every((name) => DISPENSABLE.has(name))) return { kind: 'bad', reason };
  const rest = parse(withDefaults(without(fields, wrong), origin));
  return 'sidecar' in rest ? { kind: 'good', sidecar: rest.sidecar, omitted: wrong } : { kind: 'bad', reason };
}

/** Without its intent: nothing that was under way is finished or undone by a Maestro that may not know what it means. */
function shown(fields: Fields, origin: SidecarOrigin, version: number): Sidecar {
  const all = { ...UNKNOWN, ...withDefaults(without(fields, ['intent']), origin), version };
  const parsed = parse(all);
  // What is nested too deeply keeps the rest from being looked at, so that may take another turn.
  return 'sidecar' in parsed ? parsed.sidecar : shown(without(all, parsed.wrong), origin, version);
}

function readFields(bytes: Uint8Array): Fields | string {
  if (bytes.length === 0) return 'it is empty';
  if (bytes.every((byte) => byte === 0)) return 'it holds only NUL bytes, as after a power cut';
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    return 'it is not a JSON object';
  } catch (error) {
    // The parser's message quotes the file, which may hold secrets.
    return error instanceof SyntaxError ? 'it is not valid JSON' : 'it is not valid UTF-8';
  }
}

function majorVersion(version: unknown): number | undefined {
  if (version === undefined || version === null) return 0;
  if (typeof version === 'number') return Math.min(Math.floor(version), Number.MAX_SAFE_INTEGER);
  const major = typeof version === 'string' ? /^(\d{1,9})(?:\.\d+)*$/.exec(version)?.[1] : undefined;
  return major === undefined ? undefined : Number(major);
}

function withDefaults(fields: Fields, { modifiedMs }: SidecarOrigin): Fields {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const modified = new Date(modifiedMs).toISOString();
  return {
    status: 'dormant',
    env: {},
    metadata: {},
    size: DEFAULT_SIZE,
    run: 0,
    epoch: 0,
    ...present,
    version: SIDECAR_VERSION,
    created_at: time(fields.created_at) ?? modified,
    updated_at: time(fields.updated_at) ?? modified,
  };
}

/** A time in the one form that is written; one with an offset is brought into it. */
function time(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (TimeSchema.safeParse(value).success) return value;
  const parsed = new Date(value);
  return Number.isNaN(parsed.getTime()) ? undefined : parsed.toISOString();
}

type Parsed = { readonly sidecar: Sidecar } | { readonly wrong: readonly string[]; readonly reason: string };

function parse(fields: Fields): Parsed {
  try {
    const { data, error } = SidecarSchema.safeParse(fields);
    // What is nested too deeply to be written again must not be taken in: JSON.stringify throws where JSON.parse and the schema do not.
    JSON.stringify(fields);
    if (data !== undefined) return { sidecar: data };
    const wrong = new Set(error.issues.map((issue) => String(issue.path[0])));
    return { wrong: [...wrong], reason: error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const nested = Object.keys(fields).filter((name) => typeof fields[name] === 'object');
    return { wrong: nested, reason: 'it is nested too deeply' };
  }
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
