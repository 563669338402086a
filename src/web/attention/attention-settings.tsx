import { useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useStore } from '../parts/store.js';
import { SettingsPart, SwitchRow, ToggleRow } from '../settings/setting-row.js';
import { text } from '../text/text.js';
import { chime } from './chime.js';
import { askLeave, type Leave, noticeLeave } from './desktop-notices.js';

/** What the user is told of, and how. */
export function AttentionSettings() {
  const { tellWaiting, tellDone, quiet } = usePageParts().preferences;
  const words = text.attention;
  return (
    <SettingsPart title={words.title}>
      <SwitchRow label={words.tellWaiting} preference={tellWaiting} />
      <SwitchRow label={words.tellDone} preference={tellDone} />
      <NoticesRow />
      <SoundRow />
      <SwitchRow label={words.quiet} hint={words.quietHint} preference={quiet} />
    </SettingsPart>
  );
}

/** The browser asks the user for leave, in answer to this switch and at no other time. */
function NoticesRow() {
  const { notifications } = usePageParts().preferences;
  const [leave, setLeave] = useState<Leave>(noticeLeave);
  const isWanted = useStore(notifications);
  const words = text.attention;
  const turnOn = async () => {
    const answer = await askLeave({ title: words.sample.title, body: words.sample.body });
    setLeave(answer);
    if (answer === 'granted') notifications.set(true);
  };
  return (
    <ToggleRow
      label={words.notices}
      hint={words.leave[leave]}
      disabled={leave === 'insecure' || leave === 'unsupported'}
      isOn={isWanted && leave === 'granted'}
      onToggle={() => (isWanted && leave === 'granted' ? notifications.set(false) : void turnOn())}
    />
  );
}

/** The click lets the page make sounds from then on, and shows how it sounds. */
function SoundRow() {
  const { sound } = usePageParts().preferences;
  const isOn = useStore(sound);
  const toggle = () => {
    sound.set(!isOn);
    if (!isOn) void chime('waiting');
  };
  return <ToggleRow label={text.attention.sound} hint={text.attention.soundHint} isOn={isOn} onToggle={toggle} />;
}
