import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import type { DraftProblem, DraftField as FieldName } from './draft-problem.js';

interface DraftFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: FieldName;
  readonly label: ReactNode;
  readonly problem: DraftProblem | undefined;
  readonly hint?: ReactNode;
  readonly before?: ReactNode;
  readonly mono?: boolean;
}

/** A field with its label, and under it what is wrong with it. */
export function DraftInput({ name, label, problem, hint, before, mono = false, ...input }: DraftFieldProps) {
  const id = useId();
  const text = problem?.field === name ? problem.text : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={`input${text === undefined ? '' : ' is-error'}`}>
        {before}
        <input
          id={id}
          className={mono ? 'mono' : undefined}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={text !== undefined}
          aria-describedby={`${id}-hint`}
          {...input}
        />
      </div>
      <FieldNote id={`${id}-hint`} problem={text} hint={hint} />
    </div>
  );
}

export function FieldNote({ id, problem, hint }: { id?: string; problem: string | undefined; hint?: ReactNode }) {
  if (problem !== undefined)
    return (
      <div id={id} className="hint hint--error" role="alert">
        {problem}
      </div>
    );
  return hint === undefined ? null : (
    <div id={id} className="hint">
      {hint}
    </div>
  );
}
