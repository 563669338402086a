import { useState } from 'react';
import { type Session, UPLOAD_LIMIT } from '../../protocol/index.js';
import { useConnection } from '../app/parts-context.js';
import { formatBytes } from '../changes/file-words.js';
import { onOneLine, runsAtOnce } from '../terminal/paste.js';
import { quotedPath } from '../terminal/quoted-path.js';
import type { TerminalScreen } from '../terminal/terminal-screen.js';
import type { Transferred } from '../terminal/transferred-files.js';
import { text } from '../text/text.js';
import { FileSending } from './file-sending.js';

/** What waits in a browser for a program at most, in bytes: a larger paste is refused. */
const PASTE_LIMIT = 3 * 1024 * 1024;

/** Takes in what is pasted and dropped: text is typed, files are sent to the session and their paths typed. */
export function useTransfer(session: Session, screen: () => TerminalScreen | undefined) {
  const { client, toasts } = useConnection();
  /** Lines that wait for the user's word. */
  const [asked, setAsked] = useState<string>();
  const fail = (problem: string) => toasts.say(problem, { isError: true });

  const pasteText = (given: string) => {
    const target = screen();
    if (given === '' || target === undefined) return;
    const size = new Blob([given]).size;
    if (size > PASTE_LIMIT) fail(text.pane.paste.tooLarge(formatBytes(size)));
    else if (runsAtOnce(given, target.terminal.modes.bracketedPasteMode)) setAsked(given);
    else target.paste(given);
  };

  const sendFiles = (files: readonly File[]) => {
    const large = files.find(({ size }) => size > UPLOAD_LIMIT);
    if (large !== undefined) return fail(text.pane.files.tooLarge(large.name, formatBytes(large.size), formatBytes(UPLOAD_LIMIT)));
    void sending.send(files);
  };

  const typePaths = (paths: readonly string[]) => {
    const words = paths.map(quotedPath).join(' ');
    const target = screen();
    if (target === undefined) toasts.say(text.pane.files.stored, { command: words });
    else {
      target.paste(`${words} `);
      target.focus();
    }
  };

  const [sending] = useState(
    () =>
      new FileSending({
        upload: (...args) => client.upload(...args),
        sessionId: session.id,
        onStored: typePaths,
        isShown: () => screen() !== undefined,
        onProblem: fail,
      }),
  );

  return {
    asked,
    files: sending,
    pasteText,
    take(transferred: Transferred): void {
      if ('text' in transferred) pasteText(transferred.text);
      else if (transferred.hasFolders) fail(text.pane.files.folders);
      else sendFiles(transferred.files);
    },
    answer(how: 'lines' | 'one_line' | undefined): void {
      setAsked(undefined);
      if (asked !== undefined && how !== undefined) screen()?.paste(how === 'lines' ? asked : onOneLine(asked));
    },
  };
}
