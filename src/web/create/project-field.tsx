import { useId, useRef } from 'react';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { FieldNote } from './draft-field.js';
import type { DraftProblem } from './draft-problem.js';
import { PlaceList } from './place-list.js';
import type { Place } from './use-place.js';
import { usePlaceChooser } from './use-place-chooser.js';

interface ProjectFieldProps {
  readonly value: string;
  readonly place: Place;
  /** Directories of sessions, short. */
  readonly places: readonly string[];
  readonly problem: DraftProblem | undefined;
  readonly onChange: (cwd: string) => void;
}

/** Where the session runs: a project by its name, or any directory by its path. */
export function ProjectField({ value, place, places, problem, onChange }: ProjectFieldProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { options, active, press, type, choose, open, close } = usePlaceChooser({ value, places, onChange });
  const isOpen = options.length > 0;
  const mistake = problem?.field === 'cwd' ? problem.text : undefined;
  const listId = `${id}-list`;
  return (
    <div className="field">
      <label htmlFor={id}>{text.create.place}</label>
      <div ref={box} className={`input${mistake === undefined ? '' : ' is-error'}`}>
        <Icon name="folder" quiet />
        <input
          id={id}
          className="mono"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : `${listId}-${options.indexOf(active)}`}
          aria-invalid={mistake !== undefined}
          aria-describedby={`${id}-hint`}
          placeholder="~/src/app"
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          value={value}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          onClick={(event) => {
            if (!isOpen) event.currentTarget.select(); // to be typed over, as in an address bar
            open();
          }}
          onBlur={close}
        />
        {place.project?.branch !== undefined && <span className="fg3 small clip place__branch">{visibleText(place.project.branch)}</span>}
        <Icon name="down" small quiet />
      </div>
      {isOpen && <PlaceList id={listId} anchor={box} options={options} active={active} onChoose={choose} />}
      <span className="sr" role="status">
        {isOpen ? text.create.suggestions(options.length) : ''}
      </span>
      <FieldNote id={`${id}-hint`} problem={mistake} />
    </div>
  );
}
