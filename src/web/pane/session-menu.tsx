import type { ReactNode } from 'react';
import type { Session } from '../../protocol/index.js';
import { findChord, IS_APPLE, type Leader, leaderChord } from '../keys/chords.js';
import type { PageAction } from '../keys/page-actions.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Menu, MenuItem } from '../parts/menu.js';
import { canResume } from '../session/ending.js';
import { text } from '../text/text.js';

interface SessionMenuProps {
  readonly session: Session;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
  /** Named where there are several such menus. */
  readonly label?: string;
  /** What else can be done here. */
  readonly children?: ReactNode;
}

export function SessionMenu({ session, leader, commands, label, children }: SessionMenuProps) {
  const isRunning = session.status === 'running';
  const { actions, find } = text.pane;
  const run = (action: PageAction) => () => void commands.run(action);
  return (
    <Menu label={label ?? actions.more} icon="more">
      {children}
      <MenuItem icon="pen" label={actions.rename} chord={leaderChord('rename', leader)} onChoose={run('rename')} />
      <MenuItem icon="search" label={find} chord={findChord(IS_APPLE)} onChoose={run('find')} />
      <MenuItem icon="diff" label={text.changes.changes} chord={leaderChord('changes', leader)} onChoose={run('changes')} />
      <MenuItem icon="terminal" label={actions.copyAttach} chord={leaderChord('copy_attach', leader)} onChoose={run('copy_attach')} />
      <MenuItem icon="copy" label={actions.copyId} onChoose={run('copy_id')} />
      <MenuItem icon="history" label={actions.output} onChoose={run('output')} />
      <MenuItem icon="download" label={actions.download} onChoose={run('download')} />
      <hr />
      {isRunning ? (
        <>
          <MenuItem icon="restart" label={actions.restart} chord={leaderChord('restart', leader)} onChoose={run('restart')} />
          <MenuItem icon="stop" label={actions.stop} onChoose={run('stop')} />
        </>
      ) : (
        <MenuItem icon="play" label={text.pane.resting[canResume(session) ? 'resume' : 'restart']} onChoose={run('resume')} />
      )}
      <MenuItem icon="trash" label={actions.kill} danger chord={leaderChord('kill', leader)} onChoose={run('kill')} />
    </Menu>
  );
}
