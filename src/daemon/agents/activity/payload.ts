import { createHash } from 'node:crypto';
import { AgentSessionSchema } from '../../../protocol/index.js';
import { plainMessage } from './plain-message.js';

const MOST_ITEMS = 1000;
const LABEL_LIMIT = 64;
const MESSAGE_INPUT_LIMIT = 1000;
const MOST_SUBJECT_CHARACTERS = 64 * 1024;

/** A JSON object of unknown origin, read one field at a time; what is not of the kind asked for is as good as absent. */
export class Payload {
  readonly #fields: Readonly<Record<string, unknown>>;

  private constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  static of(value: unknown): Payload | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Payload(value as Readonly<Record<string, unknown>>)
      : undefined;
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  object(name: string): Payload | undefined {
    return Payload.of(this.value(name));
  }

  objects(name: string): readonly Payload[] {
    const value = this.value(name);
    if (!Array.isArray(value)) return [];
    return value.slice(0, MOST_ITEMS).flatMap((item) => Payload.of(item) ?? []);
  }

  /** As it is, for comparing. */
  text(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  message(name: string): string | undefined {
    return plainMessage(this.value(name));
  }

  /** A short name in one line. */
  label(name: string): string | undefined {
    return plainMessage(this.value(name), LABEL_LIMIT)?.replace(/\s+/g, ' ');
  }

  /** A conversation's id. */
  conversation(name: string): string | undefined {
    const checked = AgentSessionSchema.safeParse(this.value(name));
    return checked.success ? checked.data : undefined;
  }
}

/** What a tool is asked to do, such as `Bash: npm test`. */
export function toolMessage(tool: string | undefined, input: Payload | undefined): string | undefined {
  const what = ['command', 'file_path', 'path', 'url', 'query', 'description'].map((name) =>
    plainMessage(input?.value(name), MESSAGE_INPUT_LIMIT),
  );
  const first = what.find((text) => text !== undefined);
  return first === undefined ? tool : `${tool ?? 'tool'}: ${first}`;
}

/** The first question that is asked, with how many follow. */
export function questionMessage(payload: Payload | undefined): string | undefined {
  const questions = payload?.objects('questions') ?? [];
  const first = questions[0]?.message('question');
  return first === undefined || questions.length === 1 ? first : plainMessage(`${first} (and ${questions.length - 1} more)`);
}

/** The same for the request to use a tool and for the use, so that one is known to answer the other. */
export function subjectOf(tool: string | undefined, input: Payload | undefined, whole: unknown): string | undefined {
  if (tool === undefined) return undefined;
  const asked = input?.text('command') ?? json(whole);
  return createHash('sha256')
    .update(`${tool}\0${asked.slice(0, MOST_SUBJECT_CHARACTERS)}`)
    .digest('base64url');
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
