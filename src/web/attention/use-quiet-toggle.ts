import { useConnection, usePageParts } from '../app/parts-context.js';
import { text } from '../text/text.js';

/** Begins or ends do-not-disturb, and says so. */
export function useQuietToggle(): () => void {
  const { toasts } = useConnection();
  const { quiet } = usePageParts().preferences;
  return () => {
    quiet.set(!quiet.value);
    toasts.say(quiet.value ? text.attention.quietBegins : text.attention.quietEnds);
  };
}
