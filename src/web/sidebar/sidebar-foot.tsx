import { useFeed } from '../app/use-sessions.js';
import { QuietSign } from '../attention/quiet-sign.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { IconButton } from '../parts/icon-button.js';
import { SettingsMenu } from '../settings/settings-menu.js';
import { text } from '../text/text.js';

export function SidebarFoot({ commands }: { commands: PageCommands }) {
  const { state } = useFeed();
  return (
    <div className="side__foot">
      <SettingsMenu commands={commands} />
      <IconButton icon="help" label={text.keys.title} onClick={() => commands.run('keys')} />
      <QuietSign />
      <span className="side__state small fg3" role="status">
        {state === 'cut_off' && (
          <>
            <Icon name="plug" small />
            {text.sidebar.cutOff}
          </>
        )}
      </span>
    </div>
  );
}
