import type { PageCommands } from '../app/page-commands.js';
import { useFeed } from '../app/use-sessions.js';
import { Icon } from '../parts/icon.js';
import { SettingsMenu } from '../settings/settings-menu.js';

export function SidebarFoot({ commands }: { commands: PageCommands }) {
  const { state } = useFeed();
  return (
    <div className="side__foot">
      <SettingsMenu commands={commands} />
      <button type="button" className="btn btn--ghost btn--icon" aria-label="Keys" title="Keys" onClick={() => commands.run('keys')}>
        <Icon name="help" />
      </button>
      <span className="side__state small fg3" role="status">
        {state === 'cut_off' && (
          <>
            <Icon name="plug" small />
            Cut off, trying again
          </>
        )}
      </span>
    </div>
  );
}
