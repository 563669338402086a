import { useId } from 'react';
import { text } from '../text/text.js';
import { FieldNote } from './draft-field.js';
import type { DraftProblem } from './draft-problem.js';

interface PromptFieldProps {
  readonly value: string;
  readonly problem: DraftProblem | undefined;
  readonly onChange: (prompt: string) => void;
}

/** What the agent shall begin with, in as many lines as it takes. */
export function PromptField({ value, problem, onChange }: PromptFieldProps) {
  const id = useId();
  const mistake = problem?.field === 'prompt' ? problem.text : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>
        {text.create.prompt} <span className="fg3">{text.create.optional}</span>
      </label>
      <div className={`input input--area input--prompt${mistake === undefined ? '' : ' is-error'}`}>
        <textarea
          id={id}
          rows={2}
          data-autofocus
          aria-invalid={mistake !== undefined}
          aria-describedby={`${id}-hint`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <FieldNote id={`${id}-hint`} problem={mistake} />
    </div>
  );
}
