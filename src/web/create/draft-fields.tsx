import { type KeyboardEvent, useId } from 'react';
import type { HostPreset } from '../../protocol/index.js';
import { Icon } from '../parts/icon.js';
import { text } from '../text/text.js';
import { type CreateDraft, CUSTOM } from './create-draft.js';
import { DraftInput, FieldNote } from './draft-field.js';
import type { DraftProblem } from './draft-problem.js';
import { addedLine, EnvLines } from './env-lines.js';
import { ProjectField } from './project-field.js';
import { PromptField } from './prompt-field.js';
import type { TypedDraft } from './typed-draft.js';
import type { Place } from './use-place.js';
import { BranchField, WorktreeRow } from './worktree-fields.js';

interface DraftFieldsProps {
  readonly draft: CreateDraft;
  readonly place: Place;
  readonly problem: DraftProblem | undefined;
  readonly places: readonly string[];
  readonly chosen: HostPreset | undefined;
  readonly change: (part: Partial<TypedDraft>) => void;
}

/** Where it runs, what it is called, and with a command of one's own what it is. */
export function DraftFields({ draft, place, problem, places, chosen, change }: DraftFieldsProps) {
  const isCustom = draft.preset === CUSTOM;
  const { worktree } = draft;
  return (
    <>
      {isCustom && <CommandField value={draft.command} problem={problem} onChange={(command) => change({ command })} />}
      <ProjectField {...{ place, places, problem }} value={draft.cwd} onChange={(cwd) => change({ cwd })} />
      {draft.prompt !== undefined && <PromptField value={draft.prompt} problem={problem} onChange={(prompt) => change({ prompt })} />}
      <div className={worktree === undefined ? '' : 'fields--two'}>
        <DraftInput
          name="name"
          label={
            <>
              {text.create.name} <span className="fg3">{text.create.optional}</span>
            </>
          }
          data-autofocus={isCustom || draft.prompt !== undefined ? undefined : true}
          placeholder={isCustom ? text.create.nameAsCommand : (chosen?.id ?? '')}
          problem={problem}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        {worktree !== undefined && <BranchField {...{ worktree, problem, change }} />}
      </div>
      {(place.repo !== undefined || worktree !== undefined) && <WorktreeRow {...{ draft, place, problem, change }} />}
      <EnvSection draft={draft} problem={problem} change={change} />
    </>
  );
}

interface CommandFieldProps {
  readonly value: string;
  readonly problem: DraftProblem | undefined;
  readonly onChange: (command: string) => void;
}

/** Enter submits; a command of several lines is pasted, or typed with Shift. */
function CommandField({ value, problem, onChange }: CommandFieldProps) {
  const id = useId();
  const mistake = problem?.field === 'command' ? problem.text : undefined;
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <div className="field">
      <label htmlFor={id}>{text.create.command}</label>
      <div className={`input input--area${mistake === undefined ? '' : ' is-error'}`}>
        <Icon name="terminal" quiet />
        <textarea
          id={id}
          className="mono"
          rows={1}
          data-autofocus
          placeholder="npm run dev"
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={mistake !== undefined}
          aria-describedby={`${id}-hint`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
      </div>
      <FieldNote id={`${id}-hint`} problem={mistake} hint={text.create.commandHint} />
    </div>
  );
}

function EnvSection({ draft, problem, change }: Pick<DraftFieldsProps, 'draft' | 'problem' | 'change'>) {
  const { env } = draft;
  return (
    <div className="field">
      <div className="optrow">
        <span className="label grow">
          {text.create.environment}{' '}
          {env.length === 0 ? <span className="fg3">{text.create.optional}</span> : <span className="fg3 num">({env.length})</span>}
        </span>
        <button type="button" className="btn btn--ghost btn--sm" onClick={() => change({ env: addedLine(env) })}>
          <Icon name="plus" small />
          {text.create.addVariable}
        </button>
      </div>
      <EnvLines lines={env} onChange={(lines) => change({ env: lines })} />
      <FieldNote problem={problem?.field === 'env' ? problem.text : undefined} />
    </div>
  );
}
