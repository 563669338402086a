import { MaestroError, type ProjectSetup, ProjectSetupSchema } from '../../protocol/index.js';
import { asSentence, errorText } from '../app/error-text.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { type CreateDraft, CUSTOM } from './create-draft.js';

/** Where a problem is shown. */
export type DraftField = 'preset' | 'name' | 'cwd' | 'command' | 'prompt' | 'env' | 'branch' | 'base' | 'form';

/** The branch is there: it can be used as it is, or only another name be taken. */
export type BranchConflict = 'usable' | 'taken';

export interface DraftProblem {
  readonly field: DraftField;
  readonly text: string;
  readonly conflict?: BranchConflict;
}

/** What is missing before the daemon need be asked. */
export function draftProblem(draft: CreateDraft): DraftProblem | undefined {
  if (draft.cwd.trim() === '') return { field: 'cwd', text: text.create.missing.cwd };
  if (draft.preset === CUSTOM && draft.command.trim() === '') return { field: 'command', text: text.create.missing.command };
  if (draft.worktree?.branch.trim() === '') return { field: 'branch', text: text.create.missing.branch };
  const names = draft.env.map(({ name }) => name.trim()).filter((name) => name !== '');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return { field: 'env', text: text.create.twice(twice) };
  const nameless = draft.env.find(({ name, value }) => name.trim() === '' && value !== '');
  return nameless === undefined ? undefined : { field: 'env', text: text.create.missing.variableName };
}

/** A refusal or failure of the daemon, and where to show it. */
export function problemOf(error: unknown): DraftProblem {
  const problem = { field: fieldOf(error), text: visibleText(problemText(error)) };
  const conflict = branchConflict(error);
  return conflict === undefined ? problem : { ...problem, text: problem.text.replace(NEXT_STEP, '.'), conflict };
}

/** The field that the daemon's refusal is about. */
export function fieldOf(error: unknown): DraftField {
  if (!(error instanceof MaestroError)) return 'form';
  if (error.code === 'cwd_missing') return 'cwd';
  if (error.code === 'agent_not_found') return 'preset';
  if (error.code === 'branch_conflict') return 'branch';
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

/** Those that the daemon calls as the form does. */
const FIELDS = ['cwd', 'command', 'env', 'preset', 'prompt'] as const;

function fieldNamed(path: string): DraftField {
  const [first = '', second = ''] = path.split('.');
  if (first === 'metadata') return 'name';
  if (first === 'worktree') return second === 'base_repo' ? 'cwd' : second === 'branch' || second === 'base' ? second : 'form';
  return FIELDS.find((field) => field === first) ?? 'form';
}

/** Why what the repository says of its set-up cannot be used, where that is what `error` says. */
export function setupProblem(error: unknown): string | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'invalid_request' || error.details?.field !== SETUP_FIELD) return undefined;
  return visibleText(asSentence(error.message.replace(`${SETUP_FIELD}: `, '')));
}

const SETUP_FIELD = 'worktree.setup';

/** What the repository wants to run, where the daemon refuses to run it before it is trusted. */
export function untrustedSetup(error: unknown): ProjectSetup | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'forbidden') return undefined;
  return ProjectSetupSchema.safeParse(error.details?.setup).data;
}

/** What the form offers as buttons. */
const NEXT_STEP = /; take another name(?:, or use the existing branch)?\.$/;

/** A branch that some worktree is on cannot be used by another one. */
function branchConflict(error: unknown): BranchConflict | undefined {
  if (!(error instanceof MaestroError) || error.code !== 'branch_conflict') return undefined;
  const { path, exists } = error.details ?? {};
  return path === undefined && exists !== false ? 'usable' : 'taken';
}
