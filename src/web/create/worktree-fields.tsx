import { useId } from 'react';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { branchProblem, usableBranches } from './branch-choices.js';
import { nextBranch } from './branch-slug.js';
import type { CreateDraft, WorktreeDraft } from './create-draft.js';
import { DraftInput, FieldNote } from './draft-field.js';
import type { DraftProblem } from './draft-problem.js';
import { canHaveWorktree, type TypedDraft } from './typed-draft.js';
import { useBranches } from './use-branches.js';
import type { Place } from './use-place.js';

interface BranchFieldProps {
  readonly worktree: WorktreeDraft;
  readonly problem: DraftProblem | undefined;
  readonly change: (part: Partial<TypedDraft>) => void;
}

/** The branch of the session's worktree: called like the session until it is edited. */
export function BranchField({ worktree, problem: told, change }: BranchFieldProps) {
  const { branch, existing, repo } = worktree;
  const branches = useBranches(repo);
  const usable = usableBranches(branches);
  const listId = useId();
  const problem = told?.field === 'branch' ? told : branchProblem(worktree, branches);
  const conflict = problem?.conflict;
  const canTurn = !existing && conflict === undefined && usable.length > 0;
  return (
    <div className="field">
      <DraftInput
        name="branch"
        label={existing ? text.create.branchAsItIs : text.create.branch}
        mono
        before={<Icon name="branch" quiet />}
        problem={problem}
        list={existing ? listId : undefined}
        value={branch}
        onChange={(event) => change({ branch: event.target.value })}
      />
      {existing && <Names id={listId} names={usable} />}
      {(conflict !== undefined || existing || canTurn) && (
        <div className="choices">
          {existing && <Choice label={text.create.newBranch} onChoose={() => change({ existing: false })} />}
          {canTurn && <Choice label={text.create.existingBranch} onChoose={() => change({ existing: true, branch: '' })} />}
          {!existing && conflict === 'usable' && (
            <Choice label={text.create.useBranch} onChoose={() => change({ branch, existing: true })} />
          )}
          {conflict !== undefined && (
            <Choice
              label={text.create.takeBranch(nextBranch(branch))}
              onChoose={() => change({ branch: nextBranch(branch), existing: false })}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** What the browser offers under a field. */
function Names({ id, names }: { id: string; names: readonly string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
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
  const mistake = problem?.field === 'base' ? problem.text : undefined;
  const branches = useBranches(worktree?.repo);
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
            {text.create.worktree}
          </div>
          <div id={`${id}-hint`} className="hint">
            {worktreeHint(worktree, place)}
          </div>
        </div>
        {worktree !== undefined && !worktree.existing && (
          <label className="base">
            <span className="label">{text.create.from}</span>
            <span className={`input${mistake === undefined ? '' : ' is-error'}`}>
              <input
                className="mono"
                aria-invalid={mistake !== undefined}
                aria-describedby={`${id}-base`}
                list={`${id}-bases`}
                placeholder={place.project?.branch ?? 'HEAD'}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                value={worktree.base}
                onChange={(event) => change({ base: event.target.value })}
              />
            </span>
            <Names id={`${id}-bases`} names={branches.map(({ name }) => name)} />
          </label>
        )}
      </div>
      <FieldNote id={`${id}-base`} problem={mistake} />
    </div>
  );
}

/** What the worktree begins with; without one, what that means. */
function worktreeHint(worktree: WorktreeDraft | undefined, { project }: Place): string {
  const hint = text.create.worktreeHint;
  if (worktree === undefined) return project !== undefined && project.commit === undefined ? hint.noCommit : hint.off;
  if (worktree.existing) return hint.existing(visibleText(worktree.branch));
  if (worktree.base.trim() !== '') return hint.from(visibleText(worktree.base.trim()));
  const commit = project?.commit?.id.slice(0, 7);
  if (commit === undefined) return hint.fromHead;
  return project?.branch === undefined ? hint.from(commit) : hint.fromCommit(visibleText(project.branch), commit);
}
