import { type ReactNode, useState } from 'react';
import { useConnection } from '../app/parts-context.js';
import { changesHref, navigate, outputHref, type SessionFront, sessionHref } from '../app/route.js';
import { useSessionAction } from '../app/use-session-action.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { copyText } from '../parts/copy-text.js';
import type { EndAction } from '../session/fate.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';
import { EndDialog } from './end-dialog.js';
import { useSaveOutput } from './use-save-output.js';

interface SessionCommandsOptions {
  readonly commands: PageCommands;
  /** The page's commands mean this session: of several panes it has the keyboard. */
  readonly active: boolean;
  readonly front?: SessionFront | undefined;
  /** It was killed from here. */
  readonly onKilled: () => void;
}

interface SessionCommands {
  /** What is asked before something is ended. */
  readonly dialog: ReactNode;
  readonly askToKill: () => void;
}

/** Offers what can be done with a session. */
export function useSessionCommands(
  { session }: SessionView,
  { commands, active, front, onKilled }: SessionCommandsOptions,
): SessionCommands {
  const [ending, setEnding] = useState<EndAction>();
  const resume = useSessionAction('resume');
  const copy = useCopy();
  const save = useSaveOutput(session);
  const { id, status } = session;
  const turnTo = (other: SessionFront, href: string) => () => navigate(front === other ? sessionHref(id) : href);
  const whole = {
    kill: () => setEnding('kill'),
    changes: turnTo('changes', changesHref(id)),
    output: turnTo('output', outputHref(id)),
    download: save,
    copy_attach: () => copy(`maestro attach ${id}`, text.pane.attachCopied),
    copy_id: () => copy(id, text.pane.idCopied),
  };
  const running = { restart: () => setEnding('restart'), stop: () => setEnding('stop') };
  const resting = { resume: () => resume.mutate(id) };
  useCommands(commands, active ? { ...whole, ...(status === 'running' ? running : resting) } : {});
  const close = (done: boolean) => {
    setEnding(undefined);
    if (done && ending === 'kill') onKilled();
  };
  const dialog = ending !== undefined && <EndDialog action={ending} session={session} onClose={close} />;
  return { dialog, askToKill: () => setEnding('kill') };
}

function useCopy(): (words: string, done: string) => void {
  const { toasts } = useConnection();
  return (words, done) => void copyText(words).then((copied) => toasts.say(copied ? done : text.pane.noCopy(words), { isError: !copied }));
}
