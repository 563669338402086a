import { Preference } from '../settings/preference.js';

/** What was chosen when a session was last made in a project. */
export interface ProjectChoice {
  readonly worktree: boolean;
  readonly preset: string;
}

/** By the project's path, the newest last. */
export type ProjectChoices = Readonly<Record<string, ProjectChoice>>;

/** The oldest give way. */
const CHOICES_LIMIT = 100;

export function projectChoices(key: string): Preference<ProjectChoices> {
  return new Preference<ProjectChoices>({ key, fallback: {}, parse: parseChoices, format: (value) => JSON.stringify(value) });
}

export function withChoice(choices: ProjectChoices, path: string, choice: ProjectChoice): ProjectChoices {
  const others = Object.entries(choices).filter(([other]) => other !== path);
  return Object.fromEntries([...others, [path, choice] as const].slice(-CHOICES_LIMIT));
}

export function choiceOf(choices: ProjectChoices, path: string | undefined): ProjectChoice | undefined {
  return path !== undefined && Object.hasOwn(choices, path) ? choices[path] : undefined;
}

export function parseChoices(json: string): ProjectChoices | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, ProjectChoice] => isChoice(entry[1])));
  } catch {
    return undefined;
  }
}

function isChoice(value: unknown): value is ProjectChoice {
  return (
    typeof value === 'object' &&
    value !== null &&
    'worktree' in value &&
    typeof value.worktree === 'boolean' &&
    'preset' in value &&
    typeof value.preset === 'string'
  );
}
