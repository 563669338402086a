import { navigate, type SessionFront } from '../app/route.js';
import { type Leader, leaderLabel } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import type { SessionView } from '../session/session-state.js';
import { DropZone } from '../views/drop-zone.js';
import { LateTerminal } from './late-terminal.js';
import { SessionBar } from './session-bar.js';
import { SessionStage } from './session-stage.js';
import { useMarkSeen } from './use-mark-seen.js';
import { useSessionCommands } from './use-session-commands.js';
import { useSplitFromOne } from './use-split-from-one.js';

interface SessionPageProps {
  readonly view: SessionView;
  /** What is shown instead of its terminal. */
  readonly front: SessionFront | undefined;
  readonly leader: Leader | undefined;
  /** The leader waits for its key. */
  readonly leading: boolean;
  readonly commands: PageCommands;
}

/** One session. */
export function SessionPage({ view, front, leader, leading, commands }: SessionPageProps) {
  const { session } = view;
  useMarkSeen(view);
  const onKilled = () => navigate('/', { replace: true });
  const { dialog, askToKill } = useSessionCommands(view, { commands, active: true, front, onKilled });
  const drop = useSplitFromOne(session.id, commands);
  return (
    <>
      <SessionBar view={view} front={front} leader={leader} commands={commands} />
      <DropZone className="dropzone" canGrow onDrop={drop}>
        <SessionStage session={session} front={front} commands={commands}>
          <LateTerminal
            view={view}
            commands={commands}
            leading={leading && leader ? leaderLabel(leader) : undefined}
            onRemove={askToKill}
          />
        </SessionStage>
      </DropZone>
      {dialog}
    </>
  );
}
