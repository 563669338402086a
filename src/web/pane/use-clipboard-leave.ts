import { useCallback, useState } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { copyText } from '../parts/copy-text.js';

/** The sessions that are remembered; the ones that were allowed last. */
const REMEMBERED = 200;

/** Whether the session's program may write to the clipboard, and what it wanted to write and could not. */
export function useClipboardLeave(sessionId: string) {
  const { clipboardSessions } = usePageParts().preferences;
  const [wanted, setWanted] = useState<string>();
  const [isMuted, setMuted] = useState(false);
  const isAllowed = () => clipboardSessions.value.includes(sessionId);
  /** Some browsers let a page copy only right after a key or a click: then the user is asked for one. */
  const copy = useCallback(async (text: string) => setWanted((await copyText(text)) ? undefined : text), []);
  return {
    wanted: isMuted ? undefined : wanted,
    isAllowed: isAllowed(),
    take(text: string): void {
      if (isAllowed()) void copy(text);
      else setWanted(text);
    },
    allow(): void {
      const others = clipboardSessions.value.filter((id) => id !== sessionId);
      clipboardSessions.set([...others, sessionId].slice(-REMEMBERED));
      if (wanted !== undefined) void copy(wanted);
    },
    refuse(): void {
      setWanted(undefined);
      if (!isAllowed()) setMuted(true);
    },
  };
}
