import { type KeyboardEvent, useId } from 'react';
import type { HostPreset } from '../../protocol/index.js';
import { Icon } from '../parts/icon.js';
import { type CreateDraft, CUSTOM, type DraftProblem } from './create-draft.js';
import { DraftInput, FieldNote } from './draft-field.js';
import { addedLine, EnvLines } from './env-lines.js';

interface DraftFieldsProps {
  readonly draft: CreateDraft;
  readonly problem: DraftProblem | undefined;
  readonly places: readonly string[];
  readonly chosen: HostPreset | undefined;
  readonly change: (part: Partial<CreateDraft>) => void;
}

/** Where it runs, what it is called, and with a command of one's own what it is. */
export function DraftFields({ draft, problem, places, chosen, change }: DraftFieldsProps) {
  const list = useId();
  const isCustom = draft.preset === CUSTOM;
  return (
    <>
      {isCustom && <CommandField value={draft.command} problem={problem} onChange={(command) => change({ command })} />}
      <div className="fields--two">
        <DraftInput
          name="cwd"
          label="Directory"
          mono
          list={list}
          before={<Icon name="folder" quiet />}
          placeholder="~/src/app"
          problem={problem}
          value={draft.cwd}
          onChange={(event) => change({ cwd: event.target.value })}
        />
        <DraftInput
          name="name"
          label={
            <>
              Name <span className="fg3">optional</span>
            </>
          }
          data-autofocus={isCustom ? undefined : true}
          placeholder={isCustom ? 'as the command' : (chosen?.id ?? '')}
          problem={problem}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </div>
      <datalist id={list}>
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
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
  const text = problem?.field === 'command' ? problem.text : undefined;
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <div className="field">
      <label htmlFor={id}>Command</label>
      <div className={`input input--area${text === undefined ? '' : ' is-error'}`}>
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
          aria-invalid={text !== undefined}
          aria-describedby={`${id}-hint`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
      </div>
      <FieldNote id={`${id}-hint`} problem={text} hint="Shell text, run by /bin/sh" />
    </div>
  );
}

function EnvSection({ draft, problem, change }: Pick<DraftFieldsProps, 'draft' | 'problem' | 'change'>) {
  const { env } = draft;
  return (
    <div className="field">
      <div className="optrow">
        <span className="label grow">
          Environment {env.length === 0 ? <span className="fg3">optional</span> : <span className="fg3 num">({env.length})</span>}
        </span>
        <button type="button" className="btn btn--ghost btn--sm" onClick={() => change({ env: addedLine(env) })}>
          <Icon name="plus" small />
          Add a variable
        </button>
      </div>
      <EnvLines lines={env} onChange={(lines) => change({ env: lines })} />
      <FieldNote problem={problem?.field === 'env' ? problem.text : undefined} />
    </div>
  );
}
