import { useFeed } from '../app/use-sessions.js';
import { QuietSign } from '../attention/quiet-sign.js';
import type { PageCommands } from '../keys/page-commands.js';
import { Icon } from '../parts/icon.js';
import { SettingsMenu } from '../settings/settings-menu.js';
import { text } from '../text/text.js';

export function SidebarFoot({ commands }: { commands: PageCommands }) {
  const { state } = useFeed();
  return (
    <div className="side__foot">
      <SettingsMenu commands={commands} />
      <button
        type="button"
        className="btn btn--ghost btn--icon"
        aria-label={text.keys.title}
        title={text.keys.title}
        onClick={() => commands.run('keys')}
      >
        <Icon name="help" />
      </button>
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
