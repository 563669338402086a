import { type KeyboardEvent, useRef } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import type { PaletteChoice } from './preferences.js';

const PALETTES: readonly PaletteChoice[] = ['maestro', 'night', 'contrast'];
const COLORS = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'] as const;

/** The colours of terminals, each palette in its own. Arrows move the choice. */
export function PaletteCards() {
  const { palette } = usePageParts().preferences;
  const chosen = useStore(palette);
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? undefined : PALETTES.at((PALETTES.indexOf(chosen) + step) % PALETTES.length);
    if (next === undefined) return;
    event.preventDefault();
    palette.set(next);
    group.current?.querySelector<HTMLElement>(`[data-terminal="${next}"]`)?.focus();
  };
  return (
    <div ref={group} className="tcards" role="radiogroup" aria-label={text.settings.colors} onKeyDown={move}>
      {PALETTES.map((name) => (
        // biome-ignore lint/a11y/useSemanticElements: a card in its own colours is more than a radio input can be.
        <button
          key={name}
          type="button"
          role="radio"
          className="tcard"
          data-terminal={name}
          aria-checked={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => palette.set(name)}
        >
          <span className="tcard__name">{text.settings.palette[name]}</span>
          <span className="tcard__colors" aria-hidden="true">
            {COLORS.map((color) => (
              <span key={color} className={`tcard__color tcard__color--${color}`} />
            ))}
          </span>
        </button>
      ))}
    </div>
  );
}
