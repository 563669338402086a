import { usePageParts } from '../app/parts-context.js';
import { paletteChord } from '../keys/chords.js';
import type { PageCommands } from '../keys/page-commands.js';
import { useLeader } from '../keys/use-leader.js';
import { Menu, MenuItem } from '../parts/menu.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';

/** What is about the page as a whole, and the way out. */
export function SettingsMenu({ className = '', commands }: { className?: string; commands: PageCommands }) {
  const { login, preferences } = usePageParts();
  const isQuiet = useStore(preferences.quiet);
  const words = text.settings;
  return (
    <Menu label={words.title} icon="settings" align="start" className={className}>
      <MenuItem icon="search" label={words.openPalette} chord={paletteChord(useLeader())} onChoose={() => commands.run('palette')} />
      <MenuItem icon="settings" label={words.open} onChoose={() => commands.run('settings')} />
      <MenuItem
        icon={isQuiet ? 'bell' : 'bell_off'}
        label={isQuiet ? text.attention.disturb : text.attention.quiet}
        onChoose={() => commands.run('quiet')}
      />
      <MenuItem icon="branch" label={words.worktrees} onChoose={() => commands.run('worktrees')} />
      <MenuItem icon="keyboard" label={words.keys} onChoose={() => commands.run('keys')} />
      <hr />
      <MenuItem icon="leave" label={words.signOut} onChoose={() => void login.signOut()} />
    </Menu>
  );
}
