import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Icon } from '../parts/icon.js';
import { Listbox, Option } from '../parts/listbox.js';
import { visibleText } from '../parts/visible-text.js';
import { formatAge } from '../session/age.js';
import { text } from '../text/text.js';
import type { PlaceOption } from './place-options.js';

interface PlaceListProps {
  readonly id: string;
  /** What the list is as wide as, and stands below or above. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly options: readonly PlaceOption[];
  readonly active: PlaceOption | undefined;
  readonly onChoose: (option: PlaceOption) => void;
}

/** What the project field offers. The focus stays in the field. */
export function PlaceList({ id, anchor, options, active, onChoose }: PlaceListProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = active === undefined ? -1 : options.indexOf(active);
  useAnchored(list, anchor);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <Listbox ref={list} id={id} label={text.create.suggestionList} className="places" popover="manual">
      {options.map((option, index) => (
        <Option
          key={`${option.kind} ${option.path}`}
          id={`${id}-${index}`}
          selected={index === at}
          className="place"
          onClick={() => onChoose(option)}
        >
          {option.kind === 'project' ? <ProjectOption option={option} /> : <DirectoryOption option={option} />}
        </Option>
      ))}
    </Listbox>
  );
}

function ProjectOption({ option: { path, project } }: { option: Extract<PlaceOption, { kind: 'project' }> }) {
  const { name, branch, commit, sessions } = project;
  return (
    <>
      <Icon name="folder" quiet />
      <span className="place__words">
        <span className="place__line">
          <span className="medium clip">{visibleText(name)}</span>
          <span className="fg3 mono clip">{visibleText(path)}</span>
        </span>
        <span className="place__line fg3 small">
          <Icon name="branch" small />
          <span className="clip place__branch">{branch === undefined ? text.changes.detached : visibleText(branch)}</span>
          <span className="clip">{commit === undefined ? text.create.noCommit : visibleText(commit.subject)}</span>
          {commit !== undefined && <span className="num place__age">{formatAge(Date.now() - Date.parse(commit.at))}</span>}
        </span>
      </span>
      {sessions.length > 0 && <span className="fg3 small num place__count">{text.create.sessions(sessions.length)}</span>}
    </>
  );
}

function DirectoryOption({ option: { path, repository } }: { option: Extract<PlaceOption, { kind: 'directory' }> }) {
  return (
    <>
      <Icon name="folder" quiet />
      <span className="mono clip grow">{visibleText(path)}</span>
      {repository && <span className="fg3 small">git</span>}
    </>
  );
}

const GAP = 4;
const MOST_PX = 340;

/** Below the field, or above it where there is more room; it goes with the field when that is scrolled. */
function useAnchored(list: RefObject<HTMLElement | null>, anchor: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const popup = list.current;
    const field = anchor.current;
    if (popup === null || field === null) return;
    const place = () => {
      const { left, top, bottom, width } = field.getBoundingClientRect();
      const below = innerHeight - bottom - GAP - 8;
      const above = top - GAP - 8;
      const isBelow = below >= Math.min(MOST_PX, popup.scrollHeight) || below >= above;
      popup.style.left = `${left}px`;
      popup.style.width = `${width}px`;
      popup.style.maxHeight = `${Math.min(MOST_PX, isBelow ? below : above)}px`;
      popup.style.top = isBelow ? `${bottom + GAP}px` : 'auto';
      popup.style.bottom = isBelow ? 'auto' : `${innerHeight - top + GAP}px`;
    };
    popup.showPopover();
    place();
    const leave = new AbortController();
    const { signal } = leave;
    window.addEventListener('resize', place, { signal });
    window.addEventListener('scroll', (event) => event.target !== popup && place(), { signal, capture: true });
    return () => leave.abort();
  }, [list, anchor]);
}
