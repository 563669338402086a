import type { z } from 'zod';
import { SpawnPresetSchema } from '../../protocol/index.js';
import { closestName } from './closest-name.js';
import { configSchema, type Settings } from './config-schema.js';
import type { ConfigSource } from './config-source.js';

type Issue = z.core.$ZodIssue;

const FOUND_LIMIT = 80;

export interface CheckOptions {
  readonly home: string;
  /** Some source has the key `tls`. */
  readonly isEncrypted: boolean;
}

/** Checks what one source says: the settings, or a line for each thing that is wrong, naming the place, the key and what was expected. */
export function checkSettings(source: ConfigSource, { home, isEncrypted }: CheckOptions): Settings | readonly string[] {
  const checked = configSchema(home, isEncrypted).safeParse(source.values);
  return checked.success ? checked.data : checked.error.issues.flatMap((issue) => describe(issue, source));
}

function describe(issue: Issue, source: ConfigSource): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${source.locate([...issue.path, key])}: unknown key; ${hint(issue.path, key)}`);
  }
  const value = issue.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], source.values);
  return [`${source.locate(issue.path)}: ${rule(issue)}${found(value)}`];
}

function rule(issue: Issue): string {
  if (issue.code === 'invalid_union') {
    const last = issue.errors.at(-1)?.[0];
    return last === undefined ? issue.message : rule(last);
  }
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty';
  if (issue.code === 'too_big' && issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  if (issue.code !== 'invalid_type' || issue.message.startsWith('expected ')) return issue.message;
  return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = { string: 'text in quotes', object: 'a table', array: 'a list' };

function found(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return `, found ${Array.isArray(value) ? 'a list' : 'a table'}`;
  const text = typeof value === 'string' ? JSON.stringify(value) : value instanceof Date ? value.toISOString() : String(value);
  return `, found ${text.length > FOUND_LIMIT ? `${text.slice(0, FOUND_LIMIT)}…` : text}`;
}

const PRESET_FIELDS = Object.keys(SpawnPresetSchema.shape);

function hint(parent: readonly PropertyKey[], key: string): string {
  if (parent[0] === 'presets') return suggestion(key, PRESET_FIELDS);
  const names = keysOf(configSchema('/'));
  if (parent.length > 0 && names.includes(key)) return `${key} belongs above the first [table] of the file`;
  return suggestion([...parent, key].map(String).join('.'), names);
}

function suggestion(given: string, names: readonly string[]): string {
  const closest = closestName(given, names);
  return closest === undefined ? `the keys are ${names.join(', ')}` : `did you mean ${closest}?`;
}

function keysOf(schema: ReturnType<typeof configSchema>): string[] {
  const inner = Object.keys(schema.shape.projects.unwrap().shape).map((key) => `projects.${key}`);
  return Object.keys(schema.shape).flatMap((key) => (key === 'projects' ? inner : [key]));
}
