import type { Session } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { sessionName } from '../session/session-name.js';

/** Lets the browser save a session's stored output: what its programs wrote, byte for byte. */
export function useSaveOutput(session: Session): () => void {
  const { client, toasts } = useConnection();
  return () => {
    client.scrollback(session.id).then(
      (bytes) => saveFile(outputName(session), bytes),
      (error: unknown) => toasts.say(errorText(error), { isError: true }),
    );
  };
}

/** `resume-race-0c9d41e2.log` */
export function outputName(session: Session): string {
  const name = sessionName(session)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return `${name.slice(0, 60) || 'session'}-${session.id.slice(0, 8)}.log`;
}

/** Time for the browser to have begun with the file, in milliseconds. */
const KEPT_MS = 60_000;

function saveFile(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
