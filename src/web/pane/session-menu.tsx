import type { Session } from '../../protocol/index.js';
import { findChord, IS_APPLE, type Leader, leaderChord, type PageAction } from '../app/chords.js';
import type { PageCommands } from '../app/page-commands.js';
import { useConnection } from '../app/parts-context.js';
import { useSessionAction } from '../app/use-session-action.js';
import { copyText } from '../parts/copy-text.js';
import { Menu, MenuItem } from '../parts/menu.js';

interface SessionMenuProps {
  readonly session: Session;
  readonly leader: Leader | undefined;
  readonly commands: PageCommands;
}

export function SessionMenu({ session, leader, commands }: SessionMenuProps) {
  const { toasts } = useConnection();
  const resume = useSessionAction('resume');
  const isRunning = session.status === 'running';
  const copy = async (text: string, what: string) => {
    const copied = await copyText(text);
    toasts.say(copied ? `${what} copied` : `This browser lets the page copy nothing. ${what}: ${text}`, { isError: !copied });
  };
  const run = (action: PageAction) => () => void commands.run(action);
  return (
    <Menu label="More actions" icon="more">
      <MenuItem icon="pen" label="Rename" chord={leaderChord('rename', leader)} onChoose={run('rename')} />
      <MenuItem icon="search" label="Find" chord={findChord(IS_APPLE)} onChoose={run('find')} />
      <MenuItem icon="diff" label="Changes" chord={leaderChord('changes', leader)} onChoose={run('changes')} />
      <MenuItem icon="terminal" label="Copy attach command" chord={leaderChord('copy_attach', leader)} onChoose={run('copy_attach')} />
      <MenuItem icon="copy" label="Copy id" onChoose={() => void copy(session.id, 'Id')} />
      <hr />
      {isRunning ? (
        <>
          <MenuItem icon="restart" label="Restart…" chord={leaderChord('restart', leader)} onChoose={run('restart')} />
          <MenuItem icon="stop" label="Stop…" onChoose={run('stop')} />
        </>
      ) : (
        <MenuItem icon="play" label="Resume" onChoose={() => resume.mutate(session.id)} />
      )}
      <MenuItem icon="trash" label="Kill…" danger chord={leaderChord('kill', leader)} onChoose={run('kill')} />
    </Menu>
  );
}
