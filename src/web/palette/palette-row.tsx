import type { ReactNode } from 'react';
import { type Leader, leaderChord } from '../keys/chords.js';
import { Age } from '../parts/age.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { Option } from '../parts/listbox.js';
import { visibleText } from '../parts/visible-text.js';
import { monogram } from '../session/monogram.js';
import { endedWell, viewLabel } from '../session/session-state.js';
import { text } from '../text/text.js';
import { ACTION_ICONS } from './action-icons.js';
import type { PaletteItem } from './palette-item.js';
import type { PaletteHit } from './palette-search.js';

interface PaletteRowProps {
  readonly id: string;
  readonly hit: PaletteHit;
  readonly selected: boolean;
  readonly leader: Leader | undefined;
  readonly onPoint: () => void;
  readonly onChoose: (beside: boolean) => void;
}

export function PaletteRow({ id, hit: { item, marked }, selected, leader, onPoint, onChoose }: PaletteRowProps) {
  const isMissing = item.kind === 'preset' && !item.preset.installed;
  return (
    <Option
      id={id}
      selected={selected}
      className={`finder__row${isMissing ? ' is-missing' : ''}`}
      onPointerMove={() => selected || onPoint()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      <span className="finder__mark">{markOf(item)}</span>
      <span className="finder__name clip">
        <Marked name={item.name} at={marked} />
      </span>
      <span className="finder__note clip">{visibleText(item.note)}</span>
      <span className="finder__end">{endOf(item, leader)}</span>
    </Option>
  );
}

function markOf(item: PaletteItem): ReactNode {
  if (item.kind === 'session') {
    const { view } = item;
    return <Glyph state={view.state} quiet={view.seen || endedWell(view.session)} label={viewLabel(view)} />;
  }
  if (item.kind === 'action') return <Icon name={ACTION_ICONS[item.action]} quiet />;
  if (item.kind === 'project') return <Icon name="folder" quiet />;
  return (
    <span className="agent" aria-hidden="true">
      {monogram(item.preset)}
    </span>
  );
}

function endOf(item: PaletteItem, leader: Leader | undefined): ReactNode {
  if (item.kind === 'session') return <Age since={item.view.since} />;
  if (item.kind !== 'action') return text.create.title;
  const chord = leaderChord(item.action, leader);
  return chord === undefined ? null : <kbd className="kbd">{chord}</kbd>;
}

/** The name, with the letters underlined that were looked for. */
function Marked({ name, at }: { name: string; at: readonly number[] }) {
  if (at.length === 0) return visibleText(name);
  const pieces = piecesOf([...name], new Set(at));
  return pieces.map(({ start, words, isMarked }) =>
    isMarked ? (
      <u key={start} className="finder__hit">
        {visibleText(words)}
      </u>
    ) : (
      <span key={start}>{visibleText(words)}</span>
    ),
  );
}

interface Piece {
  readonly start: number;
  readonly words: string;
  readonly isMarked: boolean;
}

function piecesOf(characters: readonly string[], marked: ReadonlySet<number>): readonly Piece[] {
  const pieces: Piece[] = [];
  characters.forEach((character, index) => {
    const isMarked = marked.has(index);
    const last = pieces.at(-1);
    if (last?.isMarked === isMarked) pieces[pieces.length - 1] = { ...last, words: last.words + character };
    else pieces.push({ start: index, words: character, isMarked });
  });
  return pieces;
}
