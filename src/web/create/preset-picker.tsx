import { type KeyboardEvent, useRef } from 'react';
import type { AgentInfo, HostPreset } from '../../protocol/index.js';
import { CommandLine } from '../parts/command-line.js';
import { visibleText } from '../parts/visible-text.js';
import { monogram } from '../session/monogram.js';
import { text } from '../text/text.js';
import { CUSTOM, orderPresets } from './create-draft.js';

interface PresetPickerProps {
  readonly presets: readonly HostPreset[];
  readonly agents: readonly AgentInfo[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

interface Card {
  readonly id: string;
  readonly label: string;
  readonly note: string;
  readonly installed: boolean;
}

/** What to run: the agents of this host first, then those it could have. Arrows move the choice. */
export function PresetPicker({ presets, agents, chosen, onChoose }: PresetPickerProps) {
  const group = useRef<HTMLDivElement>(null);
  const known = orderPresets(presets).map((preset) => cardOf(preset, agents));
  const cards = [...known.filter(({ installed }) => installed), customCard(), ...known.filter(({ installed }) => !installed)];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = cards.findIndex(({ id }) => id === chosen);
    const next = cards.at((at + step) % cards.length);
    if (next === undefined) return;
    onChoose(next.id);
    group.current?.querySelector<HTMLElement>(`[data-preset="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <div ref={group} className="presets" role="radiogroup" aria-label={text.create.what} onKeyDown={move}>
      {cards.map((card) => (
        <PresetCard key={card.id} card={card} checked={card.id === chosen} onChoose={() => onChoose(card.id)} />
      ))}
    </div>
  );
}

function PresetCard({ card, checked, onChoose }: { card: Card; checked: boolean; onChoose: () => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a card of two lines is more than a radio input can be.
    <button
      type="button"
      role="radio"
      aria-checked={checked}
      tabIndex={checked ? 0 : -1}
      data-preset={card.id}
      className={`preset${card.installed ? '' : ' is-missing'}`}
      onClick={onChoose}
    >
      <span className="agent" aria-hidden="true">
        {card.id === CUSTOM ? '+' : monogram(card)}
      </span>
      <span className="preset__words">
        <span className="preset__name clip">{card.label}</span>
        <span className="preset__note clip">{card.note}</span>
      </span>
    </button>
  );
}

function customCard(): Card {
  return { id: CUSTOM, label: text.create.custom, note: text.create.customNote, installed: true };
}

function cardOf({ id, label, installed, executable, path }: HostPreset, agents: readonly AgentInfo[]): Card {
  const version = agents.find((agent) => agent.id === id)?.version;
  const note = !installed ? text.create.notInstalled : executable === undefined ? text.create.loginShell : (version ?? path ?? executable);
  return { id, label, installed, note: shortNote(note) };
}

/** Of a path, its end: that is where two differ. */
function shortNote(note: string): string {
  return note.includes('/') ? note.split('/').slice(-2).join('/') : note;
}

/** How to get an agent that this host does not have. */
export function InstallHint({ preset }: { preset: HostPreset }) {
  return (
    <div className="field">
      <span className="label">
        {preset.install === undefined ? text.create.notOnPath(preset.label) : text.create.install(preset.label)}
      </span>
      {preset.install !== undefined && <CommandLine command={preset.install} />}
    </div>
  );
}

/** What does not work, or is not sure to, with the agent as it is installed here. */
export function AgentWarnings({ agent }: { agent: AgentInfo | undefined }) {
  if (agent === undefined || !agent.installed || agent.warnings.length === 0) return null;
  return (
    <ul className="warnings" aria-label={text.create.warnings(agent.label)}>
      {agent.warnings.map((warning) => (
        <li key={warning} className="hint">
          {text.create.warning(agent.label, visibleText(warning))}
        </li>
      ))}
    </ul>
  );
}
