import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CreateWish } from '../app/opened-dialog.js';
import { usePageParts } from '../app/parts-context.js';
import { useHost, usePresets } from '../app/use-host.js';
import { useProjects } from '../create/use-place.js';
import type { Leader } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Listbox } from '../parts/listbox.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import type { PaletteItem } from './palette-item.js';
import { type PaletteSources, paletteItems, presetsInProjects, subjectItems } from './palette-items.js';
import { PaletteRow } from './palette-row.js';
import { type PaletteGroup, readQuery, searchPalette } from './palette-search.js';
import type { ListState, PaletteKeys } from './palette-state.js';
import { sessionKey } from './recent.js';
import { useChosen } from './use-chosen.js';

export interface PaletteListProps {
  readonly id: string;
  readonly query: string;
  readonly views: readonly SessionView[];
  readonly current: SessionView | undefined;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
  /** Where the field's keys go. */
  readonly keys: RefObject<PaletteKeys | undefined>;
  /** The session whose actions are offered, instead of everything. */
  readonly subject: SessionView | undefined;
  readonly onSubject: (id: string) => void;
  readonly onState: (state: ListState) => void;
  readonly onCreate: (wish: CreateWish) => void;
  /** Closes the palette, then does it. */
  readonly onLeave: (done: () => void) => void;
}

/** What fits the query, and which of it is pointed at. The focus stays in the field. */
export function PaletteList(props: PaletteListProps) {
  const { id, query, views, current, leader, commands, keys, subject, onSubject, onState, onCreate, onLeave } = props;
  const groups = useGroups(query, { views, current, subject, knows: (action) => commands.knows(action) });
  const items = groups.flatMap(({ hits }) => hits.map(({ item }) => item));
  const { at, active, move, pointAt } = usePointer(items, query);
  const chosen = useChosen({ commands, subject, onCreate });
  const list = useRef<HTMLDivElement>(null);
  const optionId = (item: PaletteItem) => `${id}-${items.indexOf(item)}`;
  const choose = (item: PaletteItem | undefined, beside: boolean) => item !== undefined && onLeave(() => chosen(item, beside));
  const narrow = () => active?.kind === 'session' && onSubject(active.view.session.id);
  keys.current = (event) => takeKey(event, { count: items.length, move, narrow, choose: (beside) => choose(active, beside) });
  const activeId = active && optionId(active);
  // Before anything is painted, as the field names the option that is selected.
  useLayoutEffect(() => onState({ active: activeId, count: items.length }), [onState, activeId, items.length]);
  useLayoutEffect(() => {
    const option = list.current?.querySelector('[aria-selected="true"]');
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else option?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <Listbox ref={list} id={id} label={text.palette.title} className="finder__list">
      {groups.map(({ heading, hits }) => (
        // biome-ignore lint/a11y/useSemanticElements: options of one listbox, in groups.
        <div key={heading} role="group" aria-labelledby={`${id}-${heading}`}>
          <div id={`${id}-${heading}`} role="presentation" className="finder__heading">
            {text.palette.headings[heading]}
          </div>
          {hits.map((hit) => (
            <PaletteRow
              key={hit.item.key}
              id={optionId(hit.item)}
              hit={hit}
              selected={hit.item === active}
              leader={leader}
              onPoint={() => pointAt(items.indexOf(hit.item))}
              onChoose={(beside) => choose(hit.item, beside)}
            />
          ))}
        </div>
      ))}
      {items.length === 0 && <p className="finder__none">{text.palette.none}</p>}
    </Listbox>
  );
}

interface OwnSources extends Pick<PaletteSources, 'views' | 'current' | 'knows'> {
  readonly subject: SessionView | undefined;
}

function useGroups(query: string, { views, current, subject, knows }: OwnSources): readonly PaletteGroup[] {
  const { recent } = usePageParts().preferences;
  // As it was when the palette was opened: what is chosen must not move.
  const [used] = useState(recent.value);
  const known = useRef(knows);
  known.current = knows;
  const home = useHost()?.home;
  const projects = useProjects();
  const presets = usePresets();
  return useMemo(() => {
    const sources = { views, current, knows: known.current, projects, presets: presets ?? [], home };
    const read = readQuery(query);
    if (subject !== undefined) return searchPalette(subjectItems(subject), read, { recent: [], currentKey: undefined });
    const pairs = read.words.length > 1 && read.only === undefined ? presetsInProjects(sources) : [];
    const currentKey = current && sessionKey(current.session.id);
    return searchPalette([...paletteItems(sources), ...pairs], read, { recent: used, currentKey });
  }, [query, views, current, subject, projects, presets, home, used]);
}

/** The first one, until the user points at another; it stays the same one when the list changes under it. */
function usePointer(items: readonly PaletteItem[], query: string) {
  const [pointed, setPointed] = useState<{ query: string; key: string | undefined }>({ query, key: undefined });
  const key = pointed.query === query ? pointed.key : undefined;
  const found = items.findIndex((item) => item.key === key);
  const at = Math.max(0, found);
  const pointAt = (index: number) => setPointed({ query, key: items[index]?.key });
  const move = (step: number) => pointAt((at + step + items.length) % Math.max(1, items.length));
  return { at, active: items[at], move, pointAt };
}

interface KeyTakers {
  readonly count: number;
  readonly move: (step: number) => void;
  readonly narrow: () => void;
  readonly choose: (beside: boolean) => void;
}

const PAGE = 8;

function takeKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { count, move, narrow, choose }: KeyTakers): boolean {
  const down = key === 'ArrowDown' || (ctrlKey && key === 'n');
  const up = key === 'ArrowUp' || (ctrlKey && key === 'p');
  if (altKey) return false;
  if (key === 'Enter') choose(ctrlKey || metaKey);
  else if (key === 'Tab') narrow();
  else if (count === 0) return false;
  else if (down) move(1);
  else if (up) move(-1);
  else if (key === 'PageDown') move(Math.min(PAGE, count - 1));
  else if (key === 'PageUp') move(-Math.min(PAGE, count - 1));
  else return false;
  return true;
}
