import { usePageParts } from '../app/parts-context.js';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';

/** Reminds of do-not-disturb while it is on, and ends it. */
export function QuietSign({ className = '' }: { className?: string }) {
  const { quiet } = usePageParts().preferences;
  if (!useStore(quiet)) return null;
  const { quietIsOn } = text.attention;
  return (
    <button
      type="button"
      className={`btn btn--ghost btn--icon ${className}`}
      aria-label={quietIsOn}
      title={quietIsOn}
      onClick={() => quiet.set(false)}
    >
      <Icon name="bell_off" />
    </button>
  );
}
