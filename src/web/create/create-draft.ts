import { type CreateSessionRequest, type HostPreset, MaestroError, NAME_KEY, type Size } from '../../protocol/index.js';
import { asSentence, errorText } from '../app/error-text.js';

/** The id that stands for "no preset, a command of one's own". */
export const CUSTOM = '';

/** One line of the environment, as it is typed. */
export interface EnvLine {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export interface CreateDraft {
  /** A preset's id, or {@link CUSTOM}. */
  readonly preset: string;
  readonly name: string;
  readonly cwd: string;
  readonly command: string;
  readonly env: readonly EnvLine[];
}

/** Where a problem is shown. */
export type DraftField = 'preset' | 'name' | 'cwd' | 'command' | 'env' | 'form';

export interface DraftProblem {
  readonly field: DraftField;
  readonly text: string;
}

/** Installed presets first, each group in the daemon's order. */
export function orderPresets(presets: readonly HostPreset[]): HostPreset[] {
  return [...presets.filter(({ installed }) => installed), ...presets.filter(({ installed }) => !installed)];
}

/** The preset to begin with: the one used last, else the first that is installed. */
export function firstPreset(presets: readonly HostPreset[], last: string): string {
  const installed = presets.filter((preset) => preset.installed);
  return (installed.find(({ id }) => id === last) ?? installed[0])?.id ?? CUSTOM;
}

export function requestOf(draft: CreateDraft, size: Size | undefined): CreateSessionRequest {
  const env = Object.fromEntries(draft.env.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]));
  return {
    cwd: draft.cwd.trim(),
    ...(draft.preset === CUSTOM ? {} : { preset: draft.preset }),
    ...(draft.preset === CUSTOM || draft.command.trim() !== '' ? { command: draft.command } : {}),
    ...(draft.name.trim() === '' ? {} : { metadata: { [NAME_KEY]: draft.name } }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(size === undefined ? {} : { size }),
  };
}

/** What is missing before the daemon need be asked. */
export function draftProblem(draft: CreateDraft): DraftProblem | undefined {
  if (draft.cwd.trim() === '') return { field: 'cwd', text: 'Say where it should run, such as ~/src/app.' };
  if (draft.preset === CUSTOM && draft.command.trim() === '') return { field: 'command', text: 'Say what to run, such as htop.' };
  const names = draft.env.map(({ name }) => name.trim()).filter((name) => name !== '');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return { field: 'env', text: `${twice} is there twice.` };
  const nameless = draft.env.find(({ name, value }) => name.trim() === '' && value !== '');
  return nameless === undefined ? undefined : { field: 'env', text: 'A variable needs a name.' };
}

/** The field that the daemon's refusal is about. */
export function fieldOf(error: unknown): DraftField {
  if (!(error instanceof MaestroError)) return 'form';
  if (error.code === 'cwd_missing') return 'cwd';
  if (error.code === 'agent_not_found') return 'preset';
  const field = error.details?.field;
  return typeof field === 'string' ? fieldNamed(field) : 'form';
}

/** The daemon's words about one field, without the field's name where they stand under the field anyway. */
export function problemText(error: unknown): string {
  if (!(error instanceof MaestroError) || fieldOf(error) === 'form') return errorText(error);
  const field = typeof error.details?.field === 'string' ? error.details.field : '';
  const variable = field.startsWith('env.') ? `${field.slice('env.'.length)}: ` : '';
  const { rule } = error.details ?? {};
  return asSentence(variable + (typeof rule === 'string' ? rule : error.message.replace(/^[\w.]+: /, '')));
}

function fieldNamed(path: string): DraftField {
  const [first = ''] = path.split('.');
  if (first === 'metadata') return 'name';
  return first === 'cwd' || first === 'command' || first === 'env' || first === 'preset' ? first : 'form';
}
