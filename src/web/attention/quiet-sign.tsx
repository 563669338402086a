import { usePageParts } from '../app/parts-context.js';
import { IconButton } from '../parts/icon-button.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';

/** Reminds of do-not-disturb while it is on, and ends it. */
export function QuietSign({ className = '' }: { className?: string }) {
  const { quiet } = usePageParts().preferences;
  if (!useStore(quiet)) return null;
  return <IconButton className={className} icon="bell_off" label={text.attention.quietIsOn} onClick={() => quiet.set(false)} />;
}
