import { projectChoices } from '../create/project-choices.js';
import { choice, flag, names, text } from './preference.js';

/** What a person has set up in this browser. */
export class Preferences {
  /** Also read by `theme.js`, before the first paint. */
  readonly theme = choice('maestro.theme', ['system', 'light', 'dark']);
  readonly palette = choice('maestro.palette', ['maestro', 'night', 'contrast']);
  readonly sidebarHidden = flag('maestro.sidebar_hidden');
  /** Projects whose sessions are folded away. */
  readonly folded = names('maestro.folded');
  /** How lines that changed are laid out, where there is room for both. */
  readonly diffMode = choice('maestro.diff_mode', ['unified', 'split']);
  /** Where the last session was made. */
  readonly lastCwd = text('maestro.last_cwd');
  readonly lastPreset = text('maestro.last_preset');
  /** What was last chosen for each project. */
  readonly projects = projectChoices('maestro.projects');
  readonly lastSession = text('maestro.last_session');
}

export type ThemeChoice = Preferences['theme']['value'];
export type PaletteChoice = Preferences['palette']['value'];

/** Keeps the document in the chosen theme; the styles do the rest. */
export function applyTheme({ theme, palette }: Preferences, root: HTMLElement): void {
  const apply = () => {
    if (theme.value === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme.value;
    root.dataset.terminal = palette.value;
  };
  theme.subscribe(apply);
  palette.subscribe(apply);
  apply();
}
