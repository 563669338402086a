import { useEffect, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useStore } from '../parts/store.js';
import { SettingsPart, SwitchRow, ToggleRow } from '../settings/setting-row.js';
import { text } from '../text/text.js';
import { chime } from './chime.js';
import { askLeave, followLeave, type Leave, noticeLeave, takeDown } from './desktop-notices.js';

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
  const [leave, setLeave] = useLeave();
  const isWanted = useStore(notifications);
  const words = text.attention;
  const turnOn = async () => {
    const answer = await askLeave({ title: words.sample.title, body: words.sample.body });
    setLeave(answer);
    if (answer === 'granted') notifications.set(true);
  };
  const turnOff = () => {
    notifications.set(false);
    void takeDown();
  };
  return (
    <ToggleRow
      label={words.notices}
      hint={words.leave[leave]}
      disabled={leave === 'insecure' || leave === 'unsupported'}
      isOn={isWanted && leave === 'granted'}
      onToggle={() => (isWanted && leave === 'granted' ? turnOff() : void turnOn())}
    />
  );
}

/** As the browser has it, also when the user changes it there. */
function useLeave() {
  const [leave, setLeave] = useState<Leave>(noticeLeave);
  useEffect(() => {
    const gone = new AbortController();
    followLeave(() => setLeave(noticeLeave()), gone.signal);
    return () => gone.abort();
  }, []);
  return [leave, setLeave] as const;
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
