import { type KeyboardEvent, useState } from 'react';
import { useHost } from '../app/use-host.js';
import { chosenText, isPathText, type PlaceOption, placeOptions, tabText } from './place-options.js';
import { useCompletions, useProjects } from './use-place.js';

/** `query` is what narrows the list; `at` is the option that is pointed at, -1 for none. */
interface ListState {
  readonly query: string;
  readonly at: number;
}

/** More are not looked through, but narrowed. */
const OPTIONS_LIMIT = 100;

interface ChooserOptions {
  readonly value: string;
  /** Directories of sessions, short. */
  readonly places: readonly string[];
  readonly onChange: (cwd: string) => void;
}

/** The list under the project field, and what its keys do. */
export function usePlaceChooser({ value, places, onChange }: ChooserOptions) {
  const [list, setList] = useState<ListState>();
  const options = useOptions(list?.query, places);
  const active = list === undefined ? undefined : options[list.at];
  const close = () => setList(undefined);
  const open = () => setList((before) => before ?? { query: '', at: -1 });
  const type = (text: string) => {
    onChange(text);
    setList({ query: text, at: isPathText(text) || text.trim() === '' ? -1 : 0 });
  };
  /** A project is where it ends; in a directory there may be more. */
  const write = (text: string, isEnd: boolean) => {
    onChange(text);
    setList(isEnd ? undefined : { query: text, at: -1 });
  };
  const choose = (option: PlaceOption) => write(chosenText(option), option.kind === 'project');
  const complete = (): boolean => {
    const isTyped = list !== undefined && (list.query !== '' || active !== undefined);
    const text = isTyped ? tabText(value, options, active) : undefined;
    if (text !== undefined) write(text, isProject(text, options));
    return text !== undefined;
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setList(moved(list, event.key === 'ArrowDown' ? 1 : -1, options.length));
    else if (event.key === 'Enter' && active !== undefined) choose(active);
    else if (event.key === 'Escape' && list !== undefined) close();
    else if (event.key !== 'Tab' || event.shiftKey || !complete()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { options, active, press, type, choose, open, close };
}

/** None while there is no query, which says that the list is closed. */
function useOptions(query: string | undefined, places: readonly string[]): readonly PlaceOption[] {
  const home = useHost()?.home;
  const projects = useProjects();
  const completions = useCompletions(query ?? '', query !== undefined);
  if (query === undefined) return [];
  return placeOptions(query, { projects, places, completions, home }).slice(0, OPTIONS_LIMIT);
}

/** One option on, and around at the ends. A closed list opens at its first. */
function moved(list: ListState | undefined, step: 1 | -1, count: number): ListState {
  if (list === undefined) return { query: '', at: 0 };
  const from = step === 1 ? list.at : Math.max(list.at, 0);
  return count === 0 ? list : { ...list, at: (from + step + count) % count };
}

function isProject(text: string, options: readonly PlaceOption[]): boolean {
  return options.some(({ kind, path }) => kind === 'project' && path === text);
}
