import { useId } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useStore } from '../parts/store.js';
import { LANGUAGES, text } from '../text/text.js';
import { SettingRow, SettingsPart } from './setting-row.js';

/** Nothing where there is no choice. */
export function LanguageSettings() {
  const { language } = usePageParts().preferences;
  const chosen = useStore(language);
  const id = useId();
  if (LANGUAGES.length < 2) return null;
  /** Words that are on the page already would stay in the old language. */
  const choose = (tag: string) => {
    language.set(tag);
    location.reload();
  };
  return (
    <SettingsPart title={text.settings.language}>
      <SettingRow label={text.settings.language} htmlFor={id}>
        <select id={id} className="select" value={chosen} onChange={(event) => choose(event.target.value)}>
          <option value="">{text.settings.asBrowser}</option>
          {LANGUAGES.map((tag) => (
            <option key={tag} value={tag} lang={tag}>
              {languageName(tag)}
            </option>
          ))}
        </select>
      </SettingRow>
    </SettingsPart>
  );
}

/** In the language itself, as who looks for it reads that one. */
function languageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}
