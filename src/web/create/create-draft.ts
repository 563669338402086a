import { type CreateSessionRequest, type HostPreset, NAME_KEY, type Size, type WorktreeRequest } from '../../protocol/index.js';
import { trimmedPath } from './place-options.js';

/** The id that stands for "no preset, a command of one's own". */
export const CUSTOM = '';

/** One line of the environment, as it is typed. */
export interface EnvLine {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** A worktree for the session alone. */
export interface WorktreeDraft {
  readonly repo: string;
  readonly branch: string;
  /** The branch is there already, and is used as it is. */
  readonly existing: boolean;
  /** Where a new branch begins; empty for where the repository stands. */
  readonly base: string;
}

export interface CreateDraft {
  /** A preset's id, or {@link CUSTOM}. */
  readonly preset: string;
  readonly name: string;
  readonly cwd: string;
  readonly command: string;
  readonly env: readonly EnvLine[];
  /** What its agent shall begin with; undefined where there is no agent that takes it. */
  readonly prompt?: string | undefined;
  readonly worktree?: WorktreeDraft | undefined;
}

/** Whether what the repository wants to run for a new worktree may. */
export type SetupChoice = NonNullable<WorktreeRequest['setup']>;

/** Installed presets first, each group in the daemon's order. */
export function orderPresets(presets: readonly HostPreset[]): HostPreset[] {
  return [...presets.filter(({ installed }) => installed), ...presets.filter(({ installed }) => !installed)];
}

/** The preset to begin with: the first of `wishes` that is installed, else the first that is. */
export function firstPreset(presets: readonly HostPreset[], ...wishes: readonly (string | undefined)[]): string {
  const installed = presets.filter((preset) => preset.installed);
  const wished = wishes.find((wish) => installed.some(({ id }) => id === wish));
  return wished ?? installed[0]?.id ?? CUSTOM;
}

/** Whether the agent that would run takes a first prompt; of a command of one's own, the program tells. */
export function takesPrompt({ preset, command }: Pick<CreateDraft, 'preset' | 'command'>, presets: readonly HostPreset[]): boolean {
  if (preset !== CUSTOM) return presets.find(({ id }) => id === preset)?.takes_prompt === true;
  const program = command.trim().split(/\s+/, 1)[0]?.split('/').at(-1);
  return presets.some(({ executable, takes_prompt }) => takes_prompt && executable === program);
}

export interface RequestOptions {
  readonly size: Size | undefined;
  readonly setup?: SetupChoice;
}

export function requestOf(draft: CreateDraft, { size, setup = 'run' }: RequestOptions): CreateSessionRequest {
  const env = Object.fromEntries(draft.env.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]));
  return {
    ...(draft.worktree === undefined ? { cwd: trimmedPath(draft.cwd) } : { worktree: worktreeOf(draft.worktree, setup) }),
    ...(draft.preset === CUSTOM ? {} : { preset: draft.preset }),
    ...(draft.preset === CUSTOM ? { command: draft.command } : {}),
    ...(draft.prompt === undefined || draft.prompt.trim() === '' ? {} : { prompt: draft.prompt }),
    ...(draft.name.trim() === '' ? {} : { metadata: { [NAME_KEY]: draft.name } }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(size === undefined ? {} : { size }),
  };
}

/** Whose `.maestro/config.toml` counts; empty for where the repository stands. */
export function setupBase({ branch, existing, base }: WorktreeDraft): string {
  return (existing ? branch : base).trim();
}

function worktreeOf({ repo, branch, existing, base }: WorktreeDraft, setup: SetupChoice): WorktreeRequest {
  return {
    base_repo: repo,
    branch: branch.trim(),
    ...(existing ? { create_branch: false } : base.trim() === '' ? {} : { base: base.trim() }),
    ...(setup === 'run' ? {} : { setup }),
  };
}
