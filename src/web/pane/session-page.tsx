import { useState } from 'react';
import { type Leader, leaderLabel } from '../app/chords.js';
import { type PageCommands, useCommands } from '../app/page-commands.js';
import { useConnection } from '../app/parts-context.js';
import { changesHref, navigate, sessionHref } from '../app/route.js';
import { copyText } from '../parts/copy-text.js';
import type { EndAction } from '../session/fate.js';
import { sessionName } from '../session/session-name.js';
import type { SessionView } from '../session/session-state.js';
import { EndDialog } from './end-dialog.js';
import { LivePane } from './live-pane.js';
import { SessionBar } from './session-bar.js';
import { SessionStage } from './session-stage.js';
import { StoredPane } from './stored-pane.js';
import { useMarkSeen } from './use-mark-seen.js';

interface SessionPageProps {
  readonly view: SessionView;
  /** What changed in its directory is shown, not its terminal. */
  readonly showsChanges: boolean;
  readonly leader: Leader | undefined;
  /** The leader waits for its key. */
  readonly leading: boolean;
  readonly commands: PageCommands;
}

/** One session: its terminal while it runs, else its last output and the way back. */
export function SessionPage({ view, showsChanges, leader, leading, commands }: SessionPageProps) {
  const { session } = view;
  const [ending, setEnding] = useState<EndAction>();
  const isRunning = session.status === 'running';
  const name = sessionName(session);
  useMarkSeen(view);
  useEndCommands(commands, isRunning, setEnding);
  useCopyAttach(commands, session.id);
  const toggle = () => navigate(showsChanges ? sessionHref(session.id) : changesHref(session.id));
  useCommands(commands, { changes: toggle });
  const close = (done: boolean) => {
    setEnding(undefined);
    if (done && ending === 'kill') navigate('/', { replace: true });
  };
  return (
    <>
      <SessionBar view={view} showsChanges={showsChanges} leader={leader} commands={commands} />
      <SessionStage session={session} showsChanges={showsChanges} commands={commands}>
        {isRunning ? (
          <LivePane session={session} name={name} commands={commands} leading={leading && leader ? leaderLabel(leader) : undefined} />
        ) : (
          <StoredPane session={session} name={name} commands={commands} onRemove={() => setEnding('kill')} />
        )}
      </SessionStage>
      {ending !== undefined && <EndDialog action={ending} session={session} onClose={close} />}
    </>
  );
}

function useEndCommands(commands: PageCommands, isRunning: boolean, ask: (action: EndAction) => void): void {
  const running = { restart: () => ask('restart'), stop: () => ask('stop') };
  useCommands(commands, { kill: () => ask('kill'), ...(isRunning ? running : {}) });
}

function useCopyAttach(commands: PageCommands, id: string): void {
  const { toasts } = useConnection();
  const command = `maestro attach ${id}`;
  const copy = async () => {
    const copied = await copyText(command);
    toasts.say(copied ? 'Attach command copied' : `This browser lets the page copy nothing. The command is: ${command}`);
  };
  useCommands(commands, { copy_attach: () => void copy() });
}
