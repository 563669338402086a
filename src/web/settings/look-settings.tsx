import { usePageParts } from '../app/parts-context.js';
import { Segments } from '../parts/segments.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { SettingRow, SettingsPart } from './setting-row.js';

export function LookSettings() {
  const { theme, motion } = usePageParts().preferences;
  const words = text.settings;
  const { system, light, dark } = words.themes;
  return (
    <SettingsPart title={words.look}>
      <SettingRow label={words.theme}>
        <Segments label={words.theme} value={useStore(theme)} choices={{ system, light, dark }} onChoose={(value) => theme.set(value)} />
      </SettingRow>
      <SettingRow label={words.motion} hint={words.motionHint}>
        <Segments
          label={words.motion}
          value={useStore(motion)}
          choices={{ system: words.motions.system, off: words.motions.off }}
          onChoose={(value) => motion.set(value)}
        />
      </SettingRow>
    </SettingsPart>
  );
}
