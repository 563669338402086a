import type { HostPreset } from '../../protocol/index.js';
import { branchSlug } from './branch-slug.js';
import { type CreateDraft, CUSTOM, type EnvLine, firstPreset, takesPrompt, type WorktreeDraft } from './create-draft.js';
import type { ProjectChoice } from './project-choices.js';
import type { Place } from './use-place.js';

/** What a person has decided in the form; what is left open follows from the place and from what was chosen for it before. */
export interface TypedDraft {
  readonly preset?: string | undefined;
  readonly name: string;
  readonly cwd: string;
  readonly command: string;
  readonly env: readonly EnvLine[];
  readonly prompt: string;
  readonly ownWorktree?: boolean | undefined;
  /** Follows the name while it is undefined. */
  readonly branch?: string | undefined;
  /** The branch is there already. */
  readonly existing: boolean;
  readonly base: string;
}

export interface DraftSurroundings {
  readonly presets: readonly HostPreset[];
  readonly lastPreset: string;
  readonly place: Place;
  /** What was chosen for this project the last time. */
  readonly remembered: ProjectChoice | undefined;
  /** Tells the branches of nameless sessions apart. */
  readonly tag: string;
}

/** The whole draft. */
export function settledDraft(typed: TypedDraft, { presets, lastPreset, place, remembered, tag }: DraftSurroundings): CreateDraft {
  const preset = typed.preset ?? rememberedPreset(remembered, presets) ?? firstPreset(presets, lastPreset);
  const { name, cwd, command, env } = typed;
  const wanted = typed.ownWorktree ?? remembered?.worktree ?? false;
  const prompt = takesPrompt({ preset, command }, presets) ? typed.prompt : undefined;
  const draft = { preset, name, cwd, command, env, prompt };
  const repo = place.repo ?? (place.isPending ? place.path : undefined); // who is faster than the answer still gets what was asked for
  if (!wanted || repo === undefined || !canHaveWorktree(place)) return draft;
  return { ...draft, worktree: worktreeDraft(typed, repo, proposedBranch(draft, tag)) };
}

function worktreeDraft({ branch, existing, base }: TypedDraft, repo: string, proposed: string): WorktreeDraft {
  return { repo, branch: branch ?? proposed, existing, base };
}

function rememberedPreset(remembered: ProjectChoice | undefined, presets: readonly HostPreset[]): string | undefined {
  if (remembered?.preset === CUSTOM) return CUSTOM;
  return presets.find(({ id, installed }) => installed && id === remembered?.preset)?.id;
}

/** A worktree begins at a commit, so there has to be one. A repository that the list does not have is left to the daemon. */
export function canHaveWorktree({ project }: Place): boolean {
  return project === undefined || project.commit !== undefined;
}

/** A branch for the session: called like it, else like what it runs. */
export function proposedBranch({ name, preset, command }: Pick<CreateDraft, 'name' | 'preset' | 'command'>, tag: string): string {
  const slug = branchSlug(name);
  if (slug !== '') return slug;
  const program = branchSlug(preset === CUSTOM ? (command.trim().split(/[\s/]+/, 1)[0] ?? '') : preset);
  return `${program === '' ? 'session' : program}-${tag}`;
}

const TAG_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four characters that are easily told apart. */
export function randomTag(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => TAG_ALPHABET[byte % TAG_ALPHABET.length]).join('');
}
