import { useState } from 'react';
import type { PageCommands } from '../app/page-commands.js';
import { usePageParts } from '../app/parts-context.js';
import { Menu, MenuItem } from '../parts/menu.js';
import { useStore } from '../parts/store.js';
import { WorktreesDialog } from '../worktrees/worktrees-dialog.js';
import type { PaletteChoice, ThemeChoice } from './preferences.js';

const THEMES: Readonly<Record<ThemeChoice, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };
const PALETTES: Readonly<Record<PaletteChoice, string>> = { maestro: 'As the page', night: 'Always dark', contrast: 'High contrast' };

/** How the page looks, and the way out. */
export function SettingsMenu({ className = '', commands }: { className?: string; commands: PageCommands }) {
  const { login, preferences } = usePageParts();
  const theme = useStore(preferences.theme);
  const palette = useStore(preferences.palette);
  const [showsWorktrees, setShowsWorktrees] = useState(false);
  return (
    <>
      <Menu label="Settings" icon="settings" align="start" className={className}>
        <div className="menu__head">Theme</div>
        {entries(THEMES).map(([value, label]) => (
          <MenuItem key={value} label={label} checked={value === theme} onChoose={() => preferences.theme.set(value)} />
        ))}
        <div className="menu__head">Terminal</div>
        {entries(PALETTES).map(([value, label]) => (
          <MenuItem key={value} label={label} checked={value === palette} onChoose={() => preferences.palette.set(value)} />
        ))}
        <hr />
        <MenuItem icon="branch" label="Worktrees and salvage" onChoose={() => setShowsWorktrees(true)} />
        <MenuItem icon="keyboard" label="Keys" onChoose={() => commands.run('keys')} />
        <MenuItem icon="leave" label="Sign out" onChoose={() => void login.signOut()} />
      </Menu>
      {showsWorktrees && <WorktreesDialog onClose={() => setShowsWorktrees(false)} />}
    </>
  );
}

function entries<K extends string>(record: Readonly<Record<K, string>>): [K, string][] {
  return Object.entries(record) as [K, string][];
}
