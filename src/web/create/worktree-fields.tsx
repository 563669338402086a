import { useId } from 'react';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { nextBranch } from './branch-slug.js';
import type { CreateDraft, WorktreeDraft } from './create-draft.js';
import { DraftInput, FieldNote } from './draft-field.js';
import type { DraftProblem } from './draft-problem.js';
import { canHaveWorktree, type TypedDraft } from './typed-draft.js';
import type { Place } from './use-place.js';

interface BranchFieldProps {
  readonly worktree: WorktreeDraft;
  readonly problem: DraftProblem | undefined;
  readonly change: (part: Partial<TypedDraft>) => void;
}

/** The branch of the session's worktree: called like the session until it is edited. */
export function BranchField({ worktree: { branch, existing }, problem, change }: BranchFieldProps) {
  const conflict = problem?.field === 'branch' ? problem.conflict : undefined;
  return (
    <div className="field">
      <DraftInput
        name="branch"
        label={existing ? 'Branch, as it is' : 'Branch'}
        mono
        before={<Icon name="branch" quiet />}
        problem={problem}
        value={branch}
        onChange={(event) => change({ branch: event.target.value })}
      />
      {(conflict !== undefined || existing) && (
        <div className="choices">
          {existing && <Choice label="Make a new branch" onChoose={() => change({ existing: false })} />}
          {!existing && conflict === 'usable' && (
            <Choice label="Use the existing branch" onChoose={() => change({ branch, existing: true })} />
          )}
          {conflict !== undefined && (
            <Choice label={`Take ${nextBranch(branch)}`} onChoose={() => change({ branch: nextBranch(branch), existing: false })} />
          )}
        </div>
      )}
    </div>
  );
}

function Choice({ label, onChoose }: { label: string; onChoose: () => void }) {
  return (
    <button type="button" className="btn btn--sm" onClick={onChoose}>
      <span className="clip">{visibleText(label)}</span>
    </button>
  );
}

interface WorktreeRowProps {
  readonly draft: CreateDraft;
  readonly place: Place;
  readonly problem: DraftProblem | undefined;
  readonly change: (part: Partial<TypedDraft>) => void;
}

/** Whether the session gets a worktree of its own, and where that begins. */
export function WorktreeRow({ draft: { worktree }, place, problem, change }: WorktreeRowProps) {
  const id = useId();
  const text = problem?.field === 'base' ? problem.text : undefined;
  return (
    <div className="field">
      <div className="optrow optrow--wrap">
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={worktree !== undefined}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          disabled={!canHaveWorktree(place)}
          onClick={() => change({ ownWorktree: worktree === undefined })}
        />
        <div className="grow">
          <div id={`${id}-label`} className="medium">
            Own worktree
          </div>
          <div id={`${id}-hint`} className="hint">
            {worktreeHint(worktree, place)}
          </div>
        </div>
        {worktree !== undefined && !worktree.existing && (
          <label className="base">
            <span className="label">From</span>
            <span className={`input${text === undefined ? '' : ' is-error'}`}>
              <input
                className="mono"
                aria-invalid={text !== undefined}
                aria-describedby={`${id}-base`}
                placeholder={place.project?.branch ?? 'HEAD'}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                value={worktree.base}
                onChange={(event) => change({ base: event.target.value })}
              />
            </span>
          </label>
        )}
      </div>
      <FieldNote id={`${id}-base`} problem={text} />
    </div>
  );
}

const SAFE = 'Killing it never loses work.';

/** What the worktree begins with; without one, what that means. */
function worktreeHint(worktree: WorktreeDraft | undefined, { project }: Place): string {
  if (worktree === undefined) {
    const isEmpty = project !== undefined && project.commit === undefined;
    return isEmpty ? 'This repository has no commit yet, and a worktree begins at one.' : 'Off: it works in the directory itself.';
  }
  if (worktree.existing) return `On ${visibleText(worktree.branch)} as it is. ${SAFE}`;
  if (worktree.base.trim() !== '') return `From ${visibleText(worktree.base.trim())}. ${SAFE}`;
  const commit = project?.commit?.id.slice(0, 7);
  if (commit === undefined) return `From where the repository stands. ${SAFE}`;
  return project?.branch === undefined ? `From ${commit}. ${SAFE}` : `From ${visibleText(project.branch)} at ${commit}. ${SAFE}`;
}
