import { useId } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { PaletteCards } from './palette-cards.js';
import { TERM_SIZES } from './preferences.js';
import { SettingRow, SettingsPart, SwitchRow } from './setting-row.js';

export function TerminalSettings() {
  const { copyOnSelect, screenReader } = usePageParts().preferences;
  const words = text.settings;
  return (
    <SettingsPart title={words.terminal}>
      <PaletteCards />
      <FontRow />
      <SizeRow />
      <p className="termsample" aria-hidden="true">
        {words.sample}
      </p>
      <SwitchRow label={words.copyOnSelect} hint={words.copyOnSelectHint} preference={copyOnSelect} />
      <SwitchRow label={words.screenReader} hint={words.screenReaderHint} preference={screenReader} />
    </SettingsPart>
  );
}

function FontRow() {
  const { termFont } = usePageParts().preferences;
  const id = useId();
  return (
    <SettingRow label={text.settings.font} hint={text.settings.fontHint} htmlFor={id}>
      <span className="input setting__field">
        <input
          id={id}
          className="mono"
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          placeholder={text.settings.fontOwn}
          value={useStore(termFont)}
          onChange={(event) => termFont.set(event.target.value)}
        />
      </span>
    </SettingRow>
  );
}

function SizeRow() {
  const { termSize } = usePageParts().preferences;
  const id = useId();
  const chosen = useStore(termSize);
  const size = chosen === 0 ? ownSize() : chosen;
  return (
    <SettingRow label={text.settings.fontSize} htmlFor={id}>
      <span className="setting__size">
        {chosen !== 0 && (
          <button type="button" className="btn btn--ghost btn--sm" onClick={() => termSize.set(0)}>
            {text.settings.asPage}
          </button>
        )}
        <input
          id={id}
          type="range"
          min={TERM_SIZES.least}
          max={TERM_SIZES.most}
          value={size}
          aria-valuetext={text.settings.pixels(size)}
          onChange={(event) => termSize.set(Number(event.target.value))}
        />
        <output className="num fg2" htmlFor={id}>
          {text.settings.pixels(size)}
        </output>
      </span>
    </SettingRow>
  );
}

/** What the styles have where nothing is chosen. */
function ownSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--term-fs')) || 13;
}
